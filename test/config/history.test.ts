import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_BOUNDS, DEFAULT_HISTORY, parseHistory } from "../../src/core/config/history.ts";

test("the history is bounded by an age, a size or both, in any order", () => {
  const MB = 1024 * 1024;
  assert.deepEqual(parseHistory(DEFAULT_HISTORY), DEFAULT_BOUNDS);
  assert.deepEqual(parseHistory("7d"), { on: true, days: 7, bytes: 200 * MB });
  assert.deepEqual(parseHistory("1GB"), { on: true, days: 90, bytes: 1024 * MB });
  assert.deepEqual(parseHistory(" 5 mb , 30D "), { on: true, days: 30, bytes: 5 * MB });
  assert.equal(parseHistory("OFF")?.on, false);
});

test("anything else is refused", () => {
  for (const text of ["", "90", "d", "0d", "-1d", "1.5d", "90d,", "90d;1GB", "1TB", "99999d", "on"])
    assert.equal(parseHistory(text), undefined, text);
});
