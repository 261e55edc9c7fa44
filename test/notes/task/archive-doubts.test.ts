import assert from "node:assert/strict";
import test from "node:test";
import { archiveDoubts, doubtsInWords } from "../../../src/core/notes/task/archive-doubts.ts";

const task = (filename: string, status: string | null, ...dependencies: string[]) => ({
  filename,
  status,
  dependencies,
});

const TASKS = [
  task("001-setup.md", "done"),
  task("002-build.md", "in-progress", "1"),
  task("002-other.md", "pending"),
  task("003-ship.md", "pending", "002-build"),
  task("004-tell.md", "done", "002-build"),
  task("005-sell.md", null, "002-build.md", "003"),
];

/** What speaks against archiving the tasks at these places. */
const doubts = (...places: number[]) =>
  doubtsInWords(
    archiveDoubts(
      places.flatMap((at) => TASKS[at] ?? []),
      TASKS,
    ),
  );

test("nothing speaks against archiving what is done, whatever depends on it", () => {
  assert.equal(doubts(0, 4), "");
  assert.equal(doubts(), "");
});

test("what is not done is named with the open tasks that wait for it, without those that go with it", () => {
  assert.equal(doubts(1), "Not done: 002-build.md. Waiting for it: 003-ship.md, 005-sell.md.");
  assert.equal(doubts(0, 1, 3), "Not done: 002-build.md, 003-ship.md. Waiting for them: 005-sell.md.");
  assert.equal(doubts(2), "Not done: 002-other.md.");
});
