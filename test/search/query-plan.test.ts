import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openScope } from "../../src/core/search/filter.ts";
import { lookUp } from "../../src/core/search/lookup.ts";
import { analyse } from "../../src/core/search/query.ts";
import { planQuery } from "../../src/core/search/query-plan.ts";
import { TUNING } from "../../src/core/search/weights.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex, textOf } from "../fixtures/entries.ts";

const SIZE = { count: 100, allowed: 100 };
const LONG_RUN = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x5000 + n)).join("");
let db: SqlDatabase;
before(async () => {
  const texts = [
    "bearer token of the rare se react 0296 v 2",
    "bearer token the react of",
    "bearer token",
    "認証局",
    "設計について",
    "reacts reacting react",
    "reacting",
    "これは なんですか あああああ",
    "reacttoken",
    Array.from({ length: 60 }, (_, n) => `word${n}`).join(" "),
    LONG_RUN,
  ];
  db = openIndex(
    await openEngine(),
    texts.map((text, at) => makeEntry(`p/notes/${at}.md`, text)),
  );
});

const plan = (query: string, also: string[] = [], size = SIZE) => {
  const [analysis, ...others] = [query, ...also].map((text) => analyse(text));
  assert.ok(analysis);
  const found = lookUp(openScope(db, {}, textOf), { query: analysis, also: others });
  return planQuery(analysis, found, size);
};
const words = (query: string) => plan(query).clauses.map(({ match }) => match);
const phrases = (query: string) => plan(query).phrases.map(({ match }) => match);
const matches = (query: string) => [...words(query), ...phrases(query)];

test("each word is a clause, and neighbours are a phrase that adds no coverage", () => {
  const { clauses } = plan("bearer token");
  assert.deepEqual(
    clauses.map(({ match, weight, chunks }) => [match, weight > 0, chunks.length]),
    [
      ['"bearer"', true, 3],
      ['"token"', true, 3],
    ],
  );
  assert.deepEqual(phrases("bearer token"), ['"bearer token"']);
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

test("of a run, only the pairs that the documents hold count; without any, it is missing", () => {
  const some = plan("認証書");
  assert.deepEqual([some.clauses.map(({ match }) => match), some.missing], [['"認 証"'], []]);
  assert.ok(some.missingWeight > 0);
  assert.deepEqual(plan("電話帳").missing, ["電話帳"]);
});

test("of a long run, no more pairs are looked up than a query has clauses", () => {
  const { clauses, missingWeight } = plan(`${LONG_RUN}${"電話帳".repeat(9)}`);
  assert.deepEqual([clauses.length, missingWeight], [48, 0]);
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
});

test("a word is searched with its forms, which count less, and only in passages without the word", () => {
  const [own, forms] = plan("react").clauses;
  assert.deepEqual([own?.match, forms?.match], ['"react"', '"reacting" OR "reacts"']);
  assert.ok((forms?.weight ?? 0) > 0 && (forms?.weight ?? 0) < (own?.weight ?? 0));
  assert.deepEqual([own?.isScored, forms?.isScored], [true, false]);
  assert.deepEqual([[...(own?.chunks ?? [])].length, [...(forms?.chunks ?? [])].length], [3, 1]);
  assert.equal(plan("react").whole, own?.weight);
});

test("forms weigh four fifths of a word that is as rare as the word and its forms together", () => {
  const [own, forms] = plan("react").clauses;
  const rarity = (found: number) => Math.log(1 + (SIZE.count - found + 0.5) / (found + 0.5));
  assert.deepEqual([own?.weight, forms?.weight], [rarity(3), 0.8 * rarity(4)]);
});

test("pairs of words count less than words, least beside stop words and names; runs count fully", () => {
  const shares = (query: string) =>
    Object.fromEntries(
      plan(query).phrases.map(({ texts: [text = ""], weight, chunks }) => {
        const alone = Math.log(1 + (SIZE.count - chunks.length + 0.5) / (chunks.length + 0.5));
        return [text, Number((weight / alone).toFixed(2))];
      }),
    );
  const { fewWordsPair: few, pair, minorPair: minor } = TUNING;
  assert.deepEqual(shares("bearer token"), { "bearer token": few });
  assert.deepEqual(shares("the token"), { "the token": few });
  assert.deepEqual(shares("bearer token of the rare se react reacting reacts"), {
    ...{ "bearer token": pair, "token of": minor, "the rare": minor, "rare se": minor, "se react": minor },
    "react reacting": pair,
    "reacting reacts": pair,
  });
  assert.deepEqual(shares("bearer token `react` rare"), {
    ...{ "bearer token": minor, "token react": few, "react rare": few },
  });
  assert.deepEqual(shares("認証局"), { "認 証 局": 1 });
});

test("a name weighs more than the rarest other word, and the words inside it count half", () => {
  const weights = (query: string) => plan(query).clauses.map(({ of, weight }) => [of, weight] as const);
  for (const query of ["rare `token`", "rare reactToken", "rare 2"]) {
    const [[, word] = [], [, name = 0] = []] = weights(query);
    assert.ok(name >= (word ?? 0), query);
  }
  const [[, plain = 0] = []] = weights("reacttoken");
  const [[, name = 0] = [], ...parts] = weights("reactToken");
  assert.ok(name > plain);
  assert.deepEqual(
    parts.map(([of]) => of),
    ["react", "token"],
  );
  const [[, token = 0] = []] = weights("token");
  assert.equal(parts[1]?.[1], token * TUNING.parts);
  assert.equal(weights("token reactToken")[0]?.[1], token, "a word of the query itself counts fully");
});

test("in place of a word that the documents do not hold, its forms count like it", () => {
  const { clauses, corrections, missing } = plan("tokens bearer");
  const [token] = plan("token").clauses;
  assert.equal(clauses[0]?.weight, token?.weight);
  assert.deepEqual(
    clauses.map(({ match, isScored }) => [match, isScored]),
    [
      ['"token"', true],
      ['"bearer"', true],
    ],
  );
  assert.deepEqual([corrections.size, missing], [0, []]);
  assert.deepEqual(phrases("tokens bearer"), ['"token bearer"']);
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
  const both = plan("bearer", ["token zzz", "bearer"]);
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
});

test("a name that the notes write in another way is searched by its words", () => {
  const expected = ['"bearer"', '"token"', '"rare"', '"bearer token"', '"token rare"'];
  assert.deepEqual(matches("bearerTokenRare"), expected);
  assert.deepEqual(matches("0296v2"), ['"0296"', '"v"', '"2"', '"0296 v"', '"v 2"']);
  assert.ok(matches("bearerTokn").includes('"token"'), "its words are corrected");
  assert.deepEqual(matches("reactToken"), ['"reacttoken"', '"react"', '"token"']);
});

test("a word that is also part of a name is one clause", () => {
  assert.deepEqual(words("token bearerTokenRare rareToken"), ['"token"', '"bearer"', '"rare"']);
});

test("of a question only a minority of unknown words is corrected: it may be in another language", () => {
  const corrected = (query: string) => [...plan(query).corrections.keys()];
  assert.deepEqual(corrected("tokn 1234 認証"), ["tokn"]);
  assert.deepEqual(corrected("bearr tokn"), ["bearr", "tokn"]);
  assert.deepEqual(corrected("bearer token rare tokn"), ["tokn"]);
  assert.deepEqual(corrected("bearer bearr qwrtz tokn"), []);
});

test("the phrase of a long unspaced run is bounded", () => {
  const [run = ""] = phrases("認証局".repeat(1000));
  assert.equal(run.split(" ").length, 48);
});

test("the clauses of a long query are bounded", () => {
  const all = Array.from({ length: 500 }, (_, n) => `word${n}`);
  assert.equal(matches(all.join(" ")).length, 48);
});

const weakShare = (query: string, count = SIZE.count) => {
  const { weakBelow, whole, missingWeight } = plan(query, [], { count, allowed: count });
  return weakBelow / (whole + missingWeight);
};

test("in a large workspace a question without spaces must be covered further, since its pairs meet by chance", () => {
  const [question, sentence] = [
    "設計について認証局は何をどう決めますか",
    "reacts reacting react bearer token the rare se v 2 of 0296 words",
  ];
  assert.ok(weakShare(question, 100) < 0.16);
  assert.ok(weakShare(question, 20_000) > 0.33);
  assert.ok(weakShare(sentence, 20_000) < 0.3);
});

test("how far a question must be covered depends on how it is written, not on what the documents hold", () => {
  for (const [known, other] of [
    ["bearer 認証", "bearer 電話"],
    ["bearer rare", "bearer qwrtz"],
    // Two words are near: `react` and `reacts`.
    ["bearer token", "bearer reactz"],
  ] as const)
    assert.equal(weakShare(other).toFixed(9), weakShare(known).toFixed(9), other);
});
