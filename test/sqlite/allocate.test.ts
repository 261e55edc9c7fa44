import assert from "node:assert/strict";
import { test } from "node:test";
import { openEngine } from "../../src/sqlite/engine.ts";

test("a database is opened from the engine's own memory, which may grow meanwhile", async () => {
  const engine = await openEngine();
  const source = new engine.Database().run("CREATE TABLE t (a)");
  for (let n = 0; n < 20; n++) source.run("INSERT INTO t VALUES (randomblob(1000000))");
  const bytes = source.export();
  const fresh = await engine.renew();
  const room = fresh.allocate(bytes.length);
  room.bytes().set(bytes);
  const used = fresh.memory().used;
  const db = new fresh.Database(room.bytes());
  assert.ok(fresh.memory().used - used < 1_000_000, "no second copy");
  assert.deepEqual(db.exec("SELECT count(*), sum(length(a)) FROM t")[0]?.values, [[20, 20_000_000]]);
  db.close();
  assert.ok(fresh.memory().used < 1_000_000, "closing gives the room back");
});

test("room that nothing was opened from is given up", async () => {
  const engine = await openEngine();
  const before = engine.memory().used;
  engine.allocate(50_000_000).free();
  engine.allocate(0).free();
  assert.equal(engine.memory().used, before);
});

test("an empty database with room takes no second copy while it grows, and grows beyond the room", async () => {
  const engine = await openEngine();
  const fill = "INSERT INTO t VALUES (randomblob(1000000))";
  const db = engine.create(30_000_000).run("CREATE TABLE t (a)");
  const { used } = engine.memory();
  for (let n = 0; n < 20; n++) db.run(fill);
  assert.ok(engine.memory().used - used < 20_000_000, "the pages are in the room");
  for (let n = 0; n < 20; n++) db.run(fill);
  assert.deepEqual(db.exec("SELECT count(*), sum(length(a)) FROM t")[0]?.values, [[40, 40_000_000]]);
  assert.deepEqual(new engine.Database(db.export()).exec("PRAGMA integrity_check")[0]?.values, [["ok"]]);
  db.close();
});
