import assert from "node:assert/strict";
import { test } from "node:test";
import { openEngine } from "../../src/sqlite/engine.ts";

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
