import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { readBinary } from "../../src/core/sqlite/binary.ts";
import { Database } from "../../src/core/sqlite/database.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { SqliteError } from "../../src/core/sqlite/error.ts";
import { compile, instantiate } from "../../src/core/sqlite/instance.ts";

describe("errors", () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });

  test("the kind follows from the primary result code, or from the extended one if that says more", () => {
    const kinds = { 1: "syntax", 7: "nomem", 3082: "nomem", 11: "corrupt", 267: "corrupt", 26: "corrupt" };
    const others = {
      13: "full",
      19: "constraint",
      2067: "constraint",
      21: "misuse",
      25: "misuse",
      10: "other",
    };
    for (const [code, kind] of Object.entries({ ...kinds, ...others })) {
      const error = new SqliteError("text", Number(code));
      assert.equal(error.kind, kind, code);
      assert.equal(error.code, Number(code) % 256);
      assert.equal(error.extendedCode, Number(code));
    }
  });

  test("invalid SQL is a syntax error in SQLite's words", () => {
    const database = new engine.Database();
    for (const sql of ["SELEC 1", "SELECT * FROM missing", "SELECT nothing()"]) {
      assert.throws(() => database.exec(sql), { name: "SqliteError", kind: "syntax", code: 1, fatal: false });
      assert.throws(() => database.prepare(sql), { kind: "syntax" });
    }
    assert.throws(() => database.run("SELEC"), /near "SELEC": syntax error/);
    database.close();
  });

  test("an invalid full-text query is a syntax error, and the statement takes the next one", () => {
    const database = new engine.Database().run(
      "CREATE VIRTUAL TABLE n USING fts5(a); INSERT INTO n VALUES ('x')",
    );
    const search = database.prepare("SELECT a FROM n WHERE n MATCH ?");
    assert.throws(() => search.get(['"']), { kind: "syntax" });
    assert.deepEqual(search.get(["x"]), ["x"]);
    database.close();
  });

  test("a broken constraint says which kind", () => {
    const database = new engine.Database().run("CREATE TABLE t(a UNIQUE NOT NULL); INSERT INTO t VALUES (1)");
    const insert = database.prepare("INSERT INTO t VALUES (?)");
    assert.throws(() => insert.run([1]), { kind: "constraint", code: 19, extendedCode: 2067 });
    assert.throws(() => insert.run([null]), { kind: "constraint", code: 19, extendedCode: 1299 });
    insert.run([2]);
    assert.deepEqual(database.exec("SELECT a FROM t")[0]?.values, [[1], [2]]);
    database.close();
  });

  test("an error in the middle of several statements keeps what came before and leaks nothing", () => {
    const database = new engine.Database().run("CREATE TABLE t(a)");
    database.run("INSERT INTO t VALUES (0)");
    const { used } = engine.memory();
    assert.throws(
      () => database.run("INSERT INTO t VALUES (1); INSERT INTO nowhere VALUES (2)"),
      SqliteError,
    );
    assert.throws(() => database.exec("SELECT 1; SELECT ?", ["a", "b"]), { kind: "misuse" });
    assert.deepEqual(database.exec("SELECT count(*) FROM t")[0]?.values, [[2]]);
    for (let attempt = 0; attempt < 20; attempt++) {
      assert.throws(() => database.run("SELECT ?", [undefined as never]), { kind: "misuse" });
    }
    assert.ok(engine.memory().used - used < 2000);
    database.close();
  });

  test("preparing nothing, or SQL with a NUL, is a misuse", () => {
    const database = new engine.Database();
    assert.throws(() => database.prepare(" -- nothing"), { kind: "misuse" });
    assert.throws(() => database.run("SELECT 1\0; SELECT 2"), { kind: "misuse" });
    database.close();
  });

  test("a closed database and its statements refuse every call", () => {
    const database = new engine.Database();
    const statement = database.prepare("SELECT 1");
    database.close();
    const calls = [
      () => database.run("SELECT 1"),
      () => database.exec("SELECT 1"),
      () => database.prepare("SELECT 1"),
      () => database.export(),
      () => statement.step(),
      () => statement.bind([]),
      () => statement.get(),
      () => statement.run(),
      () => statement.reset(),
    ];
    for (const call of calls) assert.throws(call, { name: "SqliteError", kind: "misuse", code: 21 });
  });

  test("a trap loses the engine with a fatal error, and a new one works", async () => {
    const module = await compile(await readBinary());
    const instance = await instantiate(module);
    const database = new Database(instance);
    const statement = database.prepare("SELECT 1");
    assert.throws(() => instance.api.sqlite3_finalize(0x7fff_0000), { fatal: true, kind: "corrupt" });
    for (const call of [
      () => statement.step(),
      () => database.exec("SELECT 1"),
      () => new Database(instance),
    ]) {
      assert.throws(call, { name: "SqliteError", fatal: true });
    }
    statement.free();
    database.close();
    assert.deepEqual(new Database(await instantiate(module)).exec("SELECT 1")[0]?.values, [[1]]);
  });
});
