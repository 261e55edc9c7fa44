import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeDocument } from "../../../src/core/notes/document.ts";
import { changeTask } from "../../../src/core/notes/task/edit.ts";
import { numRuns } from "../../fixtures/num-runs.ts";

const AT = { project: "p", folder: "tasks", filename: "010-a.md" };
const read = (text: string) => describeDocument(AT, text).task?.dependencies;
const fields = (yaml: string) => `---\n${yaml}\n---\n# Task: A\n\nStatus: pending\n`;
const body = (text: string) => `# Task: A\n\nStatus: pending\n${text}`;

/** Each with what it reads as, and its text with task 002-b added. */
const PLACES: [text: string, references: string[], added: string][] = [
  [fields("dependencies: [001]"), ["1"], fields("dependencies: [1, 002-b]")],
  [fields('depends_on: ["[[001-x]]"]'), ["001-x"], fields("depends_on: ['[[001-x]]', 002-b]")],
  [fields("dependsOn: 001-x, 003-y"), ["001-x", "003-y"], fields("dependsOn: [001-x, 003-y, 002-b]")],
  [fields('Blocked By:\n  - "[[001-x|X]]"'), ["001-x"], fields("Blocked By: ['[[001-x|X]]', 002-b]")],
  [
    fields("blockedBy:\n  - uid: 001-x\n    gap: P1D"),
    ["001-x"],
    fields("blockedBy: [{uid: 001-x, gap: P1D}, 002-b]"),
  ],
  [fields("depende de: tasks/001-x.md"), ["001-x"], fields("depende de: [tasks/001-x.md, 002-b]")],
  [
    fields("dependencies: [task-1, TASK-3]"),
    ["task-1", "TASK-3"],
    fields("dependencies: [task-1, TASK-3, 002-b]"),
  ],
  [
    body("\n## Dependencies\n\n- [[001-x]]\n"),
    ["001-x"],
    body("\n## Dependencies\n\n- [[001-x]]\n- 002-b\n"),
  ],
  [
    body("\n### Blocked by\n* [ ] 001-x: login\n\nText\n"),
    ["001-x: login"],
    body("\n### Blocked by\n* [ ] 001-x: login\n- 002-b\n\nText\n"),
  ],
  [
    body("\n## Dependencies\n1. #1\n2. `003-y.md`\n"),
    ["1", "003-y"],
    body("\n## Dependencies\n1. #1\n2. `003-y.md`\n- 002-b\n"),
  ],
  [
    body("\n## Dependencies\n001, 003-y\n"),
    ["001", "003-y"],
    body("\n## Dependencies\n- 001\n- 003-y\n- 002-b\n"),
  ],
  [body("\n## 依存関係\n- 001-x\n"), ["001-x"], body("\n## 依存関係\n- 001-x\n- 002-b\n")],
  [
    body("\n## Dependencies\n- `zod` 4\n- react\n"),
    [],
    body("\n## Dependencies\n- `zod` 4\n- react\n- 002-b\n"),
  ],
  [body("\n## Dependencies\n\nNone.\n\n## Steps\n"), [], body("\n## Dependencies\n\n- 002-b\n\n## Steps\n")],
  [
    body("\n## Dependencies\n- Depends on: 001-x\n- Blocks: 003\n"),
    ["001-x"],
    body("\n## Dependencies\n- Depends on: 001-x\n- 002-b\n- Blocks: 003\n"),
  ],
  [body("\n**Depends on:** 001\n"), ["001"], body("\n**Depends on:** 001, 002-b\n")],
  [body("Blocked by: 001-x\n"), ["001-x"], body("Blocked by: 001-x, 002-b\n")],
  [body("depends_on:: [[001-x]]\n"), ["001-x"], body("depends_on:: [[001-x]], 002-b\n")],
  [body("- **Blocked-By**: #1\n"), ["1"], body("- **Blocked-By**: #1, 002-b\n")],
  [
    body("Depende de:\n- 001\n- 003\n\nText\n"),
    ["001", "003"],
    body("Depende de: 001, 003, 002-b\n\nText\n"),
  ],
  [
    body("Depends on: 001, 003-y %% x, y %% [k:: v, w] ^id\n"),
    ["001", "003-y"],
    body("Depends on: 001, 003-y, 002-b %% x, y %% [k:: v, w] ^id\n"),
  ],
  [body("Depends on: none <!-- a, b -->\n"), [], body("Depends on: 002-b <!-- a, b -->\n")],
  [
    body("\n## Dependencies\n- 001-x #api ^id\n- [[003-y]] %% a, b %%\n"),
    ["001-x", "003-y"],
    body("\n## Dependencies\n- 001-x #api ^id\n- [[003-y]] %% a, b %%\n- 002-b\n"),
  ],
  [
    body("\n## Notes\nBlocked by: rain\n"),
    [],
    body("\n## Notes\nBlocked by: rain\n\n## Context\n- Dependencies: 002-b\n"),
  ],
];

for (const [text, references, added] of PLACES)
  test(`what it waits for is read and written there: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(read(text), references);
    assert.equal(changeTask(text, { dependencies: references }).text, text);
    const edited = changeTask(text, { dependencies: [...references, "002-b"] }).text;
    assert.equal(edited, added);
    assert.deepEqual(read(edited), [...references, "002-b"]);
  });

test("several places are one list, and a new list stands in the first", () => {
  const text = `${fields("depends_on: [1]\nblocked_by: [2]")}Depends on: 3\n\n## Dependencies\n- 4\n`;
  assert.deepEqual(read(text), ["1", "2", "3", "4"]);
  const edited = changeTask(text, { dependencies: ["2", "5"] }).text;
  assert.equal(edited, `${fields("depends_on: [2, '5']")}Depends on: none\n\n## Dependencies\n`);
  assert.deepEqual(read(edited), ["2", "5"]);
});

test("what is no task is named", () => {
  const { unread } = describeDocument(AT, fields("depends_on: [{name: x}]"));
  assert.deepEqual(unread, [`depends_on: '[{"name":"x"}]' is not read; write numbers or names of tasks`]);
});

test("each list is written and read back in each place, and writing it again changes nothing", () => {
  const reference = fc.constantFrom("1", "002-b", "3", "004-d", "010");
  const list = fc.uniqueArray(reference, { maxLength: 4 });
  const property = fc.property(fc.constantFrom(...PLACES), list, ([text], references) => {
    const edited = changeTask(text, { dependencies: references }).text;
    assert.deepEqual(read(edited), references);
    assert.equal(changeTask(edited, { dependencies: references }).text, edited);
  });
  fc.assert(property, { numRuns: numRuns(10_000) });
});
