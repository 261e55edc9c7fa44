import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../../src/search/query.ts";
import { addAlso, type Lookup, planQuery } from "../../src/search/query-plan.ts";
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
  passes: (chunks) => chunks.length > 0,
  forms: (word) => ({ tokens: ["token"], rares: ["rare"], react: ["reacts", "reacting"] })[word] ?? [],
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

test("a word is searched with its forms, which count less; in place of an unknown one they count like it", () => {
  known.set("reacts", 4).set("reacting", 20);
  const [own, forms] = plan("react").clauses;
  assert.deepEqual([own?.match, forms?.match], ['"react"', '"reacts" OR "reacting"']);
  assert.ok((forms?.weight ?? 0) > 0 && (forms?.weight ?? 0) < (own?.weight ?? 0));
  assert.deepEqual([own?.isScored, forms?.isScored], [true, false]);
  assert.equal(plan("react").whole, own?.weight);
  const instead = plan("rares bearer");
  assert.deepEqual(
    instead.clauses.map(({ match, isScored }) => [match, isScored]),
    [
      ['"rare"', true],
      ['"bearer"', true],
    ],
  );
  assert.deepEqual([instead.corrections.size, instead.missing], [0, []]);
  assert.deepEqual(phrases("rares bearer"), ['"rare bearer"']);
  assert.deepEqual(words("react").length, 2);
  assert.deepEqual(plan("react", { forms: 0 }).clauses.length, 1);
});

test("other forms count only where the word itself is not", () => {
  const forms = plan("react").clauses[1];
  assert.deepEqual([...(forms?.chunks ?? [])], []);
});

test("a word that nothing matches is missing, and weighs nothing in the rest", () => {
  const { clauses, whole, missing, missingWeight } = plan("bearer qwrtz");
  assert.deepEqual(missing, ["qwrtz"]);
  assert.equal(whole, clauses[0]?.weight);
  assert.ok(missingWeight > whole);
  assert.deepEqual(plan("the qwrtz").clauses, []);
});

test("what the notes may say instead counts half, without its own unknown words", () => {
  const own = plan("bearer");
  const both = addAlso(own, [plan("token zzz"), plan("bearer")], TUNING);
  assert.deepEqual(
    both.clauses.map(({ match, weight, isScored }) => [match, weight, isScored]),
    [
      ['"bearer"', own.whole, true],
      ['"token"', own.whole / 2, false],
    ],
  );
  assert.deepEqual([both.whole, both.missing], [own.whole, []]);
});

test("an unknown word is replaced by its neighbour, and is missing if it has none", () => {
  const { corrections, terms } = plan("bearer tokn");
  assert.deepEqual([...corrections], [["tokn", "token"]]);
  assert.deepEqual(matches("bearer tokn"), ['"bearer"', '"token"', '"bearer token"']);
  assert.deepEqual(
    terms.map(({ tokens }) => tokens[0]),
    ["bearer", "token"],
  );
  assert.deepEqual([matches("qwrtz"), plan("qwrtz").corrections.size], [[], 0]);
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
  assert.deepEqual(matches("0296v2"), ['"0296"', '"0296 v"', '"v 2"']);
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
  const all = Array.from({ length: 500 }, (_, n) => `word${n}`);
  for (const word of all) known.set(word, 1);
  assert.equal(matches(all.join(" ")).length, 48);
});
