import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { groupBy, isSameData, once, setMostRecent } from "../../src/core/lib/collections.ts";

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
  const numbers = [1, 2, 3].values();
  assert.deepEqual([...groupBy(numbers, (number) => number % 2).values()], [[1, 3], [2]]);
});

test("the oldest gives way, and what is set again is the youngest", () => {
  const values = new Map<string, number>();
  assert.equal(setMostRecent(values, 2, ["a", 1]), undefined);
  assert.equal(setMostRecent(values, 2, ["b", 2]), undefined);
  assert.equal(setMostRecent(values, 2, ["a", 3]), undefined);
  assert.equal(setMostRecent(values, 2, ["c", 4]), 2);
  assert.deepEqual(
    [...values],
    [
      ["a", 3],
      ["c", 4],
    ],
  );
});

test("a value is made once, on first use, even if it is undefined", () => {
  let calls = 0;
  const value = once(() => void calls++);
  assert.equal(calls, 0);
  assert.deepEqual([value(), value(), calls], [undefined, undefined, 1]);
});

test("data is the same as Node.js has it", () => {
  const leaf = fc.constantFrom(null, true, 0, -0, 1, Number.NaN, "", "1");
  const { data } = fc.letrec((tie) => ({
    data: fc.oneof(
      leaf,
      fc.array(tie("data"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("data"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  }));
  fc.assert(
    fc.property(data, data, (a, b) => {
      assert.equal(isSameData(a, b), isDeepStrictEqual(a, b));
      assert.ok(isSameData(a, structuredClone(a)));
    }),
  );
});
