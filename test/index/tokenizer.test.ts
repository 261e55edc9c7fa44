import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { nameParts, namesIn, segment, splitNames, tokenize } from "../../src/core/index/tokenizer.ts";
import { fold, unaccent } from "../../src/core/lib/text.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { isNightly, numRuns, SEED } from "../fixtures/num-runs.ts";
import { anyScript } from "../fixtures/texts.ts";

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

/** A zero-width space is shown as `|`. */
const segmented = {
  "Plain text, ñandú": "Plain text, nandu",
  認証: "|認||証|",
  한국어: "|한||국||어|",
  กา: "|ก||า|",
  ที่: "|ที่|",
  トークン: "|ト||ー||ク||ン|",
  ｶﾞｲﾄﾞ: "|ガ||イ||ド|",
  "か\u3099": "|が|",
  "Ｎｏｄｅ　２２": "Node 22",
  "se\u0301same": "sesame",
  "設計。実装": "|設||計||||実||装|",
  "done🥳": "done||",
  "5€, ₿1": "5||, ||1",
  हिन्दी: "हिन्दी",
  "Жук Ёж": "Жук Еж",
};

test("text is indexed without accents or signs, with each unspaced letter set apart", () => {
  for (const [text, expected] of Object.entries(segmented)) {
    assert.equal(segment(text).replaceAll("\u200b", "|"), expected, text);
  }
});

test("a letter is a word if Unicode assigns it to a script without spaces", () => {
  const scripts = ["Han", "Hira", "Kana", "Hang", "Bopo", "Thai", "Laoo", "Khmr", "Mymr"];
  const unspaced = new RegExp(`(?=\\p{L})[${scripts.map((name) => `\\p{scx=${name}}`).join("")}]`, "u");
  for (let code = 0xe00; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    const isFound = tokenize(`a ${letter}`).some((token) => token.unspaced);
    assert.equal(isFound, unspaced.test(letter), code.toString(16));
  }
});

test("whether a mark belongs to the letter before it does not depend on where the word begins", () => {
  const words = (text: string) => tokenize(text).map((token) => `${token.text} ${token.unspaced}`);
  for (let code = 0; code <= 0xffff; code++) {
    const behind = ["検", "ア", "한"].map((letter) => `${letter}${String.fromCharCode(code)}の`);
    for (const word of behind) assert.deepEqual(words(word), words(`é${word}`).slice(1), code.toString(16));
  }
});

/** Letters of unspaced scripts are shown in brackets. */
const tokenized = {
  "": "",
  "node.js foo-bar snake_case": "node js foo bar snake case",
  "what's C++?": "what s C",
  "v1.0.21": "v1 0 21",
  認証とtoken: "[認] [証] [と] token",
  "한국 어": "[한] [국] [어]",
  ที่นี่: "[ที่] [นี่]",
  ｶﾞｲﾄﾞ: "[ｶﾞ] [ｲ] [ﾄﾞ]",
  "cafe\u0301 au lait": "cafe\u0301 au lait",
  हिन्दी: "हिन्दी",
  𠮷野: "[𠮷] [野]",
  "\u1112\u1161\u11ab\u1100\u116e": "[\u1112\u1161\u11ab] [\u1100\u116e]",
  "go🥳on 👩‍💻": "go on",
  "1\ufe0f\u20e3": "1\ufe0f\u20e3",
  "\ufe0f lone mark": "lone mark",
  "\ud83d half \udc00": "half",
  "\ue000 private": "\ue000 private",
};

test("words are found in every script, signs and emoji in none", () => {
  for (const [text, expected] of Object.entries(tokenized)) {
    const tokens = tokenize(text).map((token) => (token.unspaced ? `[${token.text}]` : token.text));
    assert.equal(tokens.join(" "), expected, JSON.stringify(text));
  }
});

const parts = {
  getUserProfile: "get User Profile",
  HTTPServer2: "HTTP Server 2",
  user_profile: "",
  "plain words": "",
  "004-fixLogin": "fix Login",
  v2: "v 2",
  "getUser getUser": "get User",
  API設計: "API 設計",
  résumé: "",
  ＧｅｔＵｓｅｒ: "Get User",
  "": "",
};

test("words hidden in a name are split at case, digits and script, each name once", () => {
  for (const [name, expected] of Object.entries(parts)) assert.equal(nameParts(name), expected, name);
});

test("the names of a text are its words with capitals inside, which are taken apart where they are", () => {
  const text = "Call `getUser()` of HTTPServer2, not README, Zebra, v2 or snake_case. naïveÁrbol";
  assert.equal(namesIn(text), "getUser HTTPServer2 naïveÁrbol");
  assert.equal(namesIn("No name."), "");
  const words = splitNames(tokenize("see getUser2"));
  assert.deepEqual(
    words.map(({ text, start, end }) => [text, start, end]),
    [
      ["see", 0, 3],
      ["get", 4, 7],
      ["User", 7, 11],
      ["2", 11, 12],
    ],
  );
});

test("a name is split from its beginning, whatever was split before", () => {
  tokenize("naïve — señal");
  assert.equal(nameParts("getUser"), "get User");
});

test("tokens are in order, match the text at their position and never hold half a character", () => {
  fc.assert(
    fc.property(fc.oneof(anyScript, fc.string({ unit: "binary" })), (text) => {
      let end = 0;
      for (const token of tokenize(text)) {
        assert.ok(token.start >= end && token.end > token.start && token.end <= text.length);
        assert.equal(text.slice(token.start, token.end), token.text);
        assert.ok(token.text.isWellFormed());
        end = token.end;
      }
    }),
  );
});

const forms = ["ガ", "ぴ", "ﾊﾞ", "ﾎﾟ", "ｶ", "ｰ", "é", "Ñ", "ａ", "Ｚ", "７", "한", "認", "a", " "];

test("half-width, decomposed and accented text has the same words as its plain form", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...forms), { maxLength: 20 }), (letters) => {
      const text = letters.join("");
      const words = (form: string) => tokenize(form).map((token) => fold(token.text));
      assert.deepEqual(words(text), words(unaccent(text)));
      assert.deepEqual(words(text.normalize("NFD")), words(text.normalize("NFC")));
    }),
  );
});

/** The words of a text in FTS5, with the tokenizer of the index. */
function openTokenizer(db: SqlDatabase): (text: string) => string {
  db.run(`
    CREATE VIRTUAL TABLE f USING fts5(t, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE v USING fts5vocab(f, 'instance')`);
  return (text) => {
    db.run("INSERT INTO f (rowid, t) VALUES (1, ?)", [text]);
    const rows = db.exec("SELECT term FROM v ORDER BY offset")[0]?.values ?? [];
    db.run("DELETE FROM f");
    return comparable(rows.map(([term]) => String(term)).join(" "));
  };
}

// Letters of today that were marks in Unicode 6.1, SQLite's version.
const FORMER_MARKS = "\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3";

/** Removes known differences: SQLite splits at marks, and has the letter cases of Unicode 6.1 and one sigma. */
const comparable = (words: string) =>
  words
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(new RegExp(`[\\p{M}${FORMER_MARKS}]`, "gu"), " ")
    .trim()
    .replaceAll(/ +/g, " ");

/** Folding may leave a sign inside a word, as in `½`: SQLite sees two words there. */
const expectedWords = (text: string) =>
  comparable(
    tokenize(unaccent(text))
      .map((token) => fold(token.text).replaceAll(/[^\p{L}\p{N}\p{Co}\p{M}]+/gu, " "))
      .join(" "),
  );

test("in segmented text FTS5 finds the same words as the tokenizer, whatever the script", () => {
  const words = openTokenizer(new engine.Database());
  fc.assert(
    fc.property(anyScript, (text) => assert.equal(words(segment(text)), expectedWords(text))),
    { numRuns: numRuns(1000), examples: [["ŉ🌀"], ["ʼn認"]] },
  );
});

test("FTS5 and the tokenizer agree on every character of Unicode", () => {
  const words = openTokenizer(new engine.Database());
  // One by one as far as the quick tests of a whole text distinguish characters.
  for (let first = 1, count = 1; first < 0x32000; first += count) {
    if (first === 0x600) count = 64;
    if (first >= 0x600 && !isNightly && (first / 64 + SEED) % 10 !== 0) continue;
    const codes = Array.from({ length: count }, (_, at) => first + at);
    const text = codes.map((code) => `a${String.fromCodePoint(code)}b`.toWellFormed()).join(" ");
    assert.equal(words(segment(text)), expectedWords(text), `U+${first.toString(16)}`);
  }
});
