import assert from "node:assert/strict";
import { test } from "node:test";
import { cached } from "../../src/core/index/query-cache.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";

const engine = await openEngine();

function open() {
  const db = new engine.Database().run("CREATE TABLE t(a)");
  const made: string[] = [];
  const ask = (key: string, size?: number) => {
    const make = () => {
      made.push(key);
      return `${key}!`;
    };
    assert.equal(cached(db, key, make, size === undefined ? undefined : () => size), `${key}!`);
  };
  return { db, made, ask };
}

test("a value is made once until the index changes", () => {
  const { db, made, ask } = open();
  for (const key of ["a", "b", "a"]) ask(key);
  assert.deepEqual(made, ["a", "b"]);
  db.run("INSERT INTO t VALUES (1)");
  for (const key of ["a", "a"]) ask(key);
  assert.deepEqual(made, ["a", "b", "a"]);
});

test("many small values are cached, and none that takes all the room", () => {
  const { made, ask } = open();
  const keys = Array.from({ length: 500 }, (_, n) => `k${n}`);
  for (const key of [...keys, ...keys]) ask(key, 1 / 64);
  assert.deepEqual(made, keys);
  for (const key of ["a", "a"]) ask(key, 100);
  assert.deepEqual(made, [...keys, "a", "a"]);
});

test("the room of cached values is bounded: the least recently used go first", () => {
  const { made, ask } = open();
  ask("old");
  for (let n = 0; n < 500; n++) {
    ask(`k${n}`);
    ask("used again and again");
  }
  made.length = 0;
  for (const key of ["used again and again", "k499", "old", "k0"]) ask(key);
  assert.deepEqual(made, ["old", "k0"]);
});
