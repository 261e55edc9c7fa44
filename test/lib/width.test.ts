import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { padColumns, textWidth, wrapColumns, wrapText } from "../../src/core/lib/width.ts";

test("a text takes the columns that a terminal gives it", () => {
  const widths = {
    abc: 3,
    "": 0,
    認証: 4,
    カﾅ: 3,
    カード: 6,
    é: 1,
    "e\u0301": 1,
    "🙂": 2,
    "👨‍👩‍👧": 2,
    "🇯🇵": 2,
    한글: 4,
  };
  for (const [text, width] of Object.entries({ ...widths, Ａ: 2, "…": 1 }))
    assert.equal(textWidth(text), width, text);
  assert.equal(padColumns("認証", 6), "認証  ");
  assert.equal(padColumns("\u001b[1m認証\u001b[22m", 6), "\u001b[1m認証\u001b[22m  ");
});

test("lines break between words, and in scripts without spaces between letters, but not before a closing mark", () => {
  assert.deepEqual(wrapColumns("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrapColumns("012 one two three", 8, 4), ["012 one", "    two", "    three"]);
  assert.deepEqual(wrapColumns("unbreakable word", 5), ["unbreakable", "word"]);
  assert.deepEqual(wrapColumns("認証トークンを導入", 6), ["認証", "トーク", "ンを導", "入"]);
  assert.deepEqual(wrapColumns("これは「認証」です。", 8), ["これは", "「認証」", "です。"]);
  assert.deepEqual(wrapColumns("Node.jsを使う", 8), ["Node.js", "を使う"]);
  assert.deepEqual(wrapColumns("run show\u00a0認証.md", 8), ["run", "show\u00a0認証.md"]);
});

test("the rest of a wide line hangs under its last column", () => {
  const wrapped = (text: string, width: number, indent?: number) => wrapText(text, width, indent).split("\n");
  assert.deepEqual(wrapped("  --a   one two three\n\nshort", 16), [
    "  --a   one two",
    "        three",
    "",
    "short",
  ]);
  assert.deepEqual(wrapped("- one two three", 9, 0), ["- one two", "  three"]);
  assert.deepEqual(wrapped("12. one two three", 12, 0), ["12. one two", "    three"]);
  assert.deepEqual(wrapped("one two three", 8), ["one two", "  three"]);
  assert.deepEqual(wrapped("one two three", 8, 0), ["one two", "three"]);
  // A column that starts further right than the middle leaves no room.
  assert.deepEqual(wrapped("a-long-name  one two", 16), ["a-long-name  one", "  two"]);
  assert.deepEqual(wrapped("\u001b[1mone\u001b[22m two", 7), ["\u001b[1mone\u001b[22m two"]);
});

test("no line is wider than it may be, except for a word that is, and nothing but spaces is lost", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."ab c認ー。「 e\u0301🙂-", "🇯🇵", "👨‍👩‍👧", "한", "ｶﾞ"),
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      letters,
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 0, max: 4 }),
      (text, width, indent) => {
        const lines = wrapColumns(text, width, indent);
        for (const line of lines)
          assert.ok(textWidth(line) <= width || !/\S \S/.test(line), JSON.stringify({ text, line }));
        assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
      },
    ),
  );
});
