import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";

describe("databases and statements", () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine();
  });

  test("run takes several statements, comments and blanks, and returns the database", () => {
    const database = new engine.Database();
    const same = database.run("CREATE TABLE t(a); -- one\n INSERT INTO t VALUES (1), (2);; /* end */ ");
    assert.equal(same, database);
    assert.deepEqual(database.run("").exec("SELECT a FROM t"), [{ columns: ["a"], values: [[1], [2]] }]);
    database.close();
  });

  test("exec returns one result for each statement that returns rows", () => {
    const database = new engine.Database();
    const results = database.exec(
      "SELECT 1 AS a; CREATE TABLE t(b); SELECT * FROM t; SELECT :x AS c, 'é' AS d",
      {
        ":x": "y",
      },
    );
    assert.deepEqual(results, [
      { columns: ["a"], values: [[1]] },
      { columns: ["c", "d"], values: [["y", "é"]] },
    ]);
    database.close();
  });

  test("placeholders take arrays and objects; missing values are NULL", () => {
    const database = new engine.Database();
    const named = database.prepare("SELECT :a, @b, $c, ?5");
    assert.deepEqual(named.get({ ":a": 1, "@b": "two", $c: null, "?5": 5, ":unknown": 6 }), [
      1,
      "two",
      null,
      5,
    ]);
    assert.deepEqual(named.get({ "@b": 2 }), [null, 2, null, null]);
    assert.deepEqual(named.get([7, 8]), [7, 8, null, null]);
    assert.throws(() => named.get([1, 2, 3, 4, 5, 6]), { kind: "misuse", code: 25 });
    database.close();
  });

  test("a prepared statement is bound, stepped, read, reset and run again", () => {
    const database = new engine.Database().run("CREATE TABLE t(a, b)");
    const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
    for (let row = 0; row < 3; row++) insert.run([row, `row ${row}`]);
    const select = database.prepare("SELECT a, b FROM t WHERE a >= ? ORDER BY a");
    select.bind([1]);
    assert.equal(select.step(), true);
    assert.deepEqual(select.get(), [1, "row 1"]);
    assert.equal(select.step(), true);
    assert.deepEqual(select.get(), [2, "row 2"]);
    assert.equal(select.step(), false);
    assert.deepEqual(select.get(), []);
    assert.deepEqual(select.get([0]), [0, "row 0"]);
    select.reset();
    assert.equal(select.step(), false, "reset forgets the values");
    assert.equal(select.free(), true);
    assert.equal(select.free(), false);
    database.close();
  });

  test("run continues to the last row, and throws its errors", () => {
    const database = new engine.Database();
    const sql = "SELECT 1 UNION ALL SELECT abs(-9223372036854775807 - 1)";
    assert.throws(() => database.run(sql), /integer overflow/);
    assert.throws(() => database.prepare(sql).run(), /integer overflow/);
    database.close();
  });

  test("a prepared statement follows a schema change", () => {
    const database = new engine.Database().run("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    const select = database.prepare("SELECT * FROM t");
    assert.deepEqual(select.get([]), [1]);
    select.reset();
    database.run("ALTER TABLE t ADD COLUMN b DEFAULT 2");
    assert.deepEqual(select.get([]), [1, 2]);
    database.close();
  });

  test("a statement cached by exec follows a schema change, forgets its values and can fail", () => {
    const database = new engine.Database().run("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    const [select, checked] = ["SELECT *, ? FROM t", "SELECT json(?)"];
    assert.deepEqual(database.exec(select, ["x"])[0]?.values, [[1, "x"]]);
    database.run("ALTER TABLE t ADD COLUMN b DEFAULT 2");
    assert.deepEqual(database.exec(select), [{ columns: ["a", "b", "?"], values: [[1, 2, null]] }]);
    for (let turn = 0; turn < 3; turn++) {
      assert.throws(() => database.exec(checked, ["{"]), { message: "malformed JSON" });
      assert.deepEqual(database.exec(checked, ["2"])[0]?.values, [["2"]]);
    }
    database.run("DROP TABLE t");
    assert.throws(() => database.exec(select), { kind: "syntax" });
    database.close();
    assert.throws(() => database.exec(checked, ["2"]), { kind: "misuse" });
  });

  test("an empty transaction, a rollback and a savepoint behave", () => {
    const database = new engine.Database().run("CREATE TABLE t(a)");
    database.run("BEGIN; INSERT INTO t VALUES (1); ROLLBACK");
    database.run(
      "BEGIN; SAVEPOINT s; INSERT INTO t VALUES (2); ROLLBACK TO s; INSERT INTO t VALUES (3); COMMIT",
    );
    assert.deepEqual(database.exec("SELECT a FROM t")[0]?.values, [[3]]);
    database.close();
  });

  test("databases of one engine do not see each other", () => {
    const [first, second] = [new engine.Database(), new engine.Database()];
    first.run("CREATE TABLE t(a)");
    assert.throws(() => second.exec("SELECT * FROM t"), { kind: "syntax" });
    first.close();
    assert.deepEqual(second.exec("SELECT 1")[0]?.values, [[1]]);
    second.close();
  });

  test("closing frees the statements and all memory, and can be repeated", () => {
    const before = engine.memory().used;
    const database = new engine.Database().run("CREATE TABLE t(a)");
    const statement = database.prepare("SELECT ?");
    statement.bind(["x".repeat(100_000)]);
    statement.step();
    database.close();
    database.close();
    assert.equal(engine.memory().used, before);
    assert.equal(statement.free(), false);
  });
});
