import type { BindParams, BindValue, SqlDatabase, SqlResult, SqlStatement } from "../../src/sqlite/types.ts";

/** The used part of `node:sqlite`, whose types come with later versions of Node. */
interface Library {
  DatabaseSync: new (file: string) => NativeHandle;
}

interface NativeHandle {
  exec(sql: string): void;
  prepare(sql: string): NativeStatement;
  close(): void;
}

interface NativeStatement {
  setReturnArrays?(enabled: boolean): void;
  columns(): { name: string }[];
  run(...params: unknown[]): { changes: number };
  iterate(...params: unknown[]): IterableIterator<SqlRow>;
}

type SqlRow = SqlResult["values"][number];

/** The SQLite inside Node, or why it is missing or cannot hold our schema. */
export function openNative(): { open: () => SqlDatabase } | { missing: string } {
  const quiet = process.emitWarning;
  process.emitWarning = () => {}; // It warns that it is experimental.
  const library = process.getBuiltinModule("node:sqlite") as Library | undefined;
  process.emitWarning = quiet;
  if (library === undefined) return { missing: "this Node has no node:sqlite: run it with Node 24" };
  const handle = new library.DatabaseSync(":memory:");
  try {
    handle.exec("CREATE VIRTUAL TABLE t USING fts5(a, content='', contentless_delete=1)");
    if (handle.prepare("SELECT 1").setReturnArrays === undefined) throw new Error("no arrays");
  } catch {
    return { missing: "this Node's SQLite is too old: run it with Node 24" };
  } finally {
    handle.close();
  }
  return { open: () => database(new library.DatabaseSync(":memory:")) };
}

function database(handle: NativeHandle): SqlDatabase {
  const db: SqlDatabase = {
    run: (sql, params) => {
      if (params === undefined) handle.exec(sql);
      else handle.prepare(sql).run(...bound(params));
      return db;
    },
    exec: (sql, params) => {
      const statement = arrays(handle, sql);
      const values = [...statement.iterate(...bound(params))];
      const columns = statement.columns().map(({ name }) => name);
      return values.length === 0 ? [] : [{ columns, values }];
    },
    prepare: (sql) => openStatement(arrays(handle, sql)),
    export: () => {
      throw new Error("the benchmark never exports");
    },
    close: () => handle.close(),
  };
  return db;
}

function arrays(handle: NativeHandle, sql: string): NativeStatement {
  const statement = handle.prepare(sql);
  statement.setReturnArrays?.(true);
  return statement;
}

/** Binds whole numbers as integers, as our own engine does: Node would bind doubles. */
function bound(params: BindParams | undefined): unknown[] {
  if (params === undefined || params === null) return [];
  const plain = (value: BindValue) => {
    if (typeof value === "boolean") return value ? 1n : 0n;
    return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  };
  if (Array.isArray(params)) return params.map(plain);
  return [Object.fromEntries(Object.entries(params).map(([name, value]) => [name, plain(value)]))];
}

function openStatement(statement: NativeStatement): SqlStatement {
  let params: unknown[] = [];
  let rows: Iterator<SqlRow> | undefined;
  let row: SqlRow = [];
  const reset = () => {
    rows?.return?.();
    rows = undefined;
  };
  const bind = (next?: BindParams) => {
    reset();
    params = bound(next);
    return true;
  };
  const step = () => {
    rows ??= statement.iterate(...params);
    const { done, value } = rows.next();
    row = done === true ? [] : value;
    return done !== true;
  };
  return {
    bind,
    step,
    reset,
    get: (next) => {
      if (next) void (bind(next) && step());
      return row;
    },
    run: (next) => {
      reset();
      statement.run(...bound(next));
    },
    free: () => {
      reset();
      return true;
    },
  };
}
