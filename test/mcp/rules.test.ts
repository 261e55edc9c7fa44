import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const FILES = {
  "p/tasks/001-a.md": "---\ntags: [auth, api]\n---\n# Task: A\n\nStatus: pending\n\nThe limiter.\n",
  "p/plans/rollout.md": "# Rollout\n",
  "p/assets/d.png": "png",
  "p/assets/flow.md": "# Flow\n",
  "q/": "",
};

/** Calls that find nothing, and what their answers name. */
const NOTHING: [tool: string, args: Record<string, unknown>, named: RegExp][] = [
  ["search", { query: "limiter", tag: "urgent" }, /No document has the tag 'urgent'; tags are api, auth\./],
  ["search", { query: "x", project: "q", tag: "urgent" }, /there are no tags/],
  ["get_plan", { project: "p" }, /There is no plan 'execution-plan\.md': the project has rollout\.md\./],
  ["get_plan", { project: "q" }, /create_plan writes one/],
  [
    "history",
    { path: "p/tasks/001-b.md" },
    /Nothing is recorded of 'p\/tasks\/001-b\.md': did you mean '?p\/tasks\/001-new\.md/,
  ],
];

test("an answer that finds nothing names what exists", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  await call("create_doc", { project: "p", folder: "tasks", filename: "001-new.md", content: "x\n" });
  for (const [tool, args, named] of NOTHING) {
    const { hint = "", missing_words } = await call<{ hint?: string; missing_words?: string[] }>(tool, args);
    assert.match(hint, named);
    assert.equal(missing_words, undefined);
  }
});

test("pages of projects and files say where the next one starts, and list what is counted", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const first = await call("list_projects", { limit: 1 });
  const second = await call("list_projects", { limit: 1, offset: first["next_offset"] });
  assert.deepEqual([first["next_offset"], second["next_offset"]], [1, undefined]);
  const files = await call("list_projects", { project: "p", limit: 1 });
  assert.deepEqual([files["next_offset"], files["totals"]], [1, { assets: 2 }]);
  const rest = await call("list_projects", { project: "p", limit: 1, offset: 1 });
  const names = Object.entries(rest["folders"] as Record<string, { filename: string }[]>).map(
    ([folder, all]) => [folder, ...all.map(({ filename }) => filename)],
  );
  assert.deepEqual([names, rest["next_offset"]], [[["assets", "flow.md"]], undefined]);
});
