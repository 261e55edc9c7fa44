import assert from "node:assert/strict";
import { test } from "node:test";
import { bestCoverage, coverageOf } from "../../src/core/search/coverage.ts";

const part = (weight: number, ...chunks: number[]) => ({ weight, chunks: Int32Array.from(chunks) });
const all = { size: 9, least: 0 };

test("a chunk covers the clauses that it holds, by their weights", () => {
  const { of, matches } = coverageOf([part(2, 1, 3), part(1, 3, 4)], all);
  assert.deepEqual([of[1], of[2], of[3], of[4]], [2, 0, 3, 1]);
  assert.deepEqual([...matches], [1, 3, 4]);
});

test("a chunk that covers less than a share of the best one is no match", () => {
  const parts = [part(2, 1, 3), part(1, 3, 4)];
  assert.deepEqual([...coverageOf(parts, { size: 9, least: 0.5 }).matches], [1, 3]);
  assert.deepEqual([...coverageOf(parts, { size: 9, least: 1 }).matches], [3]);
});

test("filtered chunks cover nothing, and are not the best either", () => {
  const allowed = Uint8Array.from([0, 1, 0, 0, 1, 0, 0, 0, 0, 0]);
  const { matches } = coverageOf([part(2, 1, 3), part(1, 3, 4)], { size: 9, least: 0.5, allowed });
  assert.deepEqual([...matches], [1, 4]);
  assert.deepEqual([...coverageOf([part(2, 3)], { size: 9, least: 0.2, allowed }).matches], []);
});

test("the best levels of coverage are taken whole until there are enough chunks", () => {
  const coverage = coverageOf([part(1, 1, 2, 3, 4, 5, 6), part(1, 2, 3, 4), part(1, 3)], all);
  assert.deepEqual([...bestCoverage(coverage, 1)], [3]);
  assert.deepEqual([...bestCoverage(coverage, 2)], [2, 3, 4]);
  assert.deepEqual([...bestCoverage(coverage, 3)], [2, 3, 4]);
  assert.deepEqual([...bestCoverage(coverage, 4)], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...bestCoverage(coverage, 100)], [1, 2, 3, 4, 5, 6]);
});
