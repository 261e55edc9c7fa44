import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf, kindOf } from "../../src/board/activity/groups.ts";
import type { Entry } from "../../src/board/activity/model.ts";
import { changedTasks } from "../../src/board/activity/outside.ts";
import type { Task } from "../../src/board/model.ts";
import type { Writer } from "../../src/core/notes/writer.ts";

let lastId = 0;

function entry(minute: number, writer: Writer, more: Partial<Entry> = {}): Entry {
  const time = new Date(Date.UTC(2026, 1, 9, 12, minute)).toISOString();
  const shared = { path: "p/a.md", change: `${++lastId}`, tool: "update_doc", kind: "replaced" } as const;
  return { ...shared, time, ...writer, ...more };
}

const CLAUDE = { client: "claude-code" };
const BOARD = { client: "vibe-mcp board", person: true };

test("changes of one writer are one group until a pause of half an hour, whatever others do meanwhile", () => {
  const groups = groupsOf([
    entry(100, CLAUDE),
    entry(50, CLAUDE, { path: "p/b.md" }),
    entry(45, BOARD),
    entry(40, CLAUDE),
    entry(30, CLAUDE),
  ]);
  assert.deepEqual(
    groups.map(({ name, kind, items }) => [name, kind, items.map(({ path, count }) => `${path} ${count}`)]),
    [
      ["claude-code", "agent", ["p/a.md 1"]],
      ["claude-code", "agent", ["p/b.md 1", "p/a.md 2"]],
      ["board", "person", ["p/a.md 1"]],
    ],
  );
  assert.equal(groups[1]?.start, entry(30, CLAUDE).time);
});

test("agents with one client have names of their own; a command with a name is an agent's", () => {
  const groups = groupsOf([
    entry(3, { ...CLAUDE, agent: "ana" }),
    entry(2, { ...CLAUDE, agent: "ben" }),
    entry(1, { client: "vibe-mcp status", person: true }),
    entry(1, { client: "ana/vibe-mcp board", person: true }),
    entry(1, { client: "vibe-mcp status" }),
    entry(0, { client: "vibe-mcp status", agent: "ben" }),
    entry(0, { client: "" }, { isOutside: true }),
  ]);
  assert.deepEqual(
    groups.map(({ name, kind }) => `${kind} ${name}`),
    ["agent ana", "agent ben", "person status", "person ana/board", "agent vibe-mcp status", "outside "],
  );
});

test("a change of several files is one item: what moved, and how many documents followed", () => {
  const change = "1";
  const moved = { change, tool: "archive_tasks", kind: "moved" } as const;
  const [group, ...others] = groupsOf([
    entry(1, CLAUDE, { ...moved, path: "p/archive/tasks/001-a.md", moved_from: "p/tasks/001-a.md" }),
    entry(1, CLAUDE, { ...moved, path: "p/tasks/001-a.md", moved_to: "p/archive/tasks/001-a.md" }),
    entry(1, CLAUDE, { change, path: "p/status.md" }),
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual(
    group?.items.map((item) => [item.path, kindOf(item), item.others]),
    [["p/archive/tasks/001-a.md", "archive", 1]],
  );
});

test("tools of API v1 are called the same, and an unknown one by what became of the file", () => {
  assert.equal(kindOf({ tool: "tool_update_task_status", kind: "replaced" }), "status");
  assert.equal(kindOf({ tool: "constructor", kind: "deleted" }), "deleted");
});

test("a task counts as changed only if its file says something else", () => {
  const task = { path: "p/tasks/001-a.md", title: "A", status: "pending", ready: true } as Task;
  const after = (changes: Partial<Task>) =>
    changedTasks(new Map([["p", [task]]]), new Map([["p", [{ ...task, ...changes }]]]));
  assert.deepEqual(after({ ready: false }), []);
  assert.deepEqual(after({ status: "done" }), [{ path: task.path, isNew: false }]);
  assert.deepEqual(after({ path: "p/tasks/002-b.md" }), [{ path: "p/tasks/002-b.md", isNew: true }]);
  // A project that was not there before is new as a whole.
  assert.deepEqual(changedTasks(new Map(), new Map([["p", [task]]])), []);
});
