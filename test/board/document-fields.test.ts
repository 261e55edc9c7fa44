import assert from "node:assert/strict";
import { test } from "node:test";
import { listOf, readFields, yamlValue } from "../../src/board/views/document/fields.ts";
import { stepPlaces } from "../../src/board/views/document/steps.ts";
import { parseFrontmatter } from "../../src/markdown/frontmatter.ts";
import { findSteps } from "../../src/notes/task.ts";

test("fields are read as texts, lists, or as they are written", () => {
  const yaml = [
    "title: A note # draft",
    "quoted: 'it''s'",
    'double: "a: b"',
    "empty:",
    "tags: [a, b c]",
    "more:",
    "  - x",
    "  - 'y'",
    "nested:",
    "  key: 1",
    "block: |",
    "  line",
    "# comment",
    "odd: {a: 1}",
  ].join("\r\n");
  assert.deepEqual(readFields(yaml), [
    { kind: "text", name: "title", text: "A note", isQuoted: false },
    { kind: "text", name: "quoted", text: "it's", isQuoted: true },
    { kind: "text", name: "double", text: "a: b", isQuoted: true },
    { kind: "text", name: "empty", text: "", isQuoted: false },
    { kind: "list", name: "tags", items: ["a", "b c"] },
    { kind: "list", name: "more", items: ["x", "y"] },
    { kind: "other", name: "nested", text: "key: 1" },
    { kind: "other", name: "block", text: "|\n  line" },
    { kind: "other", name: "odd", text: "{a: 1}" },
  ]);
});

test("a field that was edited back has the value that YAML reads", () => {
  for (const text of ["5", "-1.5", "0", "true", "false", "text", "2026-01-02"])
    assert.equal(yamlValue(text), parseFrontmatter(`---\nk: ${text}\n---\n`).data["k"], text);
  for (const text of ["007", "1e3", "NaN", "Infinity", "yes"]) assert.equal(yamlValue(text), text);
  assert.equal(yamlValue("5", true), "5");
  assert.equal(yamlValue("  "), null);
});

test("a list has each item once, however it is separated", () => {
  assert.deepEqual(listOf("a, #b、c，a,,"), ["a", "b", "c"]);
});

test("steps stand where the server counts them", () => {
  const texts = [
    "# Task: x\n\n## Steps\n1. [ ] a\n2. [x] b\n   - [ ] nested\n\n## Acceptance Criteria\n- [ ] no\n",
    "---\nowner: a\n---\r\n# Task: x\r\n\r\n- [ ] before\r\n\r\n### **Pasos:**\r\n- [X] a\r\n\r\n#### Part\r\n* [ ] b\r\n",
    "## 手順\n- [ ] a\n```\n- [ ] code\n## no\n```\n+ [ ] b\n# End\n- [ ] c",
    "no steps\n- [ ] a\n",
    "## Steps\n- [] a\n- [ ]b\n- [ ]\n-  [x]  c\n## Steps\n- [ ] second",
    "## 🚀 Steps\n~~~md\n- [ ] code\n~~~~\n- [ ] a",
  ];
  for (const text of texts) {
    const places = findSteps(text, parseFrontmatter(text).bodyOffset).map(({ markAt }) => markAt);
    assert.deepEqual(stepPlaces(text), places, JSON.stringify(text));
  }
});
