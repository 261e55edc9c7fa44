import assert from "node:assert/strict";
import { test } from "node:test";
import { actOf, itemOf, runsOf, writerOf } from "../../src/board/activity/groups.ts";
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

const told = (entries: readonly Entry[]) =>
  runsOf(entries).map((run) => [run[0].writer.name, actOf(run[0]), run.map(({ path }) => path).join(" ")]);

test("changes of one writer to one document are one until a pause of half an hour, or a change by others", () => {
  const entries = [
    entry(100, CLAUDE),
    entry(50, CLAUDE, { path: "p/b.md" }),
    entry(45, BOARD),
    entry(40, CLAUDE, { status: ["pending", "done"], did: [{ what: "ticked", to: "B" }] }),
    entry(30, CLAUDE, { tool: "claim_task", did: [{ what: "owner", to: "claude" }] }),
    entry(20, CLAUDE, { did: [{ what: "ticked", to: "A" }] }),
  ];
  assert.deepEqual(told(entries), [
    ["claude-code", "replaced", "p/a.md"],
    ["claude-code", "replaced", "p/b.md"],
    ["board", "replaced", "p/a.md"],
    ["claude-code", "finished", "p/a.md"],
  ]);
  const [item] = runsOf(entries).at(-1) ?? assert.fail();
  assert.deepEqual(item.changes, ["6", "5", "4"]);
  assert.deepEqual(
    item.did.map(({ to }) => to),
    ["A", "B"],
  );
  assert.equal(item.start, entry(20, CLAUDE).time);
});

test("three alike changes of one writer in one project stand together, but for one that says something", () => {
  const done = (minute: number, number: number, more: Partial<Entry> = {}) =>
    entry(minute, CLAUDE, { path: `p/tasks/00${number}-a.md`, status: ["pending", "done"], ...more });
  assert.deepEqual(
    told([
      done(9, 5, { did: [{ what: "ticked", to: "A" }] }),
      entry(8, BOARD, { path: "p/tasks/004-a.md" }),
      done(7, 4),
      done(6, 3, { did: [{ what: "noted", to: "By hand" }] }),
      done(5, 2),
      done(4, 1, { path: "q/tasks/001-a.md" }),
    ]),
    [
      ["claude-code", "finished", "p/tasks/005-a.md p/tasks/004-a.md p/tasks/002-a.md"],
      ["board", "replaced", "p/tasks/004-a.md"],
      ["claude-code", "finished", "p/tasks/003-a.md"],
      ["claude-code", "finished", "q/tasks/001-a.md"],
    ],
  );
  const high = [1, 2, 3].map((number) =>
    done(number, number, { status: undefined, did: [{ what: "priority", to: "high" }] }),
  );
  assert.equal(runsOf(high.reverse()).length, 1);
  assert.equal(runsOf(high.map((one, at) => ({ ...one, did: [{ what: "due", to: `${at}` }] }))).length, 3);
});

test("agents with one client have names of their own; a command with a name is an agent's", () => {
  const entries = [
    entry(3, { ...CLAUDE, agent: "ana" }),
    entry(2, { ...CLAUDE, agent: "ben" }),
    entry(1, { client: "vibe-mcp status", person: true }),
    entry(1, { client: "ana/vibe-mcp board", person: true }),
    entry(1, { client: "vibe-mcp status" }),
    entry(0, { client: "vibe-mcp status", agent: "ben" }),
    entry(0, { client: "" }, { isOutside: true }),
  ];
  assert.deepEqual(
    entries.map(writerOf).map(({ name, kind }) => `${kind} ${name}`),
    [
      "agent ana",
      "agent ben",
      "person status",
      "person ana/board",
      "agent vibe-mcp status",
      "agent ben",
      "outside ",
    ],
  );
});

test("a change of several files is one item: what moved, and how many documents followed", () => {
  const change = "1";
  const moved = { change, tool: "archive_tasks", kind: "moved" } as const;
  const [run, ...others] = runsOf([
    entry(1, CLAUDE, { ...moved, path: "p/archive/tasks/001-a.md", moved_from: "p/tasks/001-a.md" }),
    entry(1, CLAUDE, { ...moved, path: "p/tasks/001-a.md", moved_to: "p/archive/tasks/001-a.md" }),
    entry(1, CLAUDE, { change, path: "p/status.md" }),
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual(
    run?.map((item) => [item.path, actOf(item), item.others]),
    [["p/archive/tasks/001-a.md", "archive", 1]],
  );
});

test("a change is called by the status that it led to, else by its tool, or by what became of the file", () => {
  const acts: [string, Partial<Entry>][] = [
    ["handedIn", { status: ["in-progress", "review"] }],
    ["approved", { status: ["review", "done"] }],
    ["returned", { status: ["review", "pending"] }],
    ["replaced", { status: ["pending", "blocked"], tool: "tool_update_task_status" }],
    ["claim", { status: ["pending", "in-progress"], tool: "claim_task" }],
    ["noted", { did: [{ what: "noted", to: "A" }], tool: "update_task_status" }],
    ["restore", { status: ["done", "pending"], tool: "restore_doc" }],
    ["session", { kind: "created", path: "p/sessions/2026-02-09.md" }],
    ["deleted", { tool: "constructor", kind: "deleted" }],
  ];
  for (const [act, more] of acts) assert.equal(actOf(itemOf(entry(0, CLAUDE, more))), act);
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
