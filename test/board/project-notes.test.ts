import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, byDay, decisionsOf, folderOrder } from "../../src/board/views/project/notes.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("a document's body has neither frontmatter nor title", () => {
  assert.equal(bodyOf("---\ntype: status\n---\n# Shop\n\nOpen.\n"), "Open.");
  assert.equal(bodyOf("\uFEFF---\r\n---\r\n# Shop\r\nOpen.\r\n\r\n## Next\r\n"), "Open.\r\n\r\n## Next");
  assert.equal(bodyOf("Open.\n\n---\nmore\n---\n# Late"), "Open.\n\n---\nmore\n---\n# Late");
  assert.equal(bodyOf("## Next\n# Shop"), "## Next\n# Shop");
  assert.equal(bodyOf("# Shop"), "");
});

test("the decisions are read from a briefing, and nothing that only looks like them", async (t) => {
  const plan = "## Decisions\n- Fail open\n\n> quoted\n\n### Money\n- Integers\n\n## Order\nNone\n";
  const root = makeWorkspace(t, {
    "shop/plans/`odd`.md": `---\nupdated: 2026-02-01\n---\n# Odd\n${plan}`,
    "shop/sessions/2026-02-03.md": "## Decisions\n- Ship it\n",
    "shop/status.md": "# Shop\n\n## Recent Decisions\n\nFrom `shop/no.md` (2026-01-01):\n\n> None of this\n",
  });
  const { call } = await connect(t, root);
  const { text } = (await call("get_briefing", { project: "shop" })) as { text: string };
  const found = decisionsOf(text).filter(({ path }) => path !== "shop/status.md");
  assert.deepEqual(found, [
    { path: "shop/sessions/2026-02-03.md", day: "2026-02-03", text: "- Ship it" },
    {
      path: "shop/plans/`odd`.md",
      day: "2026-02-01",
      text: "- Fail open\n\n> quoted\n\n### Money\n- Integers",
    },
  ]);
  assert.deepEqual(decisionsOf("# Session Start: shop\n\n## Recent Decisions\n\n(none noted)\n"), []);
});

test("known folders come first, the project's own before all", () => {
  const folders = { zoo: [], tasks: [], sessions: [], art: [], "": [], plans: [] };
  assert.deepEqual(folderOrder(folders), ["", "plans", "tasks", "sessions", "art", "zoo"]);
});

test("the projects of the newest day come first, by name within a day", () => {
  const project = (name: string, last_updated: string | null) => ({ name, last_updated });
  const projects = [
    project("c", null),
    project("b", "2026-11-23T09:00:00Z"),
    project("d", "2026-11-20T23:59:59Z"),
    project("a", "2026-11-23T08:00:00Z"),
  ];
  assert.deepEqual(
    byDay(projects).map(({ name }) => name),
    ["a", "b", "d", "c"],
  );
});
