import assert from "node:assert/strict";
import { test } from "node:test";
import { findDocuments } from "../../src/board/markdown/links.ts";
import { nesting, slugger, splitFrontmatter } from "../../src/board/markdown/text.ts";
import { anchorFinder } from "../../src/markdown/anchors.ts";
import { parseFrontmatter } from "../../src/markdown/frontmatter.ts";

test("the body starts where the server says", () => {
  const texts = [
    ...["", "text", "---\na: 1\n---\nbody", "---\r\na: 1\r\n---\r\nbody", "\uFEFF---\na: 1\n---\nbody"],
    ...["---\na: 1\n---", "---\na: 1\n...\nbody", "---\n---\nbody", "--- \na: 1\n---  \nbody", "---\nno end"],
    ...["\uFEFFtext", "----\na: 1\n---\n", " ---\na: 1\n---\n", "---\na: |\n  ---\nb: 2\n---\nbody"],
  ];
  for (const text of texts)
    assert.equal(splitFrontmatter(text).bodyOffset, parseFrontmatter(text).bodyOffset, JSON.stringify(text));
});

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
  const anchorOf = slugger();
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

test("a name is looked up in its project, then everywhere; several are ambiguous", () => {
  const paths = [
    "api/status.md",
    "api/references/auth.md",
    "web/references/auth.md",
    "web/tasks/Old.md",
    "api/a/b.md",
  ];
  const found = (name: string, from = "api/tasks/001-x.md") => findDocuments(name, from, paths);
  assert.deepEqual(found("auth"), ["api/references/auth.md"]);
  assert.deepEqual(found("old"), ["web/tasks/Old.md"]);
  assert.deepEqual(found("auth", "shop/x.md"), ["api/references/auth.md", "web/references/auth.md"]);
  assert.deepEqual(found("references/auth"), ["api/references/auth.md"]);
  assert.deepEqual(found("web/references/auth"), ["web/references/auth.md"]);
  assert.deepEqual(found("../references/auth.md"), ["api/references/auth.md"]);
  assert.deepEqual(found("/references/auth.md"), ["api/references/auth.md"]);
  assert.deepEqual(found("b"), ["api/a/b.md"]);
  assert.deepEqual(found("../../../etc/passwd"), []);
  assert.deepEqual(found("missing"), []);
});
