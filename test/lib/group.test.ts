import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { groupBy } from "../../src/lib/group.ts";

test("items are grouped by their key, keys and items in the order they come", () => {
  const groups = groupBy(["beta", "alpha", "bravo", "", "atom"], (word) => word.slice(0, 1));
  assert.deepEqual(
    [...groups],
    [
      ["b", ["beta", "bravo"]],
      ["a", ["alpha", "atom"]],
      ["", [""]],
    ],
  );
});

test("keys that objects would confuse stay apart", () => {
  const groups = groupBy([1, "1", "__proto__", null, undefined, Number.NaN, Number.NaN], (item) => item);
  assert.deepEqual(
    [...groups.values()].map((group) => group.length),
    [1, 1, 1, 1, 1, 2],
  );
});

test("nothing is grouped into nothing, and an iterator is read once", () => {
  assert.equal(groupBy([], String).size, 0);
  const once = [1, 2, 3].values();
  assert.deepEqual([...groupBy(once, (number) => number % 2).values()], [[1, 3], [2]]);
});

test("every item is in the one group of its key", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const groups = groupBy(numbers, (number) => number % 7);
      for (const [key, group] of groups) {
        assert.deepEqual(
          group,
          numbers.filter((number) => number % 7 === key),
        );
      }
      assert.equal([...groups.values()].flat().length, numbers.length);
    }),
  );
});
