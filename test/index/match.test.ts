import assert from "node:assert/strict";
import { test } from "node:test";
import { planMatch } from "../../src/index/match.ts";
import { analyse } from "../../src/index/query.ts";
import type { Vocabulary } from "../../src/index/vocabulary.ts";

const known = new Map([
  ...["bearer", "token", "the", "of", "se", "react", "0296"].map((word) => [word, 10] as const),
  ["rare", 1],
]);

/** A vocabulary in which every letter of an unspaced script is known. */
const vocabulary: Vocabulary = {
  chunks: 1000,
  frequency: (word) => known.get(word) ?? (/^[\u3000-\u9fff]$/.test(word) ? 10 : 0),
  neighbours: (word) => (word === "tokn" ? ["token"] : []),
};

const plan = (query: string) => planMatch(analyse(query), vocabulary);
const matches = (query: string) => plan(query).parts.map(({ match }) => match);

test("each word is looked for by itself, and neighbours as a phrase that adds no coverage", () => {
  const { parts } = plan("bearer token");
  assert.deepEqual(
    parts.map(({ match, weight }) => [match, weight > 0]),
    [
      ['"bearer"', true],
      ['"token"', true],
      ['"bearer token"', false],
    ],
  );
});

test("a rare word weighs more than a common one", () => {
  const [common, rare] = plan("token rare").parts;
  assert.ok((rare?.weight ?? 0) > (common?.weight ?? 0));
});

test("a longer run is looked for as a whole and by its pairs, each once", () => {
  assert.deepEqual(matches("認証"), ['"認 証"']);
  assert.deepEqual(matches("認証局"), ['"認 証 局"', '"認 証"', '"証 局"']);
  assert.deepEqual(matches("あああああ"), ['"あ あ あ あ あ"', '"あ あ"']);
});

test("small words go, but not the last one left, not in capitals, not beside a number", () => {
  assert.deepEqual(matches("the token"), ['"token"', '"the token"']);
  assert.deepEqual(matches("of the"), ['"of"', '"the"']);
  assert.ok(matches("SE token").includes('"se"'));
  assert.ok(matches("se 0296").includes('"se"'));
});

test("an unknown word gives way to its neighbour, and stays when it has none", () => {
  const { parts, corrections, terms } = plan("bearer tokn");
  assert.deepEqual([...corrections], [["tokn", "token"]]);
  assert.deepEqual(
    parts.map(({ match }) => match),
    ['"bearer"', '"token"', '"bearer token"'],
  );
  assert.deepEqual(
    terms.map(({ tokens }) => tokens[0]),
    ["bearer", "token"],
  );
  assert.deepEqual([matches("qwrtz"), plan("qwrtz").corrections.size], [['"qwrtz"'], 0]);
});

test("however long the query, the parts are bounded", () => {
  const words = Array.from({ length: 500 }, (_, n) => `word${n}`).join(" ");
  assert.equal(plan(words).parts.length, 48);
});
