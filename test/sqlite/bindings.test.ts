import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase, SqlStatement, SqlValue } from "../../src/core/sqlite/types.ts";
import { numRuns } from "../fixtures/num-runs.ts";

describe("values", () => {
  let database: SqlDatabase;
  let insert: SqlStatement;
  let select: SqlStatement;

  before(async () => {
    database = new (await openEngine()).Database();
    database.run("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c)");
    insert = database.prepare("INSERT OR REPLACE INTO t VALUES (1, ?, ?, ?)");
    select = database.prepare("SELECT a, b, c FROM t");
  });

  function store(values: SqlValue[]): SqlValue[] {
    insert.run(values);
    const row = select.get([]);
    select.reset();
    return row;
  }

  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("\0", "a", "é", "漢", "😀", "\ufeff", "\u200b") }),
    fc.string({ minLength: 4090, maxLength: 4100 }),
  );
  const scalar: fc.Arbitrary<SqlValue> = fc.oneof(
    text,
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).map((value) => (value === 0 ? 0 : value)),
    fc.uint8Array(),
    fc.constant(null),
  );

  test("every string, blob, double and safe integer comes back unchanged", () => {
    fc.assert(
      fc.property(fc.tuple(scalar, scalar, scalar), (row) => {
        assert.deepEqual(store(row), row);
      }),
      { numRuns: numRuns(500) },
    );
  });

  test("values read directly from a placeholder come back too", () => {
    const echo = database.prepare("SELECT ?, ?, ?");
    fc.assert(fc.property(fc.tuple(scalar, scalar, scalar), (row) => assert.deepEqual(echo.get(row), row)));
    echo.free();
  });

  test("a lone surrogate becomes U+FFFD and its neighbours stay", () => {
    const broken = fc.string({ unit: fc.constantFrom("a", "é", "\ud800", "\udfff", "😀", "\0") });
    fc.assert(
      fc.property(broken, broken, (first, second) => {
        const expected = [first, second].map((value) =>
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(value)),
        );
        assert.deepEqual(store([first, second, 1]).slice(0, 2), expected);
      }),
    );
  });

  test("empty text and empty blobs are not NULL", () => {
    assert.deepEqual(store(["", new Uint8Array(0), null]), ["", new Uint8Array(0), null]);
  });

  test("NaN becomes NULL, -0 becomes 0", () => {
    assert.deepEqual(store([Number.NaN, 0, 1]), [null, 0, 1]);
    assert.deepEqual(store([-0, Number.POSITIVE_INFINITY, 2 ** 53]), [0, Number.POSITIVE_INFINITY, 2 ** 53]);
  });

  test("safe integers are stored as INTEGER, other numbers as REAL", () => {
    const types = database.exec("SELECT typeof(?1), typeof(?2), typeof(?3)", [
      Number.MAX_SAFE_INTEGER,
      2 ** 60,
      0.5,
    ]);
    assert.deepEqual(types[0]?.values, [["integer", "real", "real"]]);
  });

  test("undefined, booleans, bigints, objects, functions and symbols are refused, and the statement stays usable", () => {
    for (const value of [undefined, true, 1n, {}, [1], () => 1, Symbol("x"), new Date(0)]) {
      assert.throws(() => store([value as never, 1, 2]), { name: "SqliteError", kind: "misuse" });
    }
    assert.deepEqual(store([1, 2, 3]), [1, 2, 3]);
  });

  test("a value that was read is a copy that later calls do not change", () => {
    const [blob] = store([new Uint8Array([1, 2, 3]), 0, 0]);
    store([new Uint8Array([9, 9, 9]), 0, 0]);
    assert.deepEqual(blob, new Uint8Array([1, 2, 3]));
  });

  test("a long value followed by short ones comes back whole", () => {
    const long = "é漢😀".repeat(200_000);
    assert.deepEqual(store([long, "short", long]), [long, "short", long]);
    assert.deepEqual(store(["x", "y", "z"]), ["x", "y", "z"]);
  });
});
