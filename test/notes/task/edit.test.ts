import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFrontmatter } from "../../../src/core/markdown/frontmatter.ts";
import { changeTask, type TaskChanges } from "../../../src/core/notes/task/edit.ts";
import { parseTask } from "../../../src/core/notes/task/task.ts";

const cases: [name: string, text: string, changes: TaskChanges, expected: string][] = [
  ["a title in a text without one", "Text.\r\n", { title: "New" }, "# Task: New\r\n\r\nText.\r\n"],
  ["an underlined title", "Old\n===\ntext", { title: "New" }, "New\n===\ntext"],
  ["a title that ends in #", "# Task: Old\n", { title: "C #" }, "# Task: C # #\n"],
  ["a title that looks like a prefix", "# Old\n", { title: "Task: x" }, "# Task: Task: x\n"],
  ["an empty title", "# Task:\n", { title: "New" }, "# Task: New\n"],
  [
    "an objective without a section",
    "# Task: A\n\n## Steps\n- [ ] a\n",
    { objective: "B." },
    "# Task: A\n\n## Objective\nB.\n\n## Steps\n- [ ] a\n",
  ],
  ["an objective at the end", "# Task: A\n", { objective: "# B" }, "# Task: A\n\n## Objective\n\\# B\n"],
  [
    "dependencies without a context",
    "# Task: A\n\n## Steps\n1. [ ] a\n",
    { dependencies: ["003-b.md", "4"] },
    "# Task: A\n\n## Context\n- Dependencies: 003-b, 4\n\n## Steps\n1. [ ] a\n",
  ],
  [
    "dependencies under two labels",
    "## Context\nDepends on: 1\n- Dependencies:\n  - 2\n  - 3\nend",
    { dependencies: ["3"] },
    "## Context\nDepends on: 3\n- Dependencies: none\nend",
  ],
  [
    "emphasis around a label",
    "## Context\n- **Dependencies:** 1\n",
    { dependencies: ["2"] },
    "## Context\n- **Dependencies:** 2\n",
  ],
  [
    "dependencies in a list that is not nested",
    "## Context\r\n**Dependencies:**\r\n\r\n- 001-a\r\n- 002-b (later)\r\n\r\nText\r\n",
    { dependencies: ["002-b", "3"] },
    "## Context\r\n**Dependencies:** 002-b (later), 3\r\n\r\n\r\nText\r\n",
  ],
  ["no dependencies at all", "# Task: A\n", { dependencies: [] }, "# Task: A\n"],
];

for (const [name, text, changes, expected] of cases) {
  test(`an edit keeps all else: ${name}`, () => {
    const edited = changeTask(text, changes).text;
    assert.equal(edited, expected);
    const task = parseTask(edited, parseFrontmatter(edited).bodyOffset);
    if (changes.title !== undefined) assert.equal(task.title, changes.title);
  });
}

test("a text that ends inside a code block has no place for new parts", () => {
  for (const changes of [{ objective: "A." }, { dependencies: ["1"] }])
    assert.throws(() => changeTask("# Task: A\n\n```\ncode\n", changes), /no place for.*update_doc/);
});
