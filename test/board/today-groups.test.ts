import assert from "node:assert/strict";
import { test } from "node:test";
import type { Task } from "../../src/board/model.ts";
import { groupTasks } from "../../src/board/views/today/groups.ts";
import { inWorkOrder, sortedBy } from "../../src/core/notes/task/order.ts";
import { listedTask } from "../fixtures/listed-task.ts";

const TODAY = "2026-02-25";

const task = (number: string, fields: Partial<Task> = {}): Task =>
  listedTask(number, { project: "shop", title: "A task", updated: TODAY, ...fields });

const numbers = (tasks: readonly Task[]) => tasks.map(({ number }) => number);

test("tasks are grouped by what matters today", () => {
  const groups = groupTasks(
    [
      task("001", { status: "in-progress" }),
      task("002", { status: "blocked", due: "2026-02-24" }),
      task("003", { status: "done", due: "2026-02-24" }),
      task("004"),
      task("005", { status: "someday" }),
    ],
    TODAY,
  );
  assert.deepEqual(numbers(groups.inProgress), ["001"]);
  assert.deepEqual(numbers(groups.blocked), ["002"]);
  assert.deepEqual(numbers(groups.due), ["002"]);
  assert.deepEqual(numbers(groups.done), ["003"]);
});

test("a task is due for a week before its date, across a month's end", () => {
  const due = ["2026-03-05", "2026-03-04", "2026-02-25", "2025-12-31"];
  const tasks = due.map((day, at) => task(`00${at}`, { due: day }));
  assert.deepEqual(numbers(groupTasks(tasks, TODAY).due), ["003", "002", "001"]);
});

test("what waits for a person comes first, urgent tasks before others", () => {
  const tasks = [
    task("001", { status: "review" }),
    task("002", { status: "in-progress", conflicts: [{ first: 1, last: 5 }] }),
    task("003", { status: "review", priority: "high" }),
    task("004", { status: "blocked" }),
    task("007", { status: "blocked", open_dependencies: ["004"] }),
    // A claim that ran out, and one that holds.
    task("005", { status: "in-progress", claimed_until: "2026-02-01" }),
    task("006", { status: "in-progress", claimed_until: "2026-03-01", held_until: "2026-03-01T23:59Z" }),
  ];
  assert.deepEqual(numbers(groupTasks(tasks, TODAY).forYou), ["003", "001", "002", "004", "005"]);
});

test("done tasks leave after a week", () => {
  const done = (number: string, updated: string) => task(number, { status: "done", updated });
  const old = [done("001", "2026-02-17"), done("002", "2026-02-18"), done("003", "2026-02-20")];
  assert.deepEqual(numbers(groupTasks(old, TODAY).done), ["003", "002"]);
});

test("a group has the order of list_tasks", () => {
  const tasks = [
    task("001", { priority: "low" }),
    task("002"),
    task("003", { priority: "high" }),
    task("004", { priority: "low", due: "2026-03-01" }),
    task("005", { due: "2026-03-02" }),
    task("1000", { priority: "high", due: "2026-03-01" }),
    task("099", { priority: "high", due: "2026-03-01" }),
  ].map((one) => ({ ...one, status: "in-progress" }));
  const listed = numbers(inWorkOrder(tasks));
  const groups = groupTasks(tasks, TODAY);
  assert.deepEqual(numbers(groups.inProgress), listed);
  assert.deepEqual(numbers(groups.due), numbers(sortedBy(groups.due, "due")));
});
