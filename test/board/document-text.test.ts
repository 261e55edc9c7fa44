import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  applyTyped,
  type DiffLine,
  diffLines,
  isKeptByUpdate,
  readDiff,
  typedText,
} from "../../src/board/views/document/text.ts";
import { replaceBody } from "../../src/markdown/frontmatter-edit.ts";

const piece = fc.constantFrom("a", "b", " ", "\n", "\r\n", "\r", "é", "😀", "- [ ] x");
const raw = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(piece, { maxLength: 30 }))
  .map(([mark, pieces]) => mark + pieces.join(""));
const typed = fc
  .array(fc.constantFrom("a", "b", " ", "\n", "é"), { maxLength: 20 })
  .map((all) => all.join(""));

test("a text that nobody changed stays byte for byte", () => {
  fc.assert(fc.property(raw, (text) => assert.equal(applyTyped(text, typedText(text)), text)));
});

test("the file holds what was typed, and keeps its mark", () => {
  fc.assert(
    fc.property(raw, typed, (text, next) => {
      const file = applyTyped(text, next);
      assert.equal(typedText(file), next);
      assert.equal(file.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
    }),
  );
});

test("what stands around a change keeps its line endings", () => {
  const text = "\uFEFFone\r\ntwo\nthree\rfour\r\nfive\r\n";
  assert.equal(
    applyTyped(text, "one\ntwo\nthree\nfour\nnew\nfive\n"),
    "\uFEFFone\r\ntwo\nthree\rfour\r\nnew\r\nfive\r\n",
  );
  assert.equal(applyTyped(text, "one\n2\nthree\nfour\nfive\n"), "\uFEFFone\r\n2\nthree\rfour\r\nfive\r\n");
});

test("a text that update_doc is said to keep is kept", () => {
  const frontmatter = fc.constantFrom("", "---\na: 1\n---\n", "---\r\na: 1\r\n---\r\n");
  fc.assert(
    fc.property(fc.tuple(frontmatter, raw), fc.tuple(frontmatter, raw), ([a, before], [b, after]) => {
      const [old, next] = [a + before.replace("\uFEFF", ""), b + after.replace("\uFEFF", "")];
      if (isKeptByUpdate(old, next)) assert.equal(replaceBody(old, next), next);
    }),
  );
  assert.ok(isKeptByUpdate("---\na: 1\n---\nx\n", "---\na: 2\n---\ny\n"));
  assert.ok(isKeptByUpdate("\uFEFFa\r\nb\r\n", "\uFEFFa\r\nc\r\n"));
  assert.ok(!isKeptByUpdate("---\na: 1\n---\nx\n", "x\n"));
  assert.ok(!isKeptByUpdate("a\r\nb\nc\n", "a\r\nb\nd\n"));
});

const side = (lines: readonly DiffLine[], mark: "-" | "+") =>
  lines.filter((line) => line.mark === mark || line.mark === " ").map(({ text }) => text);

test("a difference names the lines of both sides", () => {
  const lines = diffLines("a\nb\nc\nd", "a\nx\nc\nd\ne");
  assert.deepEqual(side(lines, "-"), ["a", "b", "c", "d"]);
  assert.deepEqual(side(lines, "+"), ["a", "x", "c", "d", "e"]);
  assert.deepEqual(diffLines("a", "a"), []);
  const long = Array.from({ length: 50 }, (_, at) => `line ${at}`);
  const cut = diffLines(long.join("\n"), long.with(25, "new").join("\n"));
  assert.deepEqual(cut.map(({ mark }) => mark).join(""), "@   -+   ");
});

test("the server's diff is read line by line", () => {
  assert.deepEqual(readDiff("@@ line 1 @@\n a\n-b\n+c\n(2 more lines)"), [
    { mark: "@", text: "@@ line 1 @@" },
    { mark: " ", text: "a" },
    { mark: "-", text: "b" },
    { mark: "+", text: "c" },
    { mark: "@", text: "(2 more lines)" },
  ]);
  assert.deepEqual(readDiff(""), []);
});
