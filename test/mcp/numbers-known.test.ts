import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { updateTask } from "../../src/core/workspace/project-writes.ts";
import { renumberTasks } from "../../src/core/workspace/renumber.ts";
import { connect, makeWorkspace, open } from "../fixtures/workspace.ts";

const MINE = "p/tasks/003-mine.md";
const OTHER = "p/tasks/003-other.md";
const task = (title: string, does = `Do what ${title} says.`) =>
  `# Task: ${title}\n\nStatus: pending\n\n## Objective\n${does}\n\n## Steps\n1. [ ] One of ${title}\n`;

/** Who works on `MINE`, and knows its number by this call. */
async function session(t: TestContext, [tool, args]: Call, texts = {}) {
  const root = makeWorkspace(t, { [MINE]: task("Mine"), "p/status.md": "# p\n", ...texts });
  const connected = await connect(t, root, { current: "p" });
  await (tool === "session_start"
    ? connected.client.getPrompt({ name: tool, arguments: { project: "p" } })
    : connected.call(tool, args));
  return { root, ...connected };
}

type Call = [tool: string, args: Record<string, unknown>];
const LIST: Call = ["list_tasks", { project: "p" }];

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const rename = (root: string, to: string) => {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  renameSync(join(root, MINE), join(root, to));
};

/** What gives the number to another task, by hand or by git. */
const EVENTS: Record<string, { happen: (root: string) => void; became: RegExp }> = {
  "renamed, and another one made": {
    happen: (root) => {
      rename(root, "p/tasks/007-mine.md");
      put(root, OTHER, task("Other"));
    },
    became: /which has become 'p\/tasks\/007-mine\.md'/,
  },
  "removed, and another one made": {
    happen: (root) => {
      rmSync(join(root, MINE));
      put(root, OTHER, task("Other"));
    },
    became: /which is gone/,
  },
  "archived, and another one made": {
    happen: (root) => {
      rename(root, "p/archive/tasks/003-mine.md");
      put(root, OTHER, task("Other"));
    },
    became: /which has become 'p\/archive\/tasks\/003-mine\.md'/,
  },
};
const { happen: numberMoves } = EVENTS["renamed, and another one made"] ?? assert.fail();

for (const [event, { happen, became }] of Object.entries(EVENTS))
  test(`a number that became another task's is refused once: ${event}`, async (t) => {
    const { root, fail, call } = await session(t, LIST);
    happen(root);
    const { code, message } = await fail("update_task_status", { task: "3", status: "done" });
    assert.equal(code, "CONFLICT");
    assert.match(
      message,
      /^'3' was 'p\/tasks\/003-mine\.md' in this session, .*'p\/tasks\/003-other\.md' now/,
    );
    assert.match(message, became);
    const { task: done } = await call("update_task_status", { task: "3", status: "done" });
    assert.equal((done as { path: string }).path, OTHER);
  });

const SOURCES: Call[] = [
  ["get_briefing", { project: "p" }],
  ["session_start", {}],
  ["search", { query: "Mine" }],
  ["read_doc", { path: MINE }],
  ["update_task_status", { project: "p", task: "3", status: "in-progress" }],
  ["claim_task", { project: "p", agent: "ana" }],
];

for (const source of SOURCES)
  test(`a session knows a number by ${source[0]}`, async (t) => {
    const { root, fail } = await session(t, source);
    numberMoves(root);
    assert.equal((await fail("update_task", { task: "3", done_steps: [1] })).code, "CONFLICT");
  });

const DOORS: Call[] = [
  ["update_task_status", { project: "p", task: "3", status: "pending" }],
  ["update_task", { project: "p", task: 3, done_steps: [1] }],
  ["update_task", { project: "p", task: "8", dependencies: ["3"] }],
  ["create_task", { project: "p", title: "x", objective: "y", context: { dependencies: ["#3"] } }],
  ["create_task", { project: "p", title: "x", objective: "y", parent: "003" }],
  ["claim_task", { project: "p", task: "#003", agent: "ana" }],
  ["archive_tasks", { project: "p", tasks: ["3"] }],
  ["read_doc", { path: "p/tasks/3" }],
  ["update_doc", { project: "p", folder: "tasks", filename: "003", mode: "append", content: "x" }],
  ["move_doc", { project: "p", filename: "3", to_filename: "z" }],
  ["update_task_status", { task: "3", status: "pending" }],
  ["delete_doc", { path: "p/3", expected_hash: "0".repeat(16) }],
];

for (const [at, [tool, args]] of DOORS.entries())
  test(`no tool follows it: ${at + 1}, ${tool}`, async (t) => {
    const { root, fail } = await session(t, LIST, { "p/tasks/008-last.md": task("Last") });
    numberMoves(root);
    assert.equal((await fail(tool, args)).code, "CONFLICT");
  });

test("API v1 does not follow it either", async (t) => {
  const root = makeWorkspace(t, { [MINE]: task("Mine") });
  const { client } = await connect(t, root, { api: "v1" });
  await client.callTool({ name: "list_tasks", arguments: {} });
  numberMoves(root);
  const args = { project: "p", task_file: "3", new_status: "pending" };
  const { isError, content } = await client.callTool({ name: "tool_update_task_status", arguments: args });
  assert.ok(isError && JSON.stringify(content).includes("003-mine.md"));
});

/** By each, the number still means the same task. */
const SAME: Record<string, { happen: (root: string, t: TestContext) => unknown; path: string }> = {
  "another title, by another server": {
    happen: (root, t) => updateTask(open(t, root).workspace, "p", { task: "3", title: "Better" }),
    path: "p/tasks/003-better.md",
  },
  "another title, by hand": {
    happen: (root) => {
      rename(root, "p/tasks/003-better.md");
      put(root, "p/tasks/003-better.md", task("Mine").replace("Task: Mine", "Task: Better"));
    },
    path: "p/tasks/003-better.md",
  },
  archived: {
    happen: (root) => rename(root, "p/archive/tasks/003-mine.md"),
    path: "p/archive/tasks/003-mine.md",
  },
  "in a folder": {
    happen: (root) => rename(root, "p/tasks/later/003-mine.md"),
    path: "p/tasks/later/003-mine.md",
  },
};

for (const [event, { happen, path }] of Object.entries(SAME))
  test(`a task is found by its number: ${event}`, async (t) => {
    const { root, call } = await session(t, LIST);
    await happen(root, t);
    assert.equal((await call("read_doc", { path: "p/3" }))["path"], path);
  });

test("one of two tasks with a number that got another one is named", async (t) => {
  const { root, call } = await session(t, LIST, { [OTHER]: task("Other") });
  await renumberTasks(open(t, root).workspace, "p", { dryRun: false });
  await call("update_task_status", { task: MINE, status: "pending" });
  const { task: done } = await call("update_task_status", { task: "3", status: "done" });
  assert.equal((done as { path: string }).path, MINE);
});

test("what a session did itself, was told since, or never saw is no surprise to it", async (t) => {
  const { root, call } = await session(t, LIST);
  await call("move_doc", { path: MINE, to_filename: "009-mine.md" });
  put(root, OTHER, task("Other"));
  assert.equal((await call("read_doc", { path: "p/3" }))["path"], OTHER);

  const told = await session(t, LIST);
  numberMoves(told.root);
  await told.call("get_briefing", { project: "p" });
  await told.call("update_task_status", { task: "3", status: "done" });

  const unseen = await session(t, ["list_projects", {}]);
  numberMoves(unseen.root);
  await unseen.call("update_task_status", { task: "3", status: "done" });
});
