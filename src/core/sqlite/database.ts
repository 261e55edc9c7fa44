import { setMostRecent } from "../lib/collections.ts";
import {
  type Block,
  type Connection,
  check,
  disconnect,
  openConnection,
  placeText,
  viewImage,
} from "./connection.ts";
import { misuse } from "./error.ts";
import type { Instance } from "./instance.ts";
import { Statement } from "./statement.ts";
import type { BindParams, SqlDatabase, SqlResult } from "./types.ts";

type Use = (statement: Statement) => void;

/** Statements of `exec` that stay prepared: planning one takes as long as running it on a few rows. */
const MAX_CACHED = 32;

/** A database in memory, empty or opened from the bytes of a database file, with memory for `capacity` bytes from the start. */
export class Database implements SqlDatabase {
  readonly #statements = new Set<Statement>();
  /** By their text, in the order of their last use. */
  readonly #cache = new Map<string, Statement>();
  #connection: Connection | undefined;

  /** Reads the bytes at the first query, not here: damage shows then. */
  constructor(instance: Instance, bytes?: Uint8Array | null, capacity = 0) {
    this.#connection = openConnection(instance, bytes ?? new Uint8Array(), capacity);
  }

  run(sql: string, params?: BindParams): this {
    this.#forEachStatement(sql, (statement) => statement.run(params));
    return this;
  }

  /** A text with only one statement stays prepared for the next call. */
  exec(sql: string, params?: BindParams): SqlResult[] {
    this.#open();
    const results: SqlResult[] = [];
    const read = (statement: Statement) => {
      const result = readAll(statement, params);
      if (result.values.length > 0) results.push(result);
    };
    const cached = this.#cache.get(sql);
    if (cached === undefined) this.#forEachStatement(sql, read, { caches: true });
    else this.#use(cached, read, sql);
    return results;
  }

  /** Prepares the first statement of `sql` and ignores the rest. */
  prepare(sql: string): Statement {
    const { instance } = this.#open();
    const text = placeSql(instance, sql);
    try {
      const { statement } = this.#prepareFirst(text);
      if (statement === undefined) throw misuse("there is no statement to prepare");
      return statement;
    } finally {
      release(instance, text);
    }
  }

  /** An independent copy of the database file. Statements, settings and temporary tables survive it. */
  export(): Uint8Array {
    return new Uint8Array(this.image());
  }

  image(): Uint8Array {
    return viewImage(this.#open());
  }

  /** Frees all statements too. A second call does nothing. */
  close(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    for (const statement of this.#statements) statement.free();
    this.#cache.clear();
    disconnect(connection);
  }

  #open(): Connection {
    if (this.#connection === undefined) throw misuse("the database is closed");
    return this.#connection;
  }

  #forEachStatement(sql: string, use: Use, { caches = false } = {}): void {
    const { instance } = this.#open();
    const text = placeSql(instance, sql);
    try {
      let rest: Block = text;
      while (rest.length > 0) {
        const first = this.#prepareFirst(rest);
        const isOnly = rest === text && first.rest.length === 0;
        rest = first.rest;
        if (first.statement === undefined) continue;
        this.#use(first.statement, use, caches && isOnly ? sql : undefined);
      }
    } finally {
      release(instance, text);
    }
  }

  /** Frees the statement, or if it succeeds caches it under `text` in place of the least recently used one. */
  #use(statement: Statement, use: Use, text: string | undefined): void {
    if (text !== undefined) this.#cache.delete(text);
    let isCached = false;
    try {
      use(statement);
      if (text === undefined) return;
      statement.reset();
      isCached = true;
      setMostRecent(this.#cache, MAX_CACHED, [text, statement])?.free();
    } finally {
      if (!isCached) statement.free();
    }
  }

  /** The first statement of the text (none if only blanks and comments are left) and the rest of the text. */
  #prepareFirst(text: Block): { statement: Statement | undefined; rest: Block } {
    const connection = this.#open();
    const { instance, pointer: database } = connection;
    const tail = instance.out + 4;
    const { pointer, length } = text;
    check(connection, instance.api.sqlite3_prepare_v2(database, pointer, length, instance.out, tail));
    const handle = instance.heap.readInt32(instance.out);
    const next = instance.heap.readInt32(tail);
    const rest = { pointer: next, length: pointer + length - next };
    return { statement: handle === 0 ? undefined : this.#track(connection, handle), rest };
  }

  #track(connection: Connection, handle: number): Statement {
    const statement = new Statement(connection, handle, (freed) => this.#statements.delete(freed));
    this.#statements.add(statement);
    return statement;
  }
}

function placeSql(instance: Instance, sql: string): Block {
  if (sql.includes("\0")) throw misuse("SQL ends at a NUL: the rest would be ignored");
  return placeText(instance, sql);
}

function release(instance: Instance, { pointer }: Block): void {
  if (!instance.isLost()) instance.api.sqlite3_free(pointer);
}

function readAll(statement: Statement, params: BindParams | undefined): SqlResult {
  if (params) statement.bind(params);
  const result: SqlResult = { columns: [], values: [] };
  while (statement.step()) {
    if (result.values.length === 0) result.columns = statement.getColumnNames();
    result.values.push(statement.get());
  }
  return result;
}
