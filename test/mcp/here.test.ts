import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const TASK = "# Task: A\n\nStatus: pending\n\n## Objective\na\n\n## Steps\n1. [ ] one\n";
const FILES = {
  "p/status.md": "# P\n\n[[a]]\n",
  "p/tasks/001-a.md": TASK,
  "p/tasks/002-done.md": TASK.replace("pending", "done"),
  "p/references/n.md": "# N\n",
  "q/status.md": "# Q\n",
  "q/tasks/001-a.md": TASK,
};

/** Calls that name no project. Each answer names a place in the current one. */
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ["read_doc", { path: "001" }],
  ["read_doc", { path: "001-A" }],
  ["read_doc", { path: "tasks/001-a.md" }],
  ["read_doc", { path: "STATUS" }],
  ["read_doc", { path: "[[n]]" }],
  ["read_doc", { filename: 1 }],
  ["read_doc", { folder: "references", filename: "n" }],
  ["get_plan", {}],
  ["get_briefing", {}],
  ["list_projects", { folder: "tasks" }],
  ["create_task", { title: "T", objective: "o" }],
  ["update_task", { task: "1", priority: "low" }],
  ["update_task_status", { task: 1, status: "blocked" }],
  ["claim_task", { agent: "a" }],
  ["log_session", { content: "x" }],
  ["create_plan", { content: "# Plan\n" }],
  ["create_doc", { folder: "references", filename: "m.md", content: "x" }],
  ["create_doc", { path: "references/o.md", content: "x" }],
  ["update_doc", { path: "references/n.md", mode: "append", content: "y" }],
  ["update_doc", { filename: "n", frontmatter: { owner: "ana" } }],
  ["move_doc", { path: "n", to_filename: "moved.md" }],
  ["history", { path: "references/moved.md" }],
  ["history", { path: "tasks/1" }],
  ["archive_tasks", { tasks: ["2"] }],
];

test("every tool for one project or document works on the current one", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES), { current: "P" });
  for (const [tool, args] of CALLS) {
    const answer = JSON.stringify(await call(tool, args));
    assert.match(answer, /"(?:path|project|name|moved)":\[?"p["/]/, `${tool} ${JSON.stringify(args)}`);
  }
  const { change } = await call("move_doc", { path: "references/o.md", to_filename: "oo.md" });
  assert.equal((await call("restore_doc", { path: "references/o.md", change }))["path"], "p/references/o.md");
  const other = await call("read_doc", { path: "q/tasks/001-a.md" });
  assert.equal(other["project"], "q");
  assert.equal((await call("read_doc", { path: "001", project: "q" }))["project"], "q");
  const linked = await call("read_doc", { path: "[[001-a]]", from: "q/status.md" });
  assert.equal(linked["project"], "q");
  assert.equal((await call("list_projects"))["total"], 2);
  assert.equal((await call("list_tasks"))["project"], null);
});

test("without a current project, the error names the projects", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, FILES));
  for (const [tool, args] of CALLS) {
    if (tool === "history" || args["path"] === "[[n]]") continue;
    const { message } = await fail(tool, args);
    assert.match(message, /\bp, q\b/, `${tool} ${JSON.stringify(args)}`);
  }
  const empty = await connect(t, makeWorkspace(t, {}));
  assert.match((await empty.fail("create_task", { title: "T", objective: "o" })).message, /init_project/);
});

test("no tool but the one that makes a project requires its name", () => {
  const asking = allTools.filter(({ input }) =>
    z.toJSONSchema(input, { io: "input" }).required?.includes("project"),
  );
  assert.deepEqual(
    asking.map(({ name }) => name),
    ["init_project"],
  );
});
