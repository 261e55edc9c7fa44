import assert from "node:assert/strict";
import { before, test } from "node:test";
import { neighbours } from "../../src/core/search/spelling.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";

let db: SqlDatabase;
before(async () => {
  const texts = [
    "authentication token",
    "authentication form",
    "from token",
    "from here",
    "compiler",
    "sesión",
    "cat car",
    "привет",
    "v1234 v1235",
  ];
  const entries = texts.map((text, at) => makeEntry(`p/notes/${at}.md`, text));
  db = openIndex(await openEngine(), entries);
});

const typos: Record<string, string[]> = {
  authentification: ["authentication"],
  tokn: ["token"],
  toekn: ["token"],
  compilerr: ["compiler"],
  ompiler: ["compiler"],
  ocmpiler: ["compiler"],
  cimpiler: ["compiler"],
  cmpiler: ["compiler"],
  cxompilr: [],
  coimpilr: ["compiler"],
  пливет: ["привет"],
  ["compiler".repeat(6)]: [],
  caz: [],
  zzzzzzzz: [],
  "": [],
};

test("a mistyped word has neighbours, a short or strange one has none", () => {
  for (const [typo, words] of Object.entries(typos)) assert.deepEqual(neighbours(db, typo), words, typo);
});

test("only the nearest words are neighbours", () => {
  assert.deepEqual(neighbours(db, "frorm").sort(), ["form", "from"]);
  assert.deepEqual(neighbours(db, "compilers"), ["compiler"]);
});

test("a neighbour that is not eligible gives way to the next one", () => {
  const terms = (isEligible: (term: string) => boolean) => neighbours(db, "frorm", { isEligible });
  assert.deepEqual(
    terms((term) => term !== "from"),
    ["form"],
  );
  assert.deepEqual(
    terms(() => false),
    [],
  );
});

test("fewer edits may be allowed", () => {
  assert.deepEqual(neighbours(db, "authentification", { edits: 1 }), []);
  assert.equal(neighbours(db, "authentification", { edits: 2 })[0], "authentication");
});
