import assert from "node:assert/strict";
import { test } from "node:test";
import { listOf } from "../../src/board/fields.ts";
import { readFields, yamlValue } from "../../src/board/views/document/fields.ts";
import { parseFrontmatter } from "../../src/markdown/frontmatter.ts";

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
    "number: 5",
    "digits: '5'",
    "pairs: ['a, b', c]",
  ].join("\r\n");
  assert.deepEqual(readFields(parseFrontmatter(`---\n${yaml}\n---\n`).data), [
    { kind: "text", name: "title", text: "A note", isQuoted: false },
    { kind: "text", name: "quoted", text: "it's", isQuoted: false },
    { kind: "text", name: "double", text: "a: b", isQuoted: false },
    { kind: "text", name: "empty", text: "", isQuoted: false },
    { kind: "list", name: "tags", items: ["a", "b c"] },
    { kind: "list", name: "more", items: ["x", "y"] },
    { kind: "other", name: "nested", text: "{key: 1}" },
    { kind: "other", name: "block", text: '"line\\n"' },
    { kind: "other", name: "odd", text: "{a: 1}" },
    { kind: "text", name: "number", text: "5", isQuoted: false },
    { kind: "text", name: "digits", text: "5", isQuoted: true },
    { kind: "other", name: "pairs", text: "['a, b', c]" },
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
