import assert from "node:assert/strict";
import { test } from "node:test";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { SqliteError } from "../../src/core/sqlite/error.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { fillNotes } from "../fixtures/sample-database.ts";

const MEGABYTE = 1024 * 1024;

function errorOf(run: () => unknown): SqliteError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof SqliteError, String(error));
    return error;
  }
  return assert.fail("nothing was thrown");
}

function fillUntilError(database: SqlDatabase, size: number): SqliteError {
  const insert = database.prepare("INSERT INTO t VALUES (?)");
  const blob = new Uint8Array(size);
  return errorOf(() => {
    for (;;) insert.run([blob]);
  });
}

test("a database at its page limit is full, keeps its rows and takes more when allowed", async () => {
  const database = new (await openEngine()).Database();
  database.run("CREATE TABLE t(a); PRAGMA max_page_count = 50");
  assert.equal(fillUntilError(database, 5000).kind, "full");
  const rows = Number(database.exec("SELECT count(*) FROM t")[0]?.values[0]?.[0]);
  assert.ok(rows > 10);
  database.run("PRAGMA max_page_count = 100; INSERT INTO t VALUES (zeroblob(5000))");
  assert.deepEqual(database.exec("SELECT count(*) FROM t; PRAGMA integrity_check").length, 2);
  assert.deepEqual(database.exec("PRAGMA integrity_check")[0]?.values, [["ok"]]);
  database.close();
});

test("an engine out of memory loses the statement, not the database nor the others", async () => {
  const engine = await openEngine({ memoryLimit: 32 * MEGABYTE });
  const [database, other] = [new engine.Database().run("CREATE TABLE t(a)"), new engine.Database()];
  fillNotes(other, 20);
  for (const size of [300, 50_000, 3 * MEGABYTE]) {
    const error = fillUntilError(database, size);
    assert.equal(error.kind, "nomem", error.message);
    assert.equal(error.fatal, false);
    assert.ok(database.exec("SELECT count(*) FROM t")[0]);
    assert.deepEqual(other.exec("SELECT count(*) FROM documents")[0]?.values, [[20]]);
  }
  assert.ok(engine.memory().reserved <= 32 * MEGABYTE);
  database.close();
  other.run("INSERT INTO documents VALUES (99, 'after', ?)", ["x".repeat(2 * MEGABYTE)]);
  assert.deepEqual(other.exec("PRAGMA integrity_check")[0]?.values, [["ok"]]);
  other.close();
});

test("a transaction that runs out of memory rolls back to what was there", async () => {
  const engine = await openEngine({ memoryLimit: 32 * MEGABYTE });
  const database = new engine.Database();
  fillNotes(database, 100);
  const before = database.exec("SELECT * FROM documents");
  database.run("CREATE TABLE t(a); BEGIN; DELETE FROM documents WHERE id > 50");
  assert.equal(fillUntilError(database, 100_000).kind, "nomem");
  errorOf(() => database.run("ROLLBACK; SELECT * FROM nowhere"));
  assert.deepEqual(database.exec("SELECT * FROM documents"), before);
  assert.deepEqual(database.exec("PRAGMA integrity_check")[0]?.values, [["ok"]]);
  database.close();
});

test("an image, text or blob too large for the memory is refused and leaks nothing", async () => {
  const engine = await openEngine({ memoryLimit: 16 * MEGABYTE });
  const empty = engine.memory().used;
  assert.equal(errorOf(() => new engine.Database(new Uint8Array(17 * MEGABYTE))).kind, "nomem");
  assert.equal(engine.memory().used, empty);
  const database = new engine.Database();
  const statement = database.prepare("SELECT length(?)");
  const { used } = engine.memory();
  assert.equal(errorOf(() => statement.get(["x".repeat(17 * MEGABYTE)])).kind, "nomem");
  assert.equal(errorOf(() => database.exec("SELECT hex(zeroblob(900000000))")).kind, "nomem");
  assert.equal(errorOf(() => database.exec(`SELECT '${"x".repeat(17 * MEGABYTE)}'`)).kind, "nomem");
  assert.equal(errorOf(() => database.exec("SELECT zeroblob(900000000)")).kind, "nomem");
  assert.equal(errorOf(() => database.exec("SELECT ?", ["x".repeat(9 * MEGABYTE)])).kind, "nomem");
  assert.deepEqual(statement.get(["four"]), [4]);
  statement.reset();
  assert.ok(engine.memory().used - used < 10_000);
  database.close();
});

test("a statement frees the memory of a large value when it is reset", async () => {
  const engine = await openEngine();
  const database = new engine.Database();
  const statement = database.prepare("SELECT length(?)");
  statement.bind([""]);
  const { used } = engine.memory();
  assert.deepEqual(statement.get(["x".repeat(MEGABYTE)]), [MEGABYTE]);
  assert.ok(engine.memory().used - used >= MEGABYTE);
  statement.reset();
  assert.ok(engine.memory().used - used < 10_000);
  database.close();
});

test("100,000 statements leave no memory behind", async () => {
  const engine = await openEngine();
  const database = new engine.Database().run("CREATE TABLE t(a); INSERT INTO t VALUES ('x')");
  const cycle = (index: number) => {
    const statement = database.prepare("SELECT a, ?, ? FROM t");
    statement.bind([index, "some text to bind"]);
    assert.equal(statement.step(), true);
    statement.free();
  };
  for (let index = 0; index < 100; index++) cycle(index);
  const before = engine.memory();
  for (let index = 0; index < 100_000; index++) cycle(index);
  assert.deepEqual(engine.memory(), before);
  database.close();
});

test("exec keeps a bounded number of statements prepared", async () => {
  const engine = await openEngine();
  const database = new engine.Database();
  const run = (first: number, count: number) => {
    for (let index = 0; index < count; index++) database.exec(`SELECT ${first + index}, ?`, ["a text"]);
    return engine.memory().used;
  };
  const empty = engine.memory().used;
  const cached = run(1000, 100);
  assert.ok(cached > empty);
  assert.ok(run(2000, 1000) < cached + 10_000);
  database.close();
  assert.ok(engine.memory().used < empty);
});

test("opening and closing databases leaves no memory behind", async () => {
  const engine = await openEngine();
  const seed = new engine.Database();
  fillNotes(seed, 50);
  const image = seed.export();
  seed.close();
  const { used } = engine.memory();
  for (let index = 0; index < 500; index++) {
    const database = new engine.Database(image);
    database.exec("SELECT rowid FROM notes WHERE notes MATCH 'word7'");
    database.close();
  }
  assert.equal(engine.memory().used, used);
});

test("rows written and read while the memory grows are correct", async () => {
  const engine = await openEngine();
  const { reserved } = engine.memory();
  const database = new engine.Database().run("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); BEGIN");
  const insert = database.prepare("INSERT INTO t(a, b) VALUES (?, ?)");
  const text = (row: number) => `é${row} `.repeat(row % 700);
  for (let row = 0; row < 10_000; row++) insert.run([text(row), new Uint8Array(row % 500).fill(row)]);
  database.run("COMMIT");
  assert.ok(engine.memory().reserved > 2 * reserved);
  const select = database.prepare("SELECT a, b FROM t ORDER BY id");
  for (let row = 0; select.step(); row++) {
    const [a, b] = select.get();
    assert.equal(a, text(row));
    assert.deepEqual(b, new Uint8Array(row % 500).fill(row));
  }
  database.close();
});

test("a database with capacity takes no second copy while it grows, and grows beyond it", async () => {
  const engine = await openEngine();
  const fill = "INSERT INTO t VALUES (randomblob(1000000))";
  const db = new engine.Database(null, 30_000_000).run("CREATE TABLE t (a)");
  const { used } = engine.memory();
  for (let n = 0; n < 20; n++) db.run(fill);
  assert.ok(engine.memory().used - used < 20_000_000, "the pages fit what was reserved");
  for (let n = 0; n < 20; n++) db.run(fill);
  assert.deepEqual(db.exec("SELECT count(*), sum(length(a)) FROM t")[0]?.values, [[40, 40_000_000]]);
  assert.deepEqual(new engine.Database(db.export()).exec("PRAGMA integrity_check")[0]?.values, [["ok"]]);
  db.close();
});
