import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withLines } from "../../src/core/mcp/written-lines.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const MEANT: [text: string, written: string][] = [
  ["## Done\\n- a\\n- b", "## Done\n- a\n- b"],
  ["# N\\n\\n## A\\n- `x\\ny`\\n", "# N\n\n## A\n- `x\\ny`\n"],
  ["- a\\r\\n  - b\\r\\n- c", "- a\n  - b\n- c"],
];
const LEFT = [
  "one\\n- break",
  "a real\nbreak\\n- a\\n- b",
  "split at `\\n- ` and `\\n# `",
  "a regex \\n\\n between words",
  "C:\\new\\notes",
  "escaped \\\\n- a\\\\n- b",
];

test("two or more \\n before lists and headings are line breaks in a text without one", () => {
  for (const [content, written] of MEANT) {
    const { args, said } = withLines("update_doc", { content });
    assert.deepEqual(args, { content: written });
    assert.match(`${said}`, /'content'/);
  }
  const [[text]] = MEANT as [[string, string]];
  const untouched: [tool: string, args: object][] = [
    ...LEFT.map((content): [string, object] => ["log_session", { content }]),
    ["create_doc", { content: text }],
    ["vault_replace", { replace: text, find: text }],
    ["update_doc", { content: text, exact: true }],
    ["search", { query: text }],
  ];
  for (const [tool, args] of untouched) assert.deepEqual(withLines(tool, args), { args, said: undefined });
});

test("an answer says that \\n was written as line breaks", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const { call } = await connect(t, root);
  const { hint } = await call("update_doc", { path: "p/a.md", mode: "append", content: "## B\\n- a\\n- b" });
  assert.match(`${hint}`, /line break/);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "# A\n\n## B\n- a\n- b\n");
});
