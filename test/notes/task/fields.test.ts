import assert from "node:assert/strict";
import { test } from "node:test";
import { listOf } from "../../../src/board/fields.ts";
import { typedValue } from "../../../src/cli/task-fields.ts";
import { parseFrontmatter } from "../../../src/core/markdown/frontmatter.ts";
import { changeTask } from "../../../src/core/notes/task/edit.ts";
import {
  factsOfField,
  fieldKey,
  hasValue,
  OWN_FIELDS,
  perField,
  readField,
  TASK_FIELDS,
} from "../../../src/core/notes/task/fields.ts";
import { renderTask } from "../../../src/core/notes/task/file.ts";

const NOW = new Date(2030, 0, 1);
const TASK = { title: "A", objective: "B", status: "pending" } as const;

for (const name of TASK_FIELDS) {
  const { example, kind } = factsOfField(name);
  const typed = typedValue(name, example, NOW);
  const value = kind === "list" ? [typed] : typed;

  test(`${name} reads back as it is written, by a new task and by a change of one`, () => {
    const created = renderTask({ ...TASK, [name]: value });
    const changed = changeTask(renderTask(TASK), { [name]: value });
    assert.deepEqual(changed, { text: created, changed: [name], lines: [] });
    assert.deepEqual(readField(name, parseFrontmatter(created).data), value);
    const removed = changeTask(created, { [name]: null });
    assert.deepEqual(readField(name, parseFrontmatter(removed.text).data), kind === "list" ? [] : undefined);
  });

  test(`a filter for ${name} finds its value, and no task without one`, () => {
    assert.equal(hasValue({ [name]: value }, name, example), true);
    assert.equal(hasValue({ [name]: value }, name, "other"), false);
    assert.equal(hasValue({}, name, example), false);
    assert.equal(hasValue({}, name, undefined), true);
  });
}

test("values that are not understood read as none", () => {
  const odd = [{}, "", "  ", null, true, -1, Number.NaN];
  const names = [["x"], "2025-02-30", "someday"];
  for (const name of OWN_FIELDS)
    for (const value of factsOfField(name).kind === "task" ? odd : [...odd, ...names])
      assert.equal(readField(name, { [name]: value }), undefined, name);
});

test("keys sort tasks as the values do; those without one come last, or at their usual value", () => {
  const sorted = (name: "priority" | "due", values: readonly (string | undefined)[]) =>
    values
      .map((value) => ({ value, key: fieldKey({ [name]: value }, name) }))
      .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ value }) => value);
  assert.deepEqual(sorted("priority", ["low", undefined, "high"]), ["high", undefined, "low"]);
  assert.deepEqual(sorted("due", [undefined, "2030-01-02", "2029-12-31"]), [
    "2029-12-31",
    "2030-01-02",
    undefined,
  ]);
});

test("a filter for a tag finds the tags below it, however it is typed", () => {
  const tags = ["api/v2"];
  for (const wanted of ["api", "#API", "api/v2"])
    assert.equal(hasValue({ tags }, "tags", wanted), true, wanted);
  for (const wanted of ["ap", "v2", "api/v"]) assert.equal(hasValue({ tags }, "tags", wanted), false, wanted);
});

test("each field has a value of its own", () => {
  assert.deepEqual(Object.keys(perField((name) => name)), [...TASK_FIELDS]);
});

test("a list has each item once, however it is separated", () => {
  assert.deepEqual(listOf("a, #b、c，a,,"), ["a", "b", "c"]);
});
