import assert from "node:assert/strict";
import { test } from "node:test";
import { nesting } from "../../src/board/markdown/text.ts";
import { anchorMaker } from "../../src/core/markdown/anchors.ts";
import { anchorFinder } from "../../src/core/markdown/sections.ts";

test("headings have the anchors that the server checks", () => {
  const headings = [
    "Notes",
    "Notes",
    "Notes-1",
    "¿Qué es?",
    "検索の仕組み",
    "a_b & c",
    "C++",
    "toString",
    "__proto__",
  ];
  const hasAnchor = anchorFinder(headings.map((text) => `# ${text.replaceAll("_", "\\_")}`).join("\n\n"));
  const anchorOf = anchorMaker();
  const anchors = headings.map(anchorOf);
  assert.equal(new Set(anchors).size, anchors.length);
  for (const anchor of ["notes", "notes-1", "notes-1-1", "qué-es", "検索の仕組み"])
    assert.ok(anchors.includes(anchor), anchor);
  for (const anchor of anchors.slice(0, 5)) assert.ok(hasAnchor(anchor), anchor);
});

test("headings below the title leave no level out", () => {
  const levels = (list: number[]) => list.map(nesting());
  assert.deepEqual(levels([2, 3, 3, 2]), [2, 3, 3, 2]);
  assert.deepEqual(levels([2, 4, 4, 6, 3]), [2, 3, 3, 4, 3]);
  assert.deepEqual(levels([1, 2, 1]), [2, 3, 2]);
  assert.deepEqual(levels([1, 2, 3, 4, 5, 6]), [2, 3, 4, 5, 6, 6]);
});
