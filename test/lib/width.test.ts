import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutColumns, padColumns, textWidth, wrapColumns } from "../../src/lib/width.ts";

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

test("lines break at spaces, at any letter where there are none, and end with … when there are too many", () => {
  assert.deepEqual(wrapColumns("one two three", 7, 3), ["one two", "three"]);
  assert.deepEqual(wrapColumns("認証トークンを導入", 6, 3), ["認証ト", "ークン", "を導入"]);
  assert.deepEqual(wrapColumns("unbreakable word", 5, 9), ["unbre", "akabl", "e", "word"]);
  assert.deepEqual(wrapColumns("one two three four", 5, 2), ["one", "two…"]);
  assert.deepEqual(wrapColumns("012 認証トークン", 8, 3), ["012 認証", "トークン"]);
  assert.equal(cutColumns("認証トークン", 5), "認証…");
  assert.equal(cutColumns("aa🇯🇵👨‍👩‍👧한a", 8), "aa🇯🇵👨‍👩‍👧…");
});

test("no line is wider than it may be, and nothing but spaces is lost", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."ab c認ー e\u0301🙂-", "🇯🇵", "👨‍👩‍👧", "한", "ｶﾞ"),
    maxLength: 40,
  });
  fc.assert(
    fc.property(letters, fc.integer({ min: 2, max: 12 }), (text, width) => {
      const lines = wrapColumns(text, width, 1000);
      for (const line of lines) assert.ok(textWidth(line) <= width, JSON.stringify({ text, line }));
      assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
      for (const line of wrapColumns(text, width, 2)) assert.ok(textWidth(line) <= width);
    }),
  );
});
