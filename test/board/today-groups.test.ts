import assert from "node:assert/strict";
import { test } from "node:test";
import type { Task } from "../../src/board/model.ts";
import { groupTasks, waitsForYou } from "../../src/board/views/today/groups.ts";
import { byUrgency } from "../../src/core/notes/task/order.ts";
import { listedTask } from "../fixtures/listed-task.ts";

const TODAY = "2026-02-25";

const task = (number: string, fields: Partial<Task> = {}): Task =>
  listedTask(number, { project: "shop", title: "A task", updated: TODAY, ...fields });

const numbers = (tasks: readonly Task[]) => tasks.map(({ number }) => number);

test("each task that matters today is in one group: what is due first", () => {
  const waits = { status: "blocked", dependencies: ["001-task"], open_dependencies: ["001-task"] };
  const { planned, inProgress, stuck, underWay } = groupTasks(
    [
      task("001", { status: "in-progress" }),
      task("002", { status: "blocked", due: "2026-02-24" }),
      task("003", { status: "done", due: "2026-02-24" }),
      task("004"),
      task("005", { status: "someday", due: TODAY, priority: "high" }),
      task("006", { status: "in-progress", due: "2026-02-26" }),
      task("007", { status: "blocked" }),
      // By a task that is under way, and by one that is not, too.
      task("008", waits),
      task("009", { ...waits, open_dependencies: ["001-task", "004-task"] }),
    ],
    TODAY,
  );
  assert.deepEqual([planned, inProgress, stuck].map(numbers), [
    ["005", "002"],
    ["006", "001"],
    ["007", "009"],
  ]);
  assert.equal(underWay, 1);
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
  assert.deepEqual(numbers(byUrgency(tasks.filter(waitsForYou))), ["003", "001", "002", "004", "005"]);
});
