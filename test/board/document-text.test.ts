import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyTyped, readDiff, typedText } from "../../src/board/views/document/text.ts";

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
