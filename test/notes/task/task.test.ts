import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { nextStep, parseTask, relatedFiles } from "../../../src/core/notes/task/task.ts";
import { assertProportionate } from "../../fixtures/growth.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { anyText } from "../../fixtures/texts.ts";

const GENERATED = `---
tags: [backend, fts5, search]
---
# Task: Implementar tool search

Status: pending

## Objective
Implementar la tool search con FTS5 y ranking inteligente.

## Context
- Related files: \`src/tools/search.py\`, \`src/db/fts.py\`
- Dependencies: 003-disenar-schema-sqlite

## Steps
1. [ ] Crear función de búsqueda en SQLite
2. [x] Implementar cálculo de ranking con boosts

## Acceptance Criteria
- [ ] Búsqueda devuelve resultados relevantes

## Notes
Usar BM25 nativo de FTS5.
`;

test("a task in the generated format is read whole", () => {
  assert.deepEqual(parseTask(GENERATED, 38), {
    title: "Implementar tool search",
    objective: "Implementar la tool search con FTS5 y ranking inteligente.",
    progress: { done: 1, total: 2 },
    dependencies: ["003-disenar-schema-sqlite"],
  });
});

test("an empty text is a task without anything", () => {
  assert.deepEqual(parseTask("", 0), {
    title: null,
    objective: null,
    progress: { done: 0, total: 0 },
    dependencies: [],
  });
});

const TITLES: [text: string, title: string | null][] = [
  ["# Task: A b", "A b"],
  ["# Task 004: A", "A"],
  ["# タスク：設計", "設計"],
  ["# Taskmaster: A", "Taskmaster: A"],
  ["# Notes\n\n# Task: A", "A"],
  ["# Task:\n\n# More", null],
  ["# Notes\n\n# Task:", "Notes"],
  ["Task: A\n===", "A"],
];

for (const [text, title] of TITLES) {
  test(`the title of ${JSON.stringify(text)} is ${title}`, () =>
    assert.equal(parseTask(text, 0).title, title));
}

test("an objective takes its subsections and at most 1,000 characters", () => {
  assert.equal(parseTask("## Objetivo\n\na\n\n### b\nc\n\n## d", 0).objective, "a\n\n### b\nc");
  assert.equal(parseTask("## 目的\n検索", 0).objective, "検索");
  const long = parseTask(`## Objective\n${"word ".repeat(1000)}`, 0).objective ?? "";
  assert.ok(long.length <= 1000 && long.length > 900);
  assert.match(long, /word…$/);
});

const STEPS: [name: string, body: string, done: number, total: number][] = [
  ["numbers", "1. [x] a\n2) [X] b\n10. [ ] c", 2, 3],
  ["nested items", "- [x] a\n    - [x] b\n\t- [ ] c", 2, 3],
  ["subsections", "### One\n- [x] a\n### Two\n- [ ] b", 1, 2],
  ["boxes that are no list items", "[x] a\ntext [ ] b", 0, 0],
  ["links", "- [x](a.md)\n- [ ]a", 0, 0],
  ["a fence", "- [ ] a\n```\n- [x] b\n```", 0, 1],
  ["the next section", "- [ ] a\n\n## Acceptance Criteria\n- [x] b", 0, 1],
];

for (const [name, body, done, total] of STEPS) {
  test(`steps are counted with ${name}`, () => {
    for (const heading of ["Steps", "Pasos", "手順", "ステップ"]) {
      assert.deepEqual(parseTask(`## ${heading}\n${body}`, 0).progress, { done, total });
    }
  });
}

const WITHOUT_STEPS: [name: string, text: string, done: number, total: number][] = [
  ["Tasks", "# Task: A\n\n## Tasks\n- [x] a\n- [ ] b", 1, 2],
  ["phases", "# A\n\n## Phase 1\n- [x] a\n### Part\n- [ ] b\n## Phase 2\n- [ ] c", 1, 3],
  ["no heading", "- [x] a\n- [ ] b", 1, 2],
  [
    "sections that have a meaning",
    "## TODO\n- [ ] a\n## Acceptance Criteria\n- [x] b\n### More\n- [x] c\n## Notes\n- [x] d",
    0,
    1,
  ],
  ["an empty Steps, which counts", "## Steps\n\n## TODO\n- [ ] a", 0, 0],
];

for (const [name, text, done, total] of WITHOUT_STEPS)
  test(`boxes outside of Steps are steps: ${name}`, () =>
    assert.deepEqual(parseTask(text, 0).progress, { done, total }));

const DEPENDENCIES: [line: string, references: string[]][] = [
  ["- **Dependencies:** `003-a.md`", ["003-a"]],
  ["* **Depends on**: #3, Task 4, tarea 005", ["3", "4", "005"]],
  ["Dependencias: [003-a]; [004-b]", ["003-a", "004-b"]],
  ["- 依存：003-a、004-b", ["003-a", "004-b"]],
  ["- Dependencies: [Set up](003-a.md), [004](http://x)", ["003-a", "004"]],
  ["- Dependencies: [Set up](003-a.md#steps)", ["003-a"]],
  ["- Dependencies: [[003-a]], [[tasks/004-b.md|B]]", ["003-a", "004-b"]],
  ["- Dependencies: [[q/tasks/003-a]], q/archive/tasks/004-b.md", ["q/tasks/003-a", "q/archive/tasks/004-b"]],
  ["- Dependencies: [Set up](../archive/tasks/003-a.md)", ["003-a"]],
  ["- Dependencies: 003-a (schema, done), 004-b", ["003-a", "004-b"]],
  ["- Dependencies: [[003-a, b; c]], 4", ["003-a, b; c", "4"]],
  ["- Dependencies: [[003-a (old), b]] (later), 4", ["003-a (old), b", "4"]],
  ["- Dependencies: [a \\[b\\], (c](003-a%20%5Bb%5D,%20%28c.md), 4", ["003-a [b], (c", "4"]],
  ["- Dependencies: none", []],
  ["- 依存: なし", []],
  ["- Dependencies:", []],
  ["- Dependencies:\n  - 003-a\n  - `004-b`\n- Related files: x", ["003-a", "004-b"]],
  ["- Dependencies: none\n  - 003-a", []],
  ["- Dependencies:\n- 003-a", []],
  ["- Dependencies:\n\n  - 003-a\n\n  - 004-b\n", ["003-a", "004-b"]],
  ["**Dependencies:**\n- 003-a\n- 004-b (schema)", ["003-a", "004-b"]],
  ["Dependencies:\n\n1. 003-a: do it\n2. `004-b`\n\nText\n- 005-c", ["003-a: do it", "004-b"]],
  ["**Dependencies:**\n- Related files: a.ts\n- 003-a", []],
  ["```\n- Dependencies: 003-a\n```", []],
  ["The Dependencies: 003-a", []],
];

for (const [line, references] of DEPENDENCIES) {
  test(`the dependencies of ${JSON.stringify(line)} are read`, () => {
    assert.deepEqual(
      parseTask(`## Context\n${line}\n\n## Steps\n- Dependencies: 9`, 0).dependencies,
      references,
    );
    assert.deepEqual(
      parseTask(`## Contexto\r\n${line.replaceAll("\n", "\r\n")}\r\n`, 0).dependencies,
      references,
    );
  });
}

test("no text makes it throw, and no more steps are done than there are", () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const { progress, dependencies } = parseTask(`${before}\n## Steps\n${after}\n## Context\n${before}`, 0);
      assert.ok(progress.done <= progress.total);
      assert.ok(dependencies.every((reference) => reference !== "" && reference === reference.trim()));
    }),
    { numRuns: numRuns(500) },
  );
});

test("the time to read a task grows with its length", () => {
  const parts = ["1,", "(", "[", "[[", "](", "`", "*", "#", "a "];
  const read = (text: string) => parseTask(`## Context\n- Dependencies: ${text}\n## Steps\n- [ ] ${text}`, 0);
  assertProportionate(parts, read, 100_000);
  assert.equal(parseTask(`## Steps\n${"- [x] a\n".repeat(100_000)}`, 0).progress.done, 100_000);
});

test("related files are read from code, lists and nested items, in three languages", () => {
  assert.deepEqual(relatedFiles(GENERATED, 38), ["src/tools/search.py", "src/db/fts.py"]);
  const cases: [string, string[]][] = [
    ["- Related files: a.ts, b.ts (see c)", ["a.ts", "b.ts"]],
    ["- **Archivos relacionados:** `a b.ts`", ["a b.ts"]],
    ["- Related files:\n  - `a.ts`\n  - b.ts\n- Dependencies: 1", ["a.ts", "b.ts"]],
  ];
  for (const [line, files] of cases) assert.deepEqual(relatedFiles(`## Context\n${line}\n`, 0), files, line);
});

test("the next step is the first that is not checked off", () => {
  assert.equal(nextStep(GENERATED, 38), "Crear función de búsqueda en SQLite");
  assert.equal(nextStep("## Steps\n1. [x] a\n2. [ ] b\n", 0), "b");
  assert.equal(nextStep("## Steps\n1. [x] a\n", 0), null);
  assert.equal(nextStep("## Steps\n- [ ]\n- [ ] b\n", 0), "b");
  assert.equal(nextStep("no steps", 0), null);
});

test("a list of dependencies without end is read as far as anybody wrote one", () => {
  const numbers = Array.from({ length: 100_000 }, (_, n) => n + 1);
  for (const text of [
    `- Dependencies: ${numbers.join(", ")}`,
    numbers.map((n) => `- Dependencies: ${n}`).join("\n"),
  ]) {
    const { dependencies } = parseTask(`## Context\n${text}\n`, 0);
    assert.deepEqual(dependencies, numbers.slice(0, 1000).map(String));
  }
});
