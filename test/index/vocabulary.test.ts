import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openVocabulary, type Vocabulary } from "../../src/index/vocabulary.ts";
import { openEngine } from "../../src/sqlite/engine.ts";
import { makeEntry, openIndex } from "./entries.ts";

let vocabulary: Vocabulary;
before(async () => {
  const texts = [
    "authentication token",
    "authentication form",
    "from token",
    "from here",
    "compiler",
    "sesión",
    "cat car",
    "v1234 v1235",
  ];
  const entries = texts.map((text, at) => makeEntry(`p/notes/${at}.md`, text));
  vocabulary = openVocabulary(openIndex(await openEngine(), entries));
});

test("a word's frequency is the number of chunks it occurs in", () => {
  assert.equal(vocabulary.chunks, 8);
  assert.deepEqual(["authentication", "token", "sesion", "nothing"].map(vocabulary.frequency), [2, 2, 1, 0]);
});

const typos: Record<string, string[]> = {
  authentification: ["authentication"],
  authenticatoin: ["authentication"],
  tokn: ["token"],
  toekn: ["token"],
  compilerr: ["compiler"],
  xompiler: ["compiler"],
  ompiler: ["compiler"],
  ocmpiler: ["compiler"],
  ccompiler: ["compiler"],
  caz: [],
  zzzzzzzz: [],
  "": [],
};

test("a mistyped word has its neighbours, a short or strange one none", () => {
  for (const [typo, words] of Object.entries(typos))
    assert.deepEqual(vocabulary.neighbours(typo), words, typo);
});

test("of neighbours equally near the more frequent one comes first", () => {
  assert.equal(vocabulary.neighbours("frorm")[0], "from");
});
