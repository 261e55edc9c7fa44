import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { deleteDocTool } from "../../../src/core/mcp/tools/delete-doc.ts";
import { hashOf } from "../../../src/core/storage/read.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof deleteDocTool>;

const FILES = {
  "p/references/flow.md": "\uFEFF# Flow\r\n[[flow]]\r\n",
  "p/status.md": "# P\n\n[f](references/flow.md) and\n[[flow#x|y]] `[[flow]]`\n",
  "q/status.md": "[[flow]] [[status]]\n",
};
const PATH = "p/references/flow.md";
const expected_hash = hashOf(Buffer.from(FILES[PATH])).slice(0, 16);

test("delete_doc lists the links that break, leaves them, and says how to restore the document", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { call } = await connect(t, root);
  const { restore, change, ...answer }: Answer = await call("delete_doc", { path: PATH, expected_hash });
  assert.deepEqual(answer, {
    success: true,
    path: PATH,
    broken_links: {
      total: 3,
      list: [
        { path: "p/status.md", line: 3, link: "[f](references/flow.md)" },
        { path: "p/status.md", line: 4, link: "[[flow#x|y]]" },
        { path: "q/status.md", line: 1, link: "[[flow]]" },
      ],
    },
    hint: "To bring it back, call restore_doc with 'change'.",
  });
  assert.equal(existsSync(join(root, PATH)), false);
  assert.equal(readFileSync(join(root, "p/status.md"), "utf8"), FILES["p/status.md"]);
  const found = await call<{ total_matches: number }>("search", { query: "Flow", folder: "references" });
  assert.equal(found.total_matches, 0);
  assert.equal(change, restore?.change);
  await call("restore_doc", { change });
  assert.equal(readFileSync(join(root, PATH), "utf8"), FILES[PATH]);
});

test("delete_doc needs the hash of the document as it is now", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { fail } = await connect(t, root);
  const cases: [args: object, code: string, message: RegExp][] = [
    [{ path: PATH }, "INVALID_ARGUMENT", /expected_hash/],
    [{ path: PATH, expected_hash: "0".repeat(16) }, "CONFLICT", /Read it again with read_doc/],
    [{ path: PATH, expected_hash: "0" }, "INVALID_ARGUMENT", /hexadecimal/],
    [{ path: "p/no.md", expected_hash }, "FILE_NOT_FOUND", /not found/],
    [{ project: "x", filename: "a", expected_hash }, "PROJECT_NOT_FOUND", /'x'/],
  ];
  for (const [args, code, message] of cases) {
    const error = await fail("delete_doc", { ...args });
    assert.equal(error.code, code);
    assert.match(error.message, message);
  }
  for (const path of Object.keys(FILES)) assert.equal(existsSync(join(root, path)), true);
});

test("without history delete_doc says that nothing can be restored", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { call } = await connect(t, root, { history: { on: false, days: 90, bytes: 1e9 } });
  const { restore, hint }: Answer = await call("delete_doc", { path: PATH, expected_hash });
  assert.equal(restore, undefined);
  assert.match(hint ?? "", /keeps no history/);
});
