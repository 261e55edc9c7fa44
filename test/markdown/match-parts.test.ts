import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matchParts } from "../../src/core/markdown/match-parts.ts";
import { assertProportionate } from "../fixtures/growth.ts";
import { numRuns } from "../fixtures/num-runs.ts";

test("partners are equal and stand in the same order in both", () => {
  const parts = fc.array(fc.constantFrom("a", "b", "c", "", "constructor"), { maxLength: 40 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const matches = matchParts(one, other);
      const places = matches.filter((place) => place !== -1);
      assert.deepEqual(
        places,
        [...new Set(places)].sort((a, b) => a - b),
      );
      for (const [at, place] of matches.entries()) if (place !== -1) assert.equal(one[at], other[place]);
    }),
    { numRuns: numRuns(2000) },
  );
});

test("what was added to a list, or removed from it, leaves all else paired", () => {
  const parts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 });
  fc.assert(
    fc.property(parts, parts, parts, (before, added, after) => {
      const [short, long] = [
        [...before, ...after],
        [...before, ...added, ...after],
      ];
      assert.ok(!matchParts(short, long).includes(-1));
      assert.equal(matchParts(long, short).filter((place) => place !== -1).length, short.length);
    }),
    { numRuns: numRuns(2000) },
  );
});

const rows: [one: string, other: string, matches: number[]][] = [
  ["abc", "abc", [0, 1, 2]],
  ["", "abc", []],
  ["abc", "", [-1, -1, -1]],
  ["aba", "a", [0, -1, -1]],
  ["a", "bab", [1]],
  ["..x..", ".x...", [0, -1, 1, 2, 3]],
  ["1.2.3.4.5..", "9.5....", [-1, 1, -1, -1, -1, -1, -1, -1, 2, 3, 4]],
];

for (const [one, other, matches] of rows)
  test(`partners in '${one}' and '${other}'`, () => {
    assert.deepEqual(matchParts([...one], [...other]), matches);
  });

test("the time to pair parts grows with their number, however many are equal", () => {
  const wrapped = (text: string, sign: string) => ["start", sign, ...text, sign, "end", ...text, sign];
  assertProportionate(
    ["a", "ab", "abc", "abcdefghij"],
    (text) => matchParts(wrapped(text, "1"), wrapped(`${text}a`, "2")),
    20_000,
  );
});
