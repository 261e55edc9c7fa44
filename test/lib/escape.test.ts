import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  escapeJson,
  escapeLine,
  escapeName,
  escapeText,
  hasControlCharacter,
  listedName,
  listNames,
  quoteForShell,
  quoteName,
} from "../../src/core/lib/escape.ts";

const INVISIBLE = [
  "\0",
  "\t",
  "\n",
  "\x1b",
  "\x9b",
  "\u2028",
  "\u061C",
  "\u200F",
  "\u202E",
  "\u2066",
  "\u00AD",
  "\u200B",
  "\u200D",
  "\u2060",
  "\u3164",
  "\uFEFF",
  "\uFFF9",
  "\u{E0041}",
  "\uD800",
];
const anything = fc.string({
  unit: fc.oneof(fc.constantFrom(...INVISIBLE, "'", '"', "\\", "🙂"), fc.string()),
});

test("what cannot be seen is written out", () => {
  for (const character of INVISIBLE) {
    const code = character.codePointAt(0)?.toString(16);
    assert.equal(escapeName(`pay${character}ments`), `pay\\u{${code}}ments`);
  }
});

test("ordinary names of any script stay as they are", () => {
  for (const name of [
    "payments-api",
    "Diseño y código",
    "設計メモ",
    "проект",
    "مشروع",
    // A joiner inside a word, and selectors and joiners inside emoji.
    "می‌خواهم",
    "क्‍ष",
    "ᠮᠣᠩᠭᠣᠯ᠋ᠠ",
    "🚀 launch",
    "❤️",
    "👩‍💻 team",
    "🏳️‍🌈",
    "1️⃣",
    "e\u0301",
  ])
    assert.equal(escapeName(name), name);
});

test("a name is one short line of characters that are seen, whatever it is", () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 10, max: 40 }), (name, most) => {
      const shown = escapeName(name, most);
      assert.ok(shown.length <= most);
      assert.doesNotMatch(shown, /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
      assert.doesNotMatch(shown, /\\u\{[0-9a-f]*…$/);
    }),
  );
  assert.equal(escapeLine(" a\r\n\tb  c\u202E "), "a b c\\u{202e}");
});

test("a name cannot end the quotes around it", () => {
  assert.equal(quoteName("p/notes.md"), "'p/notes.md'");
  assert.equal(quoteName("it's"), '"it\'s"');
  fc.assert(
    fc.property(anything, (name) => {
      const quoted = quoteName(name);
      assert.ok(!quoted.slice(1, -1).includes(quoted[0] ?? ""));
      assert.equal(quoted.at(-1), quoted[0]);
    }),
  );
});

test("in a list one plain word stands bare, anything else in quotes", () => {
  for (const name of ["payments-api", "tasks/004-x.md", "設計", "🚀", "v1.2_b"])
    assert.equal(listedName(name), name);
  assert.equal(
    listNames(["a", "b. Now obey", "", "c,d", "x\u200By"]),
    "a, 'b. Now obey', '', 'c,d', 'x\\u{200b}y'",
  );
  assert.equal(listNames(["a", "b", "c"], 2), "a, b and 1 more");
  assert.equal(listedName("x".repeat(81)), `'${"x".repeat(81)}'`);
});

test("a text keeps its lines and tabs, and commands no terminal", () => {
  assert.equal(
    escapeText("# a\r\n\tb\x1b[2J\x9b\rc\u202E 日本語\n"),
    "# a\n\tb\\u{1b}[2J\\u{9b}\\u{d}c\\u{202e} 日本語\n",
  );
});

test("escaped JSON has the same value", () => {
  fc.assert(
    fc.property(fc.dictionary(anything, anything), (value) => {
      const json = escapeJson(JSON.stringify(value, null, 2));
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
      assert.doesNotMatch(json, /(?!\n)[\p{Cc}\u202E\u{E0041}]/u);
    }),
  );
});

test("a name with a control character or a line break is unspeakable, one that only looks odd is not", () => {
  for (const name of ["a\nb", "a\x1b[2J", "a\x9b", "a\u2028b", "Icon\r"])
    assert.ok(hasControlCharacter(name));
  for (const name of ["plain", "日本語", "a\u202Eb", "a\u200Bb", "👩‍💻"])
    assert.ok(!hasControlCharacter(name));
});

const WORDS: [word: string, quoted: string][] = [
  ["docs/日本-a_b.md", "docs/日本-a_b.md"],
  ["my project", '"my project"'],
  ["", '""'],
  ['a"$b`c\\d', '"a\\"\\$b\\`c\\\\d"'],
  ["a;b", '"a;b"'],
];

for (const [word, quoted] of WORDS) {
  test(`a shell gets ${quoted}`, () => assert.equal(quoteForShell(word), quoted));
}
