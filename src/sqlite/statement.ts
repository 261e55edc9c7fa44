import { Bindings } from "./bindings.ts";
import { SQLITE_DONE, SQLITE_ROW } from "./codes.ts";
import { readColumnNames, readRow } from "./columns.ts";
import { type Connection, connectionError } from "./connection.ts";
import { misuse } from "./error.ts";
import type { BindParams, SqlStatement, SqlValue } from "./types.ts";

/** A prepared statement. It keeps memory until `free`, or until its database is closed. */
export class Statement implements SqlStatement {
  readonly #connection: Connection;
  readonly #onFree: (statement: Statement) => void;
  readonly #bindings: Bindings;
  #pointer: number;
  #columnNames: string[] | undefined;
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
    if (params === undefined || params === null) return true;
    this.#bindings.set(Array.isArray(params) ? params : this.#byPosition(params));
    return true;
  }

  step(): boolean {
    this.#checkOpen();
    const code = this.#connection.instance.api.sqlite3_step(this.#pointer);
    if (code === SQLITE_ROW) return true;
    this.#columnNames = undefined;
    if (code === SQLITE_DONE) return false;
    throw connectionError(this.#connection, code);
  }

  get(params?: BindParams): SqlValue[] {
    this.#checkOpen();
    if (params !== undefined && params !== null && this.bind(params)) this.step();
    return readRow(this.#connection, this.#pointer);
  }

  getAsObject(params?: BindParams): Record<string, SqlValue> {
    const row: Record<string, SqlValue> = {};
    const values = this.get(params);
    if (values.length === 0) return row;
    // Kept from row to row: a schema change can only alter the columns of the next run.
    this.#columnNames ??= this.getColumnNames();
    for (const [index, name] of this.#columnNames.entries()) row[name] = values[index] ?? null;
    return row;
  }

  getColumnNames(): string[] {
    this.#checkOpen();
    return readColumnNames(this.#connection, this.#pointer);
  }

  run(params?: BindParams): void {
    if (params !== undefined && params !== null) this.bind(params);
    try {
      while (this.step());
    } finally {
      if (!this.#connection.instance.isLost()) this.reset();
    }
  }

  reset(): void {
    this.#checkOpen();
    // Its result repeats the failure of the last step, which was thrown then.
    this.#connection.instance.api.sqlite3_reset(this.#pointer);
    this.#bindings.clear();
    this.#columnNames = undefined;
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
    const values: unknown[] = new Array(
      this.#connection.instance.api.sqlite3_bind_parameter_count(this.#pointer),
    );
    values.fill(null);
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
