import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planDrift } from "../../../src/core/notes/plan/drift.ts";
import { assertProportionate } from "../../fixtures/growth.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { anyText } from "../../fixtures/texts.ts";

const task = (name: string, status: string | null) => ({
  filename: `${name}.md`,
  number: /^\d+/.exec(name)?.[0] ?? null,
  status,
});

const TASKS = [
  task("001-schema", "done"),
  task("002-login", "done"),
  task("003-limits", "in-progress"),
  task("004-webhooks", "pending"),
  task("notes", "blocked"),
];

const drift = (lines: string, tasks = TASKS) =>
  planDrift(`# Plan\n\n## Current Status\n${lines}\n`, 0, tasks);

const ALIKE = [
  "- done: 001, 002-login\n- in-progress: `003`\n- pending: [Webhooks](../tasks/004-webhooks.md)\n- blocked: notes",
  "- done: [[p/tasks/001-schema]], p/tasks/002-login.md\n- in-progress: 1\n- pending: 1\n- blocked: 1",
  "Done: 2\nIn progress: 1\nPending: 1\nBlocked: 1",
  "Done: 2",
  "- Done: #1, Task 2\n- In progress: 1\n- Pending: 1\n- Blocked: 1",
  "- hecho: 1, 2, the design\n- en curso: 003\n- pendiente: 004\n- bloqueado: notes",
  "All is well.",
];

for (const lines of ALIKE) {
  test(`${JSON.stringify(lines)} agrees with the tasks`, () => assert.deepEqual(drift(lines), []));
}

test("a plan may name and count archived tasks, or leave them out", () => {
  const tasks = [...TASKS, { ...task("000-idea", "done"), archived: true }];
  for (const lines of [
    "Done: 2",
    "Done: 3",
    "- done: 000, 001, 002\n- in-progress: 1\n- pending: 1\n- blocked: 1",
  ])
    assert.deepEqual(drift(lines, tasks), []);
  assert.deepEqual(drift("Done: 4", tasks), ["done: 4 in the plan, 2 in fact"]);
});

const DIFFERENT: [lines: string, drift: string[]][] = [
  [
    "- done: -\n- pending: 001, 002, 003, 004\n- blocked: notes",
    ["listed under pending, but done: 001, 002", "listed under pending, but in-progress: 003"],
  ],
  [
    "- done: 001, 002, 042, 043-x\n- in-progress: 003\n- pending: 004\n- blocked: notes",
    ["listed under done, but no such task: 042, 043-x"],
  ],
  [
    "- done: 001",
    [
      "done, but not listed: 002",
      "in-progress, but not listed: 003",
      "pending, but not listed: 004",
      "blocked, but not listed: notes",
    ],
  ],
  [
    "- done: 5\n- pending: 0\n- blocked: 1",
    ["pending: 0 in the plan, 1 in fact", "done: 5 in the plan, 2 in fact"],
  ],
  [
    "- done: 1\n- done: 001\n- blocked: 2 tasks",
    ["in-progress, but not listed: 003", "pending, but not listed: 004", "blocked: 2 in the plan, 1 in fact"],
  ],
];

for (const [lines, expected] of DIFFERENT) {
  test(`${JSON.stringify(lines)} differs from the tasks`, () => assert.deepEqual(drift(lines), expected));
}

test("tasks of other statuses, or none, are named as they are", () => {
  const tasks = [task("001-a", "someday"), task("002-b", null), task("003-c", "later `x`")];
  assert.deepEqual(drift("- done: 001, 002, 003", tasks), [
    "listed under done, but 'someday': 001",
    "listed under done, but without a status: 002",
    "listed under done, but 'later `x`': 003",
  ]);
});

test("of tasks that share a number, one in the status is enough", () => {
  const tasks = [task("001-a", "done"), task("001-b", "pending")];
  assert.deepEqual(drift("- done: 001", tasks), []);
  assert.deepEqual(drift("- blocked: 001", tasks), ["listed under blocked, but done: 001"]);
});

test("a plan without Current Status says nothing wrong", () => {
  assert.deepEqual(planDrift("# Plan\n- done: 042\n", 0, TASKS), []);
  assert.deepEqual(planDrift("", 0, TASKS), []);
});

test("long differences are shortened", () => {
  const many = Array.from({ length: 30 }, (_, at) => task(`${100 + at}-x`, "done"));
  const [only, ...rest] = drift("- done: -", many);
  assert.deepEqual(rest, []);
  assertTells(only ?? "", ["100", "109", "20"]);
  const odd = many.map((each, at) => ({ ...each, status: `status ${at}` }));
  const all = drift(`- done: ${odd.map(({ number }) => number).join(", ")}`, odd);
  assert.deepEqual([all.length, all.at(-1)], [21, "and 10 more"]);
});

test("no plan makes it throw", () => {
  fc.assert(fc.property(anyText, (text) => drift(`- done: ${text}`).length <= 21));
});

test("the time to compare grows with the length of the plan", () => {
  assertProportionate(["001,", "042-x,", "done: 1\n"], (text) => drift(`- done: ${text}`), 50_000);
});
