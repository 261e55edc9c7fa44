import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { parseFrontmatter } from "../../../src/core/markdown/frontmatter.ts";
import { listHeadings } from "../../../src/core/markdown/sections.ts";
import { describeDocument } from "../../../src/core/notes/document.ts";
import { checkNewFilename, parseTaskNumber } from "../../../src/core/notes/names.ts";
import { splitList } from "../../../src/core/notes/short-text.ts";
import { type NewTask, nextTaskNumber, renderTask, taskFilename } from "../../../src/core/notes/task/file.ts";
import { assertProportionate } from "../../fixtures/growth.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { hostileReference, list, reference, task } from "../../fixtures/tasks.ts";
import { anyText } from "../../fixtures/texts.ts";

const LOCATION = { project: "p", folder: "tasks", filename: "001-a.md" };
const TASK: NewTask = { title: "A", objective: "Go.", status: "pending" };
const HEAD = "# Task: A\n\nStatus: pending\n\n## Objective\nGo.\n";

const RENDERED: [name: string, part: Partial<NewTask>, expected: string][] = [
  ["nothing optional", {}, HEAD],
  [
    "null and empty parts",
    { steps: [], context: {}, notes: null, tags: [" "], acceptance_criteria: [""] },
    HEAD,
  ],
  ["steps alone", { steps: ["one", " ", "two"] }, `${HEAD}\n## Steps\n1. [ ] one\n2. [ ] two\n`],
  [
    "only files",
    { context: { related_files: ["a`b", ""] } },
    `${HEAD}\n## Context\n- Related files: \`\`a\`b\`\`\n`,
  ],
  [
    "dependencies in many forms",
    {
      context: {
        dependencies: [
          "tasks/003-a.md",
          "`003-a`",
          "#4",
          "[B](005-b.md)",
          "a,\nb",
          "none",
          "x (done, 2)",
          "001, 002",
        ],
      },
    },
    `${HEAD}\n## Context\n- Dependencies: 003-a, 4, 005-b, a, b, x, 001, 002\n`,
  ],
  [
    "steps that bring their own marks",
    {
      steps: ["- [ ] a", "2. b", "* c", "1) [x] d", "[X] e", "[f](g)", "-1", "1.5 h", "[ ]"],
      acceptance_criteria: ["- [ ] i", "- j"],
    },
    `${HEAD}\n## Steps\n${[
      "[ ] a",
      "[ ] b",
      "[ ] c",
      "[x] d",
      "[x] e",
      "[ ] [f](g)",
      "[ ] -1",
      "[ ] 1.5 h",
      "[ ] [ ]",
    ]
      .map((step, at) => `${at + 1}. ${step}\n`)
      .join("")}\n## Acceptance Criteria\n- [ ] i\n- [ ] j\n`,
  ],
  [
    "steps of several lines",
    { steps: ["a\n## Steps\n- [x] b"] },
    `${HEAD}\n## Steps\n1. [ ] a ## Steps - [x] b\n`,
  ],
  ["a title of several lines", { title: "A\nStatus: done" }, HEAD.replace("A", "A Status: done")],
  ["a title that ends in a mark", { title: "C #" }, HEAD.replace("A", "C # #")],
  ["an empty objective", { objective: "\n" }, HEAD.replace("\nGo.", "")],
  [
    "headings in the objective",
    { objective: "a\n# b\n### c\n### Steps\n- [ ] d" },
    HEAD.replace("Go.", "a\n\n\\# b\n\n### c\n\n\\### Steps\n\n- [ ] d"),
  ],
  [
    "a fence left open",
    { objective: "```\na", notes: "b" },
    `${HEAD.replace("Go.", "```\na\n```")}\n## Notes\nb\n`,
  ],
  ["notes with CRLF", { notes: "\r\na\r\nb\r\n" }, `${HEAD}\n## Notes\na\nb\n`],
  ["a tag that needs quotes", { tags: ["a, b", "1", " c\n"] }, `---\ntags: ['a, b', '1', c]\n---\n${HEAD}`],
];

for (const [name, part, expected] of RENDERED) {
  test(`a task is rendered with ${name}`, () => assert.equal(renderTask({ ...TASK, ...part }), expected));
}

const folded = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

const HEADINGS = ["## Objective", "## Context", "## Steps", "## Acceptance Criteria", "## Notes"];

test("whatever its texts hold, a task reads back with its title, status, steps and dependencies", () => {
  fc.assert(
    fc.property(task, fc.array(reference), list, (given, dependencies, related_files) => {
      const text = renderTask({ ...given, context: { dependencies, related_files } });
      const facts = describeDocument(LOCATION, text);
      const title = folded(given.title);
      fc.pre(title.length <= 300);
      assert.equal(facts.problem, null);
      assert.equal(facts.title, title === "" ? "a" : title);
      assert.equal(facts.status, given.status);
      const steps = given.steps.map(folded).filter(Boolean);
      const done = steps.filter((step) => /^(?:(?:[-*+]|\d{1,9}[.)]) )?\[x\] /i.test(step)).length;
      assert.deepEqual(facts.task?.progress, { done, total: steps.length });
      assert.deepEqual(facts.task?.dependencies, [...new Set(dependencies)]);
      assert.deepEqual(parseFrontmatter(text).data["tags"] ?? [], given.tags.map(folded).filter(Boolean));
      const sections = listHeadings(text, facts.bodyOffset).filter((heading) => /^##? /.test(heading));
      assert.deepEqual(
        sections.slice(1),
        HEADINGS.filter((heading) => sections.includes(heading)),
      );
      assert.match(text, /[^\n]\n$/);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("dependencies read back as they are written, whatever they hold", () => {
  fc.assert(
    fc.property(fc.array(hostileReference, { maxLength: 4 }), (dependencies) => {
      const text = renderTask({ ...TASK, context: { dependencies } });
      const written = /^- Dependencies: (.*)$/m.exec(text)?.[1];
      const read = describeDocument(LOCATION, text).task?.dependencies ?? [];
      assert.equal(read.length, written === undefined ? 0 : splitList(written).length);
      const again = renderTask({ ...TASK, context: { dependencies: read } });
      assert.equal(again, text);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("a huge title is cut to what a heading holds", () => {
  const title = describeDocument(LOCATION, renderTask({ ...TASK, title: "word ".repeat(100_000) })).title;
  assert.match(title, /^word .*…$/);
  assert.ok(title.length <= 300);
});

const NUMBERS: [name: string, filenames: string[], number: number][] = [
  ["no file", [], 1],
  ["files without a number", ["notes.md", "2025-02-09.md"], 1],
  ["files in any order", ["002-b.md", "010-c.md", "001-a.md"], 11],
  ["a gap", ["001-a.md", "003-c.md"], 4],
  ["a number over 999", ["999-a.md", "1000-b.md"], 1001],
  ["an archived file", ["001-a.md", "archive/007-b.md"], 8],
  ["an absurdly long number", ["001-a.md", "99999999999999999999-b.md"], 2],
  ["the last number that there is", ["001-a.md", "999999999-b.md"], 2],
];

for (const [name, filenames, number] of NUMBERS) {
  test(`the next task number after ${name} is ${number}`, () => {
    assert.equal(nextTaskNumber(filenames), number);
    assert.equal(parseTaskNumber(taskFilename(number, "a")), String(number).padStart(3, "0"));
  });
}

test("a task file is named by its number and title", () => {
  assert.equal(taskFilename(6, "Implementar tool search"), "006-implementar-tool-search.md");
  assert.equal(taskFilename(1000, "???"), "1000-task.md");
  fc.assert(fc.property(anyText, (title) => checkNewFilename(taskFilename(1, title))));
});

test("the time to render a task grows with its length", () => {
  const parts = ["# a\n", "a\n===\n", "---\n", "`", "(", ".md", ",", "[", "\n"];
  const render = (text: string) => {
    const context = { related_files: [text], dependencies: [text] };
    return renderTask({ ...TASK, title: text, objective: text, steps: [text], notes: text, context });
  };
  assertProportionate(parts, render, 50_000);
});
