import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { locked } from "../../src/core/history/interrupted.ts";
import { presentContent } from "../../src/core/storage/change-file.ts";
import { contentOf } from "../../src/core/storage/read.ts";
import { change } from "../../src/core/workspace/change/change.ts";
import { updateTask } from "../../src/core/workspace/project-writes.ts";
import { renumberTasks } from "../../src/core/workspace/renumber.ts";
import type { Workspace } from "../../src/core/workspace/workspace.ts";
import { connect, makeWorkspace, open } from "../fixtures/workspace.ts";

const MINE = "p/tasks/003-mine.md";
const OTHER = "p/tasks/003-other.md";
const task = (title: string) => `# Task: ${title}\n\nStatus: done\n\n## Steps\n1. [ ] One\n`;

/** What another session, command or machine does. */
const EVENTS: Record<string, (other: Workspace) => Promise<unknown>> = {
  "renumbered here": (other) => renumberTasks(other, "p", { dryRun: false }),
  "brought by sync": (other) =>
    files(other, { [MINE]: null, "p/tasks/004-mine.md": task("Mine"), "p/tasks/007-new.md": task("New") }),
  "removed elsewhere": (other) => files(other, { [MINE]: null }),
};

function files(workspace: Workspace, texts: Record<string, string | null>): Promise<unknown> {
  const changes = Object.entries(texts).map(([path, text]) => ({
    path,
    before: presentContent(workspace.root, path),
    after: text === null ? null : contentOf(Buffer.from(text)),
  }));
  return locked(workspace.history, ["p"], (lockOf) =>
    change(workspace, { lockOf, isApproved: true }, changes),
  );
}

/** A session, during which somebody else changes the notes. */
async function session(t: TestContext, event: (other: Workspace) => Promise<unknown>, texts = {}) {
  const root = makeWorkspace(t, { [MINE]: task("Mine"), "p/status.md": "[[003-other]]\n", ...texts });
  const connected = await connect(t, root, { current: "p" });
  const { workspace } = open(t, root);
  await workspace.history.acting({ tool: "sync", client: "somebody" }, () => event(workspace));
  return { root, ...connected };
}

const DOORS: [tool: string, args: Record<string, unknown>][] = [
  ["update_task_status", { project: "p", task: "3", status: "pending" }],
  ["update_task", { project: "p", task: 3, done_steps: [1] }],
  ["claim_task", { project: "p", task: "#003", agent: "ana" }],
  ["archive_tasks", { project: "p", tasks: ["3"] }],
  ["read_doc", { path: "p/tasks/3" }],
  ["update_doc", { project: "p", folder: "tasks", filename: "003", mode: "append", content: "x" }],
  ["move_doc", { project: "p", filename: "3", to_filename: "z" }],
  ["update_task_status", { task: "3", status: "pending" }],
  ["read_doc", { path: "3" }],
  ["delete_doc", { path: "p/3", expected_hash: "0".repeat(16) }],
];

for (const [event, happen] of Object.entries(EVENTS))
  test(`a number that became another task's is followed by no tool: ${event}`, async (t) => {
    const { fail, call } = await session(t, happen, { [OTHER]: task("Other") });
    for (const [tool, args] of DOORS) {
      const { code, message } = await fail(tool, args);
      assert.equal(code, "CONFLICT", tool);
      assert.match(message, /'p\/tasks\/003-mine\.md' in this session.*'p\/tasks\/003-other\.md' now/, tool);
    }
    // By its name it is known, and from then on by its number.
    await call("update_task_status", { project: "p", task: OTHER, status: "pending" });
    await call("update_task_status", { project: "p", task: "3", status: "done" });
  });

test("API v1 does not follow it either", async (t) => {
  const root = makeWorkspace(t, { [MINE]: task("Mine"), [OTHER]: task("Other") });
  const { client } = await connect(t, root, { api: "v1" });
  const { workspace } = open(t, root);
  await files(workspace, { [MINE]: null });
  const args = { project: "p", task_file: "3", new_status: "pending" };
  const { isError, content } = await client.callTool({ name: "tool_update_task_status", arguments: args });
  assert.ok(isError && JSON.stringify(content).includes("003-mine.md"));
});

test("a task that got another title or went to the archive is found by its number", async (t) => {
  const retitled = await session(t, (other) => updateTask(other, "p", { task: "3", title: "Better" }));
  const { path } = await retitled.call("read_doc", { path: "p/3" });
  assert.equal(path, "p/tasks/003-better.md");
  const archived = await session(t, (other) =>
    files(other, { [MINE]: null, "p/archive/tasks/003-mine.md": task("Mine") }),
  );
  assert.equal((await archived.call("read_doc", { path: "p/3" }))["path"], "p/archive/tasks/003-mine.md");
});

test("what a session did itself, and what was before it, is no surprise to it", async (t) => {
  const root = makeWorkspace(t, { [MINE]: task("Mine"), [OTHER]: task("Other") });
  const { call } = await connect(t, root);
  await call("move_doc", { path: MINE, to_filename: "009-mine.md" });
  assert.equal((await call("read_doc", { path: "p/3" }))["path"], OTHER);
  const later = await session(t, EVENTS["removed elsewhere"] ?? (() => Promise.resolve()), {
    [OTHER]: task("Other"),
  });
  const { call: next } = await connect(t, later.root);
  assert.equal((await next("read_doc", { path: "p/3" }))["path"], OTHER);
});

test("what happens after a number was followed counts, too, until the session knows it", async (t) => {
  const root = makeWorkspace(t, { [MINE]: task("Mine") });
  const { call, fail } = await connect(t, root, { current: "p" });
  for (const status of ["pending", "done"]) await call("update_task_status", { task: "3", status });
  const { workspace } = open(t, root);
  await files(workspace, { [MINE]: null, "p/tasks/004-mine.md": task("Mine"), [OTHER]: task("Other") });
  for (const _ of [1, 2]) assert.equal((await fail("read_doc", { path: "p/3" })).code, "CONFLICT");
  await call("update_task_status", { task: OTHER, status: "pending" });
  await call("update_task_status", { task: "3", status: "done" });
});
