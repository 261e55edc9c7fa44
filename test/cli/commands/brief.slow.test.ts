import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { demoFiles } from "../../../src/cli/commands/demo/files.ts";
import { sessionStart } from "../../../src/core/workspace/briefing/briefing.ts";
import { person } from "../../fixtures/terminal.ts";
import { VIBE_MCP_CLOCK, writeVibeMcp } from "../../fixtures/vibe-mcp-project.ts";
import { connect, makeWorkspace, open, writeFiles } from "../../fixtures/workspace.ts";

/** Names and texts that are easily read in another way than the index does. */
const ODD = {
  "odd/tasks/010-ten.md": "---\nstatus: wip\n---\n# Ten\n\n## Context\n- Dependencies: 9, 𠮷野\n",
  "odd/tasks/9-nine.md": "---\ntags: [a\n---\n# Nine\nStatus: done\n",
  "odd/tasks/𠮷野.md": "# Yoshino\n\nStatus: blocked\n",
  "odd/tasks/ﬀ.md": "no heading",
  "odd/tasks/deep/011-eleven.md": "Status: in review\n",
  "odd/plans/b.md": "---\nupdated: 2024-01-01\n---\n# B\n",
  "odd/plans/a.md": "---\nupdated: [2024]\n---\n# A\n\n## Decisions\n- x\n",
  "odd/sessions/2025-01-01.md": "# A day\n\n## Next\n- go on\n",
  "odd/sessions/2025-01-01-b.md": Buffer.from([0x23, 0x20, 0xff, 0x0a]),
  "odd/sessions/notes.md": "plain",
  "odd/STATUS.md": "# Odd\n\nBroken `tasks/010-ten`\n\n<!-- Unseen -->\u200b\n",
  "odd/empty/.hidden.md": "no",
  "kiroku/status.md": "# kiroku\n",
  "tienda-ceramica/status.md": "# Tienda\n",
};

function everyProject(t: TestContext): string {
  const root = makeWorkspace(t, ODD);
  writeVibeMcp(root);
  for (const { path, content } of demoFiles(VIBE_MCP_CLOCK.now())) writeFiles(root, { [path]: content });
  return root;
}

test("brief prints the prompt, byte for byte", async (t) => {
  const root = everyProject(t);
  const { client } = await connect(t, root, { clock: VIBE_MCP_CLOCK });
  const someone = person(t, root);
  for (const [project, focus] of [["odd"], ["vibeMCP", "deployment"]] as const) {
    const args = { project: project ?? "", ...(focus !== undefined && { focus }) };
    const { messages } = await client.getPrompt({ name: "session_start", arguments: args });
    const { content } = messages[0] ?? {};
    const { stdout } = someone.inPipe([
      "brief",
      args.project,
      ...(focus === undefined ? [] : ["--focus", focus]),
    ]);
    assert.equal(stdout, content?.type === "text" ? content.text : "");
    assert.equal(stdout.includes("> &lt;!-- Unseen -->\\u{200b}"), project === "odd");
    const hook = someone.inPipe(["brief", project, "--hook"]).stdout;
    assert.doesNotMatch(hook, /<!--|\u200b/);
  }
});

test("a briefing fits its budget, and drops the least important parts first", async (t) => {
  const root = everyProject(t);
  const { workspace } = open(t, root, { clock: VIBE_MCP_CLOCK });
  for (const tokens of [100, 200, 400, 800, 1600, 3200, 15_000]) {
    const text = await sessionStart(workspace, { project: "payments-api", maxTokens: tokens });
    assert.ok(text.length <= tokens * 4, `${tokens}: ${text.length}`);
    assert.match(text, /## Suggested Actions\n\n1\. /, String(tokens));
    if (tokens === 400) assert.match(text, /\(Left out .*: .*Earlier Sessions/);
  }
});

test("a short briefing keeps the task that it is about", async (t) => {
  const root = everyProject(t);
  const { workspace } = open(t, root, { clock: VIBE_MCP_CLOCK });
  for (const tokens of [300, 500, 1_000]) {
    const text = await sessionStart(workspace, { project: "vibeMCP", focus: "008", maxTokens: tokens });
    assert.ok(text.length <= tokens * 4, `${tokens}: ${text.length}`);
    assert.match(text, /\n## Task Details\n\n### 008 - “Deploy”\n/, String(tokens));
  }
});
