import assert from "node:assert/strict";
import { test } from "node:test";
import { cached } from "../../src/index/query-cache.ts";
import { openEngine } from "../../src/sqlite/engine.ts";

const engine = await openEngine();

function open() {
  const db = new engine.Database().run("CREATE TABLE t(a)");
  const made: string[] = [];
  const ask = (key: string, isWorth?: (value: string) => boolean) => {
    const make = () => {
      made.push(key);
      return `${key}!`;
    };
    assert.equal(cached(db, key, make, isWorth), `${key}!`);
  };
  return { db, made, ask };
}

test("a value is made once while nothing is written, and anew after a write", () => {
  const { db, made, ask } = open();
  for (const key of ["a", "b", "a"]) ask(key);
  assert.deepEqual(made, ["a", "b"]);
  db.run("INSERT INTO t VALUES (1)");
  for (const key of ["a", "a"]) ask(key);
  assert.deepEqual(made, ["a", "b", "a"]);
});

test("what is not worth it is made each time", () => {
  const { made, ask } = open();
  for (const key of ["a", "a"]) ask(key, (value) => value !== "a!");
  assert.deepEqual(made, ["a", "a"]);
});

test("sixteen values are kept: those that were used last", () => {
  const { made, ask } = open();
  const keys = Array.from({ length: 16 }, (_, n) => `k${n}`);
  for (const key of [...keys, "k0", "new"]) ask(key);
  made.length = 0;
  for (const key of ["k0", "new", "k2", "k1"]) ask(key);
  assert.deepEqual(made, ["k1"]);
});
