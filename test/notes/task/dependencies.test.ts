import assert from "node:assert/strict";
import test from "node:test";
import {
  closedByKey,
  missingDependencies,
  openDependencies,
} from "../../../src/core/notes/task/dependencies.ts";

const task = (filename: string, status: string | null, ...dependencies: string[]) => ({
  filename,
  status,
  dependencies,
});

const OTHERS = [task("003-setup.md", "done"), task("004-build.md", "in-progress"), task("notes.md", "done")];

type Task = ReturnType<typeof task>;

/** What stays open for each of the tasks of a project. */
const openOf = (tasks: readonly Task[]) => tasks.map((one) => openDependencies(one, closedByKey(tasks)));

/** What stays open of `references` for a pending task 009 beside the others. */
const open = (...references: string[]) => openOf([...OTHERS, task("009-me.md", "pending", ...references)])[3];

test("a dependency that is done is closed, however it is written", () => {
  for (const reference of [
    "3",
    "#3",
    "003-setup",
    "003-renamed",
    "tasks/003-setup.md",
    "003-SETUP",
    "003: Set up 2 disks",
  ]) {
    assert.deepEqual(open(reference), [], reference);
  }
});

test("a dependency that is not done is open, as it was written", () => {
  for (const reference of ["4", "004", "#4", "004-build", "004-build.md"])
    assert.deepEqual(open(reference), [reference]);
});

test("two numbers in one reference are no reference to the first", () => {
  for (const reference of ["003 004", "003 and 004"]) assert.deepEqual(open(reference), [reference]);
});

test("a number in front of other words is a task's only in the form of a task number", () => {
  const words = ["3 days of work", "3 Setup", "10: words", "10:30"];
  assert.deepEqual(open(...words, "003 Setup"), words);
});

test("a file with spaces in its name has its number", () => {
  const tasks = [task("012 Set up 2 disks.md", "done"), task("013-b.md", "pending", "12", "013")];
  assert.deepEqual(openOf(tasks)[1], []);
  assert.deepEqual(missingDependencies(["012", "014"], closedByKey(tasks)), ["014"]);
});

test("a missing dependency is open", () => {
  assert.deepEqual(open("17", "setup"), ["17", "setup"]);
});

test("a dependency is missing if no task has its name or number", () => {
  const missing = (...references: string[]) => missingDependencies(references, closedByKey(OTHERS));
  assert.deepEqual(missing("3", "tasks/003-renamed.md", "004-build", "Notes.md"), []);
  assert.deepEqual(missing("3", "17", "setup", "003 004"), ["17", "setup", "003 004"]);
});

test("a task without a number is found by its name", () => {
  assert.deepEqual(open("notes", "Notes.md"), []);
});

test("a task of another project is missing, whatever has its name or number here", () => {
  const references = ["q/tasks/003-setup", "q/archive/tasks/009-me"];
  assert.deepEqual(open(...references), references);
  assert.deepEqual(missingDependencies(references, closedByKey(OTHERS)), references);
});

test("a task's own number is ignored", () => {
  assert.deepEqual(open("9", "009", "#9", "009-me", "009-old-name"), []);
});

test("a task without a number may name itself, too", () => {
  assert.deepEqual(openOf([task("setup.md", "pending", "setup")])[0], []);
});

test("a number that two files carry is open unless both are done, but an exact name is exact", () => {
  const twins = [
    task("003-a.md", "done"),
    task("003-b.md", "pending"),
    task("004-c.md", "pending", "3", "003-a", "003-b"),
  ];
  assert.deepEqual(openOf(twins)[2], ["3", "003-b"]);
  const [done, ...rest] = twins;
  assert.deepEqual(openOf([...rest, ...(done ? [done] : [])])[1], ["3", "003-b"]);
  const both = twins.map((twin) => (twin.filename === "003-b.md" ? { ...twin, status: "done" } : twin));
  assert.deepEqual(openOf(both)[2], []);
});

test("names of the object prototype are no tasks", () => {
  assert.deepEqual(open("constructor", "__proto__"), ["constructor", "__proto__"]);
});

test("10,000 tasks that depend on each other are resolved", () => {
  const tasks = Array.from({ length: 10_000 }, (_, at) =>
    task(`${at}-x.md`, "pending", String(at + 1), String(at - 1)),
  );
  const done = closedByKey(tasks);
  const open = tasks.map((one) => openDependencies(one, done).length);
  assert.equal(Math.max(...open), 2);
});
