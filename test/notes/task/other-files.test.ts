import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { describeDocument, isTask, isTaskPath, locateDocument } from "../../../src/core/notes/document.ts";
import { formatTaskNumber, isDated, parseTaskNumber, withTaskNumber } from "../../../src/core/notes/names.ts";
import { originalsOf } from "../../../src/core/notes/task/copies.ts";
import { taskFilename } from "../../../src/core/notes/task/file.ts";
import { numRuns } from "../../fixtures/num-runs.ts";

const NUMBERS: [name: string, number: string | null, renamed?: string][] = [
  ["004-setup.md", "004", "099-setup.md"],
  ["task-12 - Fix login.md", "12", "task-099 - Fix login.md"],
  ["Task 12 Fix.md", "12", "Task 099 Fix.md"],
  ["tarea-3.md", "3", "tarea-099.md"],
  ["タスク12 直す.md", "12", "タスク099 直す.md"],
  ["15. other.md", "15", "099. other.md"],
  ["12、修复.md", "12", "099、修复.md"],
  ["12.修复.md", "12", "099.修复.md"],
  ["sub/task-12.md", "12", "sub/task-099.md"],
  ["005-2026-03-01.md", "005"],
  ["2026-03-launch.md", "2026"],
  ["1.5 hours.md", null],
  ["taskforce-1.md", null],
  ["3d-view.md", null],
];

const DATED = [
  "2026-03-01-standup.md",
  "20260301-meeting.md",
  "202603011530 zettel.md",
  "20260301T1530.md",
  "2026.03.01.md",
  "01.03.2026 x.md",
  "202603-plan.md",
  "2026-W10.md",
];

test("the number of a task is found in every form that people give, and none in a date", () => {
  for (const [name, number, renamed] of NUMBERS) {
    assert.equal(parseTaskNumber(name), number, name);
    if (renamed !== undefined) assert.equal(withTaskNumber(name, "099"), renamed);
    assert.ok(!isDated(name), name);
  }
  for (const name of DATED) {
    assert.ok(isDated(name), name);
    assert.equal(parseTaskNumber(name), null, name);
    assert.equal(withTaskNumber(name, "099"), name);
  }
});

test("a name that this program gives a task reads back with its number, whatever the title", () => {
  const title = fc.oneof(
    fc.string(),
    fc.constantFrom("03", "03 01 x", "W10", "Q1", "03.01", "template", "README"),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), title, fc.boolean(), (many, text, isYear) => {
      const number = isYear ? 1900 + (many % 200) : many;
      const name = taskFilename(number, text);
      if (/^(?:19|20)\d{4}(?:\d\d)?$/.test(String(number))) return;
      assert.equal(parseTaskNumber(name), formatTaskNumber(number), name);
      assert.ok(isTaskPath(`p/tasks/${name}`), name);
    }),
    { numRuns: numRuns(5000) },
  );
});

const OTHERS = [
  "README.md",
  "index.md",
  "_index.md",
  "índice.md",
  "sub/README.md",
  "AGENTS.md",
  "TEMPLATE.md",
  "000-template.md",
  "plantilla.md",
  "テンプレート.md",
  "task.template.md",
  "templates/bug.md",
];

const TASKS = ["007-template.md", "008-readme.md", "readme-badge.md", "003-x.md"];

test("templates, overviews and pages for agents are no tasks, also in the archive", () => {
  for (const name of OTHERS) {
    assert.ok(!isTaskPath(`p/tasks/${name}`), name);
    assert.ok(!isTaskPath(`p/archive/tasks/${name}`), name);
    const facts = factsOf(name, "# Task: {{title}}\n\nStatus: pending\n");
    assert.deepEqual([facts.task, facts.type], [null, null], name);
  }
  for (const name of TASKS) assert.ok(isTaskPath(`p/tasks/${name}`), name);
});

function factsOf(name: string, text: string) {
  const location = locateDocument(`p/tasks/${name}`);
  assert.ok(location !== null);
  return describeDocument(location, text);
}

test("a note of a day among tasks is one if it has a status, without a number", () => {
  for (const name of DATED) {
    assert.equal(factsOf(name, "# Meeting\n\nnotes\n").task, null);
    const facts = factsOf(name, "# Task: A\n\nStatus: pending\n");
    assert.deepEqual([facts.task?.number, facts.status], [null, "pending"], name);
  }
  assert.ok(isTask({ project: "p", folder: "tasks", filename: "2026-03-01.md" }));
});

const COPIES = [
  "002-a.sync-conflict-20260301-101500-ABCDEFG.md",
  "002-a (Ana's conflicted copy 2026-03-01).md",
  "002-a (conflicted copy 2026-03-01 101500).md",
  "002-a (Ana 的冲突副本 2026-03-01).md",
  "002-a (Case Conflict).md",
  "002-a (SFConflict ana@example.org 2026-03-01-10-15-00).md",
  "002-a [Conflict].md",
  "002-a_conflict-20260301-101500.md",
  "002-a.Conflict.md",
  "002-a.variant-1a2b.md",
  "002-a 2.md",
  "002-A 3.md",
  "002-a(1).md",
  "002-a - Copy.md",
  "002-a - コピー.md",
  "002-aのコピー.md",
  "002-a의 사본.md",
  "002-a (another copy).md",
  "002-a_LOCAL_12345.md",
  "002-a.REMOTE.12345.md",
  "002-a.orig.md",
  "002-a的副本.md",
  "002-a 拷贝.md",
  "002-a-DESKTOP-7F3K2L1.md",
  "002-a-LAPTOP.md",
  "002-a-Anas-MacBook-Pro.md",
];

test("a copy that another program left is known beside its original, archived or not, of the same name", () => {
  for (const name of COPIES) {
    for (const original of ["p/tasks/002-a.md", "p/archive/tasks/002-a.md"]) {
      const copy = `p/tasks/${name}`;
      assert.equal(originalsOf(named(copy, original)).get(copy)?.path, original, name);
      assert.deepEqual(originalsOf(named(copy)), new Map(), name);
      assert.deepEqual(originalsOf(named(copy, "p/tasks/003-a.md", "q/tasks/002-a.md")), new Map(), name);
    }
  }
});

test("a mark that no author writes tells a copy of a task that was renamed, too", () => {
  const copy = `p/tasks/${COPIES[0]}`;
  const other = `p/tasks/${COPIES[1]}`;
  assert.equal(originalsOf(named(copy, other, "p/tasks/002-b.md")).get(copy)?.path, "p/tasks/002-b.md");
  assert.deepEqual(originalsOf(named(copy, other)), new Map());
});

const NO_COPIES: [name: string, original: string][] = [
  ["002-a-page.md", "002-a.md"],
  ["002-a-API.md", "002-a.md"],
  ["002-a-2.md", "002-a.md"],
  ["002-a_b.md", "002-a.md"],
  ["002-a部.md", "002-a.md"],
  ["002-b 2.md", "002-a.md"],
  ["Phase 2.md", "Phase.md"],
  ["003-merge-conflict.md", "003-merge.md"],
];

test("other documents with a longer name are none, nor is one without a number that has a title of its own", () => {
  for (const pair of NO_COPIES) {
    const [name, original] = pair.map((one) => ({ path: `p/tasks/${one}`, title: one }));
    assert.deepEqual(originalsOf([name, original] as { path: string; title: string }[]), new Map(), pair[0]);
  }
  const phases = ["Phase 2.md", "Phase.md"].map((one) => ({ path: `p/tasks/${one}`, title: "Phase" }));
  assert.equal(originalsOf(phases).size, 1);
});

function named(...paths: string[]) {
  return paths.map((path) => ({ path }));
}
