import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database, SqlJsStatic, Statement } from "sql.js";
import type { Engine } from "../../src/sqlite/engine.ts";
import type { SqlDatabase, SqlStatement } from "../../src/sqlite/types.ts";

/** Fails to compile unless `Given` can stand wherever `Wanted` is asked for. */
type Fits<Wanted, Given extends Wanted> = Given;

test("code written for our interfaces also takes what sql.js gives", () => {
  // The assertion is the compiler's; at run time there is nothing left to compare.
  const fits = null as unknown as
    | Fits<SqlDatabase, Database>
    | Fits<SqlStatement, Statement>
    | Fits<Pick<Engine, "Database">, Pick<SqlJsStatic, "Database">>
    | null;
  assert.equal(fits, null);
});
