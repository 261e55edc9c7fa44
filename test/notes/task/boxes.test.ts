import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mergeNotes } from "../../../src/core/notes/merge/merge.ts";
import { changeTask } from "../../../src/core/notes/task/edit.ts";
import { renderTask } from "../../../src/core/notes/task/file.ts";
import { findBoxes, nextStep, openBoxes, parseTask } from "../../../src/core/notes/task/task.ts";
import { numRuns } from "../../fixtures/num-runs.ts";

const steps = (lines: string) => `# Task: A\n\nStatus: pending\n\n## Steps\n${lines}`;

const MARKS: [marks: string, done: number, total: number][] = [
  ["x X ✓ ✔ ✔️ ☑ ✅ ｘ", 1, 1],
  ["- ~", 0, 0],
  ["/ > < ! ? * o i 1 . b ★ 🔥 \u3000", 0, 1],
];

for (const [marks, done, total] of MARKS)
  for (const mark of marks.split(" "))
    test(`[${mark}] counts as ${done} of ${total}`, () => {
      assert.deepEqual(parseTask(steps(`- [${mark}] a\n`), 0).progress, { done, total });
      const before = steps(`- [${mark}] a\n- [ ] b\n`);
      const { text, lines } = changeTask(before, { done_steps: [2] });
      assert.deepEqual([text, lines], [before.replace("[ ] b", "[x] b"), ["- [x] b"]]);
    });

test("what is no single mark in brackets is no box", () => {
  const text = steps("- []a\n- [] b\n- [  ] c\n- [x ] d\n- [ ]e\n- [x](f)\n- [[a]] g\n- [xx] h\n");
  assert.deepEqual(findBoxes(text, 0, "steps"), []);
});

test("acceptance criteria are no steps, in any language of the notes", () => {
  const names = [
    "Acceptance Criteria",
    "Criterios de aceptación",
    "受け入れ基準",
    "Akzeptanzkriterien",
    "Critères d'acceptation",
    "Critérios de aceitação",
    "验收标准",
  ];
  for (const name of names) {
    const text = `# Task: A\n\n## ${name}\n- [ ] a\n\n## Work\n- [x] b\n`;
    assert.deepEqual(parseTask(text, 0).progress, { done: 1, total: 1 }, name);
  }
});

const NUMBERS: [name: string, lines: string, numbers: number[]][] = [
  ["numbered", "1. [x] a\n2. [-] b\n3. [/] c", [1, 2, 3]],
  ["a step without a box between", "1. [x] a\n2. b\n3. [ ] c", [1, 3]],
  ["from 0", "0. [ ] a\n1. [ ] b", [0, 1]],
  ["nested bullets", "1. [ ] a\n   - [ ] b\n2. [ ] c\n   - [ ] d", [1, 3, 2, 4]],
  ["one number for all", "1. [ ] a\n1. [ ] b\n1. [ ] c", [1, 2, 3]],
  ["two lists", "### A\n1. [ ] a\n2. [ ] b\n### B\n1. [ ] c", [1, 2, 3]],
  ["a bullet among numbers", "- [ ] a\n1. [ ] b\n2. [ ] c", [1, 2, 3]],
];

for (const [name, lines, numbers] of NUMBERS)
  test(`steps have the numbers that one reads: ${name}`, () => {
    const boxes = findBoxes(steps(lines), 0, "steps");
    assert.deepEqual(
      boxes.map(({ number }) => number),
      numbers,
    );
    for (const { number, text } of boxes) {
      const edited = changeTask(steps(lines), { done_steps: [number] });
      assert.ok(
        edited.lines.every((line) => line.endsWith(`[x] ${text}`)),
        name,
      );
    }
  });

test("a mark that is no tick stays when its step is opened, and a dropped one is to do again", () => {
  const text = steps("- [/] a\n- [-] b\n- [X] c\n");
  assert.equal(changeTask(text, { open_steps: [1] }).text, text);
  assert.equal(changeTask(text, { open_steps: [1, 2, 3] }).text, steps("- [/] a\n- [ ] b\n- [ ] c\n"));
  assert.deepEqual(openBoxes(text, 0).steps, [1]);
  assert.equal(nextStep(text, 0), "a");
});

test("a new task keeps the marks of its steps", () => {
  const text = renderTask({
    title: "A",
    objective: "",
    status: "pending",
    steps: ["- [/] a", "[-] b", "3. c"],
  });
  assert.match(text, /1\. \[\/\] a\n2\. \[-\] b\n3\. \[ \] c\n/);
});

test("a merge takes the tick of one side and the mark of the other, and a contradiction stands", () => {
  const merge = (base: string, ours: string, theirs: string) =>
    mergeNotes(
      {
        base: steps(`- [${base}] a\n- [ ] b\n`),
        ours: steps(`- [${ours}] a\n- [ ] b\n`),
        theirs: steps(`- [${theirs}] a\n- [x] b\n`),
      },
      { isSession: false },
    );
  for (const [base, ours, theirs, merged] of [
    [" ", "-", " ", "-"],
    [" ", "/", "x", "x"],
    ["/", "/", "-", "-"],
    ["-", " ", "-", " "],
  ] as const)
    assert.deepEqual(merge(base, ours, theirs), { text: steps(`- [${merged}] a\n- [x] b\n`), conflicts: 0 });
  assert.equal(merge(" ", "-", "x").conflicts, 1);
});

test("a tick changes one mark, and opening it gives the bytes back", () => {
  const item = fc.tuple(
    fc.constantFrom("1. ", "2. ", "10) ", "- ", "* ", "   - ", "> - "),
    fc.constantFrom("[ ]", "[/]", "[>]", "[-]", "[x]", "[✔️]", "[]", "[xx]", ""),
    fc.constantFrom("a", "b [due:: 2026-12-01] ^id", "c 📅 2026-12-01 ⏫", "![[d]] %%x%%", "#e/f `[ ]`"),
  );
  const property = fc.property(fc.array(item, { minLength: 1 }), fc.nat(), (items, at) => {
    const before = steps(items.map((parts) => parts.join("")).join("\n"));
    const boxes = findBoxes(before, 0, "steps");
    const box = boxes[at % Math.max(1, boxes.length)];
    if (box === undefined) return;
    const { text } = changeTask(before, { done_steps: [box.number] });
    assert.equal(findBoxes(text, 0, "steps").find(({ number }) => number === box.number)?.isDone, true);
    const { markAt, mark } = box;
    const back = text.slice(0, markAt) + mark + text.slice(markAt + (box.isDone ? mark.length : 1));
    assert.equal(back, before);
  });
  fc.assert(property, { numRuns: numRuns(10_000) });
});
