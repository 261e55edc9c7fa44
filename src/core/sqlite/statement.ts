import {
  SQLITE_BLOB,
  SQLITE_DONE,
  SQLITE_FLOAT,
  SQLITE_INTEGER,
  SQLITE_NOMEM,
  SQLITE_ROW,
  SQLITE_TEXT,
} from "./api.ts";
import { Bindings } from "./bindings.ts";
import { type Connection, connectionError } from "./connection.ts";
import { misuse, outOfMemory } from "./error.ts";
import type { BindParams, SqlStatement, SqlValue } from "./types.ts";

/** A prepared statement. It keeps memory until `free`, or until its database is closed. */
export class Statement implements SqlStatement {
  readonly #connection: Connection;
  readonly #onFree: (statement: Statement) => void;
  readonly #bindings: Bindings;
  #pointer: number;
  #positions: ReadonlyMap<string, number> | undefined;

  /** @param onFree called once, so that the database can forget the statement. */
  constructor(connection: Connection, pointer: number, onFree: (statement: Statement) => void) {
    this.#connection = connection;
    this.#pointer = pointer;
    this.#onFree = onFree;
    this.#bindings = new Bindings(connection, pointer);
  }

  bind(params?: BindParams): boolean {
    this.reset();
    if (params) this.#bindings.set(Array.isArray(params) ? params : this.#byPosition(params));
    return true;
  }

  step(): boolean {
    this.#checkOpen();
    const code = this.#connection.instance.api.sqlite3_step(this.#pointer);
    if (code === SQLITE_ROW) return true;
    if (code === SQLITE_DONE) return false;
    throw connectionError(this.#connection, code);
  }

  get(params?: BindParams): SqlValue[] {
    this.#checkOpen();
    if (params) {
      this.bind(params);
      this.step();
    }
    const count = this.#connection.instance.api.sqlite3_data_count(this.#pointer);
    const row: SqlValue[] = [];
    for (let index = 0; index < count; index++) row.push(readColumn(this.#connection, this.#pointer, index));
    return row;
  }

  getColumnNames(): string[] {
    this.#checkOpen();
    const { api, heap } = this.#connection.instance;
    return Array.from({ length: api.sqlite3_column_count(this.#pointer) }, (_, index) => {
      const name = api.sqlite3_column_name(this.#pointer, index);
      if (name === 0) throw outOfMemory();
      return heap.readCString(name);
    });
  }

  run(params?: BindParams): void {
    if (params) this.bind(params);
    try {
      while (this.step());
    } finally {
      if (!this.#connection.instance.isLost()) this.reset();
    }
  }

  reset(): void {
    this.#checkOpen();
    // Its result only repeats the error of the last step, which was thrown already.
    this.#connection.instance.api.sqlite3_reset(this.#pointer);
    this.#bindings.clear();
  }

  /** Frees the statement; true the first time. */
  free(): boolean {
    if (this.#pointer === 0) return false;
    if (!this.#connection.instance.isLost()) {
      this.#connection.instance.api.sqlite3_finalize(this.#pointer);
      this.#bindings.free();
    }
    this.#pointer = 0;
    this.#onFree(this);
    return true;
  }

  #checkOpen(): void {
    if (this.#pointer === 0) throw misuse("the statement is closed");
  }

  #byPosition(params: Record<string, unknown>): unknown[] {
    this.#positions ??= this.#readPositions();
    const count = this.#connection.instance.api.sqlite3_bind_parameter_count(this.#pointer);
    const values: unknown[] = new Array(count).fill(null);
    for (const [name, value] of Object.entries(params)) {
      const position = this.#positions.get(name);
      if (position !== undefined) values[position - 1] = value;
    }
    return values;
  }

  #readPositions(): ReadonlyMap<string, number> {
    const { api, heap } = this.#connection.instance;
    const positions = new Map<string, number>();
    const count = api.sqlite3_bind_parameter_count(this.#pointer);
    for (let position = 1; position <= count; position++) {
      const name = api.sqlite3_bind_parameter_name(this.#pointer, position);
      if (name !== 0) positions.set(heap.readCString(name), position);
    }
    return positions;
  }
}

function readColumn(connection: Connection, statement: number, index: number): SqlValue {
  const { api } = connection.instance;
  switch (api.sqlite3_column_type(statement, index)) {
    // A double holds every integer up to 2^53; a bigint per integer would slow each row down.
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
      return api.sqlite3_column_double(statement, index);
    case SQLITE_TEXT:
      return readText(connection, statement, index);
    case SQLITE_BLOB:
      return readBlob(connection, statement, index);
    default:
      return null;
  }
}

function readText({ instance }: Connection, statement: number, index: number): string {
  const text = instance.api.sqlite3_column_text(statement, index);
  if (text === 0) throw outOfMemory();
  return instance.heap.readText(text, instance.api.sqlite3_column_bytes(statement, index));
}

function readBlob({ instance, pointer }: Connection, statement: number, index: number): Uint8Array {
  const blob = instance.api.sqlite3_column_blob(statement, index);
  if (blob !== 0) return instance.heap.copy(blob, instance.api.sqlite3_column_bytes(statement, index));
  // No pointer means no bytes, unless making them (of a zeroblob) ran out of memory.
  if ((instance.api.sqlite3_extended_errcode(pointer) & 0xff) === SQLITE_NOMEM) throw outOfMemory();
  return new Uint8Array(0);
}
