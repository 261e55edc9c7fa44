import assert from "node:assert/strict";
import { test } from "node:test";
import { type Engine, openEngine } from "../../src/sqlite/engine.ts";
import { SqliteError } from "../../src/sqlite/error.ts";
import { fillNotes } from "./notes.ts";

const COUNT = "SELECT count(*), sum(length(text)) FROM documents";
const isDamage = (error: unknown) => error instanceof SqliteError && error.kind === "corrupt" && !error.fatal;

function notesOf(engine: Engine): Uint8Array {
  const database = new engine.Database();
  fillNotes(database, 200);
  const bytes = database.export();
  database.close();
  return bytes;
}

const readerOf = (bytes: Uint8Array) => (target: Uint8Array, position: number) =>
  target.set(bytes.subarray(position, position + target.length));

test("a database is read where it lies, as if it were in memory, and takes no writing", async () => {
  const engine = await openEngine();
  const bytes = notesOf(engine);
  const [there, inMemory] = [
    engine.open({ size: bytes.length, read: readerOf(bytes) }),
    new engine.Database(bytes),
  ];
  for (const sql of [
    COUNT,
    "SELECT rowid, bm25(notes) FROM notes WHERE notes MATCH 'word7 OR word1*' ORDER BY 2",
  ])
    assert.deepEqual(there.exec(sql), inMemory.exec(sql));
  assert.throws(() => there.run("DELETE FROM documents"), /readonly/);
  assert.throws(() => there.export(), /read where it lies/);
  there.close();
  inMemory.close();
});

test("several are open at a time, and each reads its own", async () => {
  const engine = await openEngine();
  const bytes = [1, 2, 3].map((value) => {
    const database = new engine.Database().run(`CREATE TABLE t (a); INSERT INTO t VALUES (${value})`);
    return database.export();
  });
  const open = bytes.map((file) => engine.open({ size: file.length, read: readerOf(file) }));
  open[0]?.close();
  const again = engine.open({ size: bytes[2]?.length ?? 0, read: readerOf(bytes[2] ?? assert.fail()) });
  const values = [open[1], open[2], again].map((db) => db?.exec("SELECT a FROM t")[0]?.values[0]?.[0]);
  assert.deepEqual(values, [2, 3, 3]);
});

test("what cannot be read counts as damaged, and the engine goes on", async () => {
  const engine = await openEngine();
  const bytes = notesOf(engine);
  let isBroken = false;
  const read = (target: Uint8Array, position: number) => {
    if (isBroken) throw new Error("the disk is gone");
    readerOf(bytes)(target, position);
  };
  const database = engine.open({ size: bytes.length, read });
  database.exec("SELECT count(*) FROM sqlite_schema");
  isBroken = true;
  assert.throws(() => database.exec(COUNT), isDamage);
  isBroken = false;
  assert.equal(database.exec(COUNT)[0]?.values[0]?.[0], 200);
  database.close();
});

test("bytes that are no database, or too few, are an error as well", async () => {
  const engine = await openEngine();
  for (const bytes of [
    Buffer.alloc(8192, 7),
    Buffer.from("SQLite format 3\0"),
    notesOf(engine).subarray(0, 5000),
  ]) {
    const database = engine.open({ size: bytes.length, read: readerOf(bytes) });
    assert.throws(() => database.exec(COUNT), SqliteError);
    database.close();
  }
});

test("SQL opens no file of this machine", async () => {
  const database = new (await openEngine()).Database();
  assert.throws(
    () => database.run("ATTACH '/etc/hostname' AS other; SELECT * FROM other.sqlite_schema"),
    /unable to open/,
  );
  assert.throws(
    () => database.run("ATTACH '/99' AS other; SELECT * FROM other.sqlite_schema"),
    /unable to open/,
  );
  database.close();
});

test("a source that was closed is not there any more", async () => {
  const engine = await openEngine();
  const bytes = notesOf(engine);
  engine.open({ size: bytes.length, read: readerOf(bytes) }).close();
  const database = new engine.Database();
  assert.throws(
    () => database.run("ATTACH '/3' AS other; SELECT * FROM other.sqlite_schema"),
    /unable to open/,
  );
  database.close();
});

test("opening and closing again and again keeps no memory", async () => {
  const engine = await openEngine();
  const bytes = notesOf(engine);
  const once = () => {
    const database = engine.open({ size: bytes.length, read: readerOf(bytes) });
    database.exec(COUNT);
    database.close();
  };
  once();
  const { used } = engine.memory();
  for (let n = 0; n < 200; n++) once();
  assert.equal(engine.memory().used, used);
});
