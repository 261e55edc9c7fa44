import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../../src/search/query.ts";
import { type Lookup, planQuery } from "../../src/search/query-plan.ts";
import { TUNING, type Tuning } from "../../src/search/weights.ts";

const known = new Map([
  ...["bearer", "token", "the", "of", "se", "react", "0296"].map((word) => [word, 10] as const),
  ["rare", 1],
]);

/** An index of 1000 chunks that has every pair of unspaced letters. */
const lookup: Lookup = {
  size: 1000,
  of: (match) =>
    Int32Array.from({ length: known.get(match.slice(1, -1)) ?? (/[\u3000-\u9fff]/.test(match) ? 10 : 0) }),
  neighbours: (word) => (word === "tokn" ? ["token"] : []),
};

const plan = (query: string, tuning: Partial<Tuning> = {}) =>
  planQuery(analyse(query), lookup, { ...TUNING, ...tuning });
const words = (query: string) => plan(query).clauses.map(({ match }) => match);
const phrases = (query: string) => plan(query).phrases.map(({ match }) => match);
const matches = (query: string) => [...words(query), ...phrases(query)];

test("each word is a clause, and neighbours are a phrase that adds no coverage", () => {
  const { clauses } = plan("bearer token");
  assert.deepEqual(
    clauses.map(({ match, weight, chunks }) => [match, weight > 0, chunks.length]),
    [
      ['"bearer"', true, 10],
      ['"token"', true, 10],
    ],
  );
  assert.deepEqual(phrases("bearer token"), ['"bearer token"']);
  assert.deepEqual(plan("bearer token", { phrases: false }).phrases, []);
});

test("a rare word weighs more than a common one", () => {
  const [common, rare] = plan("token rare").clauses;
  assert.ok((rare?.weight ?? 0) > (common?.weight ?? 0));
});

test("a longer run is searched whole and by its pairs, each once", () => {
  assert.deepEqual(matches("認証"), ['"認 証"']);
  assert.deepEqual(matches("認証局"), ['"認 証"', '"証 局"', '"認 証 局"']);
  assert.deepEqual(matches("あああああ"), ['"あ あ"', '"あ あ あ あ あ"']);
});

test("stop words are dropped, except the last word, in capitals, or next to a number", () => {
  assert.deepEqual(matches("the token"), ['"token"', '"the token"']);
  assert.deepEqual(matches("of the"), ['"of"', '"the"']);
  assert.ok(matches("SE token").includes('"se"'));
  assert.ok(matches("se 0296").includes('"se"'));
});

test("pairs of hiragana are dropped if anything else is left", () => {
  assert.deepEqual(words("設計について"), ['"設 計"', '"計 に"']);
  assert.deepEqual(words("token について"), ['"token"']);
  assert.deepEqual(words("について"), ['"に つ"', '"つ い"', '"い て"']);
  assert.equal(words("これは なんですか").length, 6);
  assert.equal(plan("設計について", { dropSmallWords: false }).clauses.length, 5);
});

test("an unknown word is replaced by its neighbour, and stays if it has none", () => {
  const { corrections, terms } = plan("bearer tokn");
  assert.deepEqual([...corrections], [["tokn", "token"]]);
  assert.deepEqual(matches("bearer tokn"), ['"bearer"', '"token"', '"bearer token"']);
  assert.deepEqual(
    terms.map(({ tokens }) => tokens[0]),
    ["bearer", "token"],
  );
  assert.deepEqual([matches("qwrtz"), plan("qwrtz").corrections.size], [['"qwrtz"'], 0]);
  assert.equal(plan("bearer tokn", { correction: false }).corrections.size, 0);
});

test("a name that the notes write in another way is searched by its words", () => {
  assert.deepEqual(matches("bearerTokenRare"), [
    '"bearer"',
    '"token"',
    '"rare"',
    '"bearer token"',
    '"token rare"',
  ]);
  assert.deepEqual(matches("0296v2"), ['"0296"', '"v"', '"2"', '"0296 v"', '"v 2"']);
  assert.ok(matches("bearerTokn").includes('"token"'), "its words are corrected");
  known.set("reactToken".toLowerCase(), 3);
  assert.deepEqual(matches("reactToken"), ['"reacttoken"']);
});

test("a word that is also part of a name is one clause", () => {
  assert.deepEqual(words("token bearerTokenRare rareToken"), ['"token"', '"bearer"', '"rare"']);
});

test("of many unknown words only a few are looked up, each once", () => {
  const asked: string[] = [];
  const neighbours = (word: string) => {
    asked.push(word);
    return word === "tokn" ? ["token"] : [];
  };
  const ask = (query: string) => planQuery(analyse(query), { ...lookup, neighbours }, TUNING).corrections;
  ask(`tokn getTokn TOKN abc v1234 1234 認証 ${"x".repeat(41)}`);
  assert.deepEqual(asked, ["tokn", "gettokn"]);
  const unknown = [..."abcdefghijkl"].map((letter) => `unknown${letter}`);
  asked.length = 0;
  assert.equal(ask(["tokn", ...unknown].join(" ")).size, 1);
  assert.deepEqual(asked, ["tokn", ...unknown.slice(0, 7)]);
});

test("the phrase of a long unspaced run is bounded", () => {
  const [run = ""] = phrases("認証局".repeat(1000));
  assert.equal(run.split(" ").length, 48);
});

test("the clauses of a long query are bounded", () => {
  const many = Array.from({ length: 500 }, (_, n) => `word${n}`).join(" ");
  assert.equal(matches(many).length, 48);
});
