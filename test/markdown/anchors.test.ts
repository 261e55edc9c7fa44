import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorFinder } from "../../src/core/markdown/sections.ts";

const HEADINGS: [heading: string, anchor: string][] = [
  ["# Simple", "simple"],
  ["## What's next? (2026)", "whats-next-2026"],
  ["## A & B", "a--b"],
  ["## snake_case and `__init__`", "snake_case-and-__init__"],
  ["## _Emphasis_ and __more__", "emphasis-and-more"],
  ["## **Bold** *text*", "bold-text"],
  ["## See [the plan](plan.md)", "see-the-plan"],
  ["## Title <a name='x'></a>", "title"],
  ["## `Array<string>`", "arraystring"],
  ["## Sesión — última", "sesión--última"],
  ["## 設計のメモ", "設計のメモ"],
  ["## 🚀 Launch", "-launch"],
  ["## Set up { #begin }", "set-up"],
  ["Underlined\n====", "underlined"],
  ["## Closed ##", "closed"],
];

for (const [heading, anchor] of HEADINGS) {
  test(`${JSON.stringify(heading)} has the anchor ${anchor}`, () => {
    const has = anchorFinder(`text\n\n${heading}\n\ntext\n`);
    assert.deepEqual([has(anchor), has(`${anchor}x`)], [true, false]);
  });
}

test("a heading behind a byte order mark has an anchor", () => assert.ok(anchorFinder("\uFEFF# A\n")("a")));

test("repeated headings are numbered, past numbers that are taken", () => {
  const has = anchorFinder("# A\n## A\n## A-1\n## A\n");
  assert.deepEqual(
    ["a", "a-1", "a-1-1", "a-2", "a-3", "a-1-2"].map((anchor) => has(anchor)),
    [true, true, true, true, false, false],
  );
});

test("the words of a heading find it, also below another one", () => {
  const has = anchorFinder("# First Part\n\n## What's next?\n");
  for (const anchor of ["first part", "First Part", "What's next?", "First Part#What's next?"])
    assert.ok(has(anchor), anchor);
  assert.ok(!has("First"));
});

test("anchors set by hand, block references and the top lead somewhere; headings in code do not", () => {
  const has = anchorFinder(
    '<a id="one"></a> <a name="two">\n\n## H {#three}\n\n## I { #five }\n\n```\n# Code\n```\n',
  );
  for (const anchor of ["one", "two", "three", "five", "^block", "top", ""]) assert.ok(has(anchor), anchor);
  for (const anchor of ["four", "code"]) assert.ok(!has(anchor), anchor);
});
