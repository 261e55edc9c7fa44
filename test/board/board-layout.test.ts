import assert from "node:assert/strict";
import { test } from "node:test";
import { listOf } from "../../src/board/fields.ts";
import type { Task } from "../../src/board/model.ts";
import { layoutOf } from "../../src/board/views/board/layout.ts";
import { sortTable, TABLE_COLUMNS, tableSortOf } from "../../src/board/views/board/table-order.ts";
import { changedTags } from "../../src/board/views/board/tasks.ts";
import { inWorkOrder } from "../../src/core/notes/task/order.ts";
import { listedTask as task } from "../fixtures/listed-task.ts";

const numbers = (tasks: readonly Task[]) => tasks.map(({ number }) => number);

test("an address names a layout, or an unknown one, which is the usual one", () => {
  assert.equal(layoutOf("table"), "table");
  assert.equal(layoutOf("constructor"), undefined);
});

test("each column sorts, and what is empty comes last", () => {
  const tasks = [
    task("001", { title: "b", due: "2026-02-01", tags: ["x"], progress: { done: 1, total: 2 } }),
    task("002", { title: "C", owner: "ana", priority: "low", status: "blocked" }),
    task("003", { title: "a", owner: "Ben", priority: "high", due: "2026-01-01", updated: "2026-02-02" }),
    task("004", {
      title: "d",
      status: "done",
      due: "2025-01-01",
      tags: ["a"],
      progress: { done: 2, total: 2 },
    }),
  ];
  const sorted = (text: string) => numbers(sortTable(tasks, tableSortOf(text)));
  assert.deepEqual(sorted("title"), ["003", "001", "002", "004"]);
  assert.deepEqual(sorted("due").slice(0, 2), ["003", "001"]);
  assert.deepEqual(sorted("priority").slice(0, 2), ["003", "002"]);
  assert.deepEqual(sorted("tags").slice(0, 2), ["004", "001"]);
  assert.deepEqual(sorted("progress").slice(0, 2), ["001", "004"]);
  assert.equal(sorted("updated")[0], "003");
  assert.deepEqual(sorted("-title"), numbers(inWorkOrder(tasks)));
  assert.deepEqual(sorted(""), numbers(inWorkOrder(tasks)));
  assert.deepEqual(sorted("status"), numbers(inWorkOrder(tasks)));
  assert.equal(tableSortOf("constructor"), undefined);
  for (const column of TABLE_COLUMNS) assert.equal(sorted(column).length, tasks.length);
});

test("tags are added and removed whatever their case, and those that stay keep theirs", () => {
  assert.deepEqual(changedTags(["api", "UI"], ["Api", "new"], ["ui"]), ["api", "new"]);
  assert.deepEqual(changedTags([], ["a", "A", "b"], ["b"]), ["a"]);
  assert.deepEqual(listOf("a, #b、c，a,,"), ["a", "b", "c"]);
});
