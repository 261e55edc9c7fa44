import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson, readNumbers } from "../../src/core/index/postings.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";

test("numbers and JSON are read from one text", async () => {
  const db = new (await openEngine()).Database();
  assert.deepEqual(
    [...readNumbers(db, "SELECT group_concat(value) FROM json_each(?)", ["[1,23,456]"])],
    [1, 23, 456],
  );
  for (const [one, numbers] of [
    ["7", [7]],
    ["'7'", [7]],
    ["''", []],
    ["NULL", []],
    ["1 WHERE 0", []],
  ] as const)
    assert.deepEqual([...readNumbers(db, `SELECT ${one}`)], numbers, one);
  assert.deepEqual(
    readJson(db, "SELECT json_group_array(json_array(value, ?)) FROM json_each('[1,2]')", ["é"]),
    [
      [1, "é"],
      [2, "é"],
    ],
  );
  db.close();
});
