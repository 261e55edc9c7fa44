import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { core, shorten, splitList } from "../../src/core/notes/short-text.ts";
import { assertProportionate } from "../fixtures/growth.ts";

test("the core of a text starts and ends with a letter or digit", () => {
  assert.equal(core("**✅ Done!** 🎉"), "Done");
  assert.equal(core("- (a) b"), "a) b");
  assert.equal(core("完了。"), "完了");
  assert.equal(core("—"), "");
});

test("a text is shortened at a space, or hard where there is none", () => {
  assert.equal(shorten("one two three", 13), "one two three");
  assert.equal(shorten("one two three", 12), "one two…");
  assert.equal(shorten("abcdefghij", 5), "abcd…");
  assert.equal(shorten("ab😀😀😀", 6), "ab😀…");
});

test("a shortened text keeps the limit and whole characters", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      (text, limit) => {
        const short = shorten(text, limit);
        assert.ok(short.length <= limit || short === text);
        assert.doesNotMatch(short, /\p{Cs}/u);
      },
    ),
  );
});

const LISTS: [text: string, items: string[]][] = [
  ["a, b", ["a", "b"]],
  ["a; b、c，d", ["a", "b", "c", "d"]],
  ["a (see b, c), d", ["a", "d"]],
  ["[a](b.md), d", ["[a](b.md)", "d"]],
  ["a (b, c", ["a (b", "c"]],
  [" , a,, ", ["a"]],
  ["-", []],
  ["—", []],
  ["", []],
  ["None.", []],
  ["ninguna", []],
  ["なし", []],
  ["none, a", ["none", "a"]],
];

for (const [text, items] of LISTS) {
  test(`the list '${text}' has ${items.length} items`, () => assert.deepEqual(splitList(text), items));
}

test("the time to split a list grows with its length", () => {
  assert.equal(splitList("a,".repeat(1_000_000)).length, 1_000_000);
  assertProportionate(["(", ")", "()", ",", "a", "]("], splitList, 200_000);
});
