import assert from "node:assert/strict";
import { test } from "node:test";
import { openEngine } from "../../src/core/sqlite/engine.ts";

const FTS = `CREATE VIRTUAL TABLE notes USING fts5(
  body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`;

test("the engine is SQLite 3.43 or later, which contentless_delete needs", async () => {
  const database = new (await openEngine()).Database();
  const version = String(database.exec("SELECT sqlite_version()")[0]?.values[0]?.[0]);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  assert.ok(major > 3 || (major === 3 && minor >= 43), version);
});

test("FTS5 finds words without their diacritics and forgets deleted rows", async () => {
  const database = new (await openEngine()).Database();
  database.run(FTS);
  database.run("INSERT INTO notes(rowid, body) VALUES (1, 'una canción'), (2, 'una cancion más')");
  const search = "SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY rowid";
  assert.deepEqual(database.exec(search, ["cancion"])[0]?.values, [[1], [2]]);
  database.run("DELETE FROM notes WHERE rowid = 1");
  assert.deepEqual(database.exec(search, ["CANCIÓN"])[0]?.values, [[2]]);
  database.close();
});

test("the ranking functions bm25() and power() exist", async () => {
  const database = new (await openEngine()).Database();
  database.run(FTS).run("INSERT INTO notes(rowid, body) VALUES (1, 'word'), (2, 'other'), (3, 'third')");
  const [result] = database.exec(
    "SELECT power(2, 10) AS p, bm25(notes) AS r FROM notes WHERE notes MATCH 'word'",
  );
  assert.deepEqual(result?.columns, ["p", "r"]);
  assert.equal(result?.values[0]?.[0], 1024);
  assert.ok(Number(result?.values[0]?.[1]) < 0);
  database.close();
});

test("the clock is the machine's", async () => {
  const database = new (await openEngine()).Database();
  const [result] = database.exec("SELECT unixepoch()");
  assert.ok(Math.abs(Number(result?.values[0]?.[0]) - Date.now() / 1000) < 5);
  database.close();
});

test("local time is that of the process's time zone, summer and winter", async () => {
  const database = new (await openEngine()).Database();
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/New_York";
  try {
    const [result] = database.exec(
      "SELECT datetime(1718452800, 'unixepoch', 'localtime'), datetime(0, 'unixepoch', 'localtime')",
    );
    assert.deepEqual(result?.values[0], ["2024-06-15 08:00:00", "1969-12-31 19:00:00"]);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
  database.close();
});

test("compiling leaves the main thread free for other work", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await openEngine();
  clearInterval(timer);
  assert.ok(turns > 0);
});

test("a renewed engine starts empty and does not affect the first one", async () => {
  const engine = await openEngine();
  const database = new engine.Database().run("CREATE TABLE t(a)");
  const renewed = await engine.renew();
  assert.ok(renewed.memory().used < engine.memory().used);
  assert.throws(() => new renewed.Database().exec("SELECT * FROM t"), { name: "SqliteError" });
  assert.deepEqual(database.exec("SELECT count(*) FROM t")[0]?.values, [[0]]);
});
