import assert from "node:assert/strict";
import { test } from "node:test";
import { setYoungest } from "../../src/lib/lru.ts";

test("the oldest gives way, and what is set again is the youngest", () => {
  const values = new Map<string, number>();
  assert.equal(setYoungest(values, 2, ["a", 1]), undefined);
  assert.equal(setYoungest(values, 2, ["b", 2]), undefined);
  assert.equal(setYoungest(values, 2, ["a", 3]), undefined);
  assert.equal(setYoungest(values, 2, ["c", 4]), 2);
  assert.deepEqual(
    [...values],
    [
      ["a", 3],
      ["c", 4],
    ],
  );
});
