import { SQLITE_STATIC } from "./api.ts";
import { allocate, type Connection, check } from "./connection.ts";
import { misuse } from "./error.ts";

/** Past this length, counting the bytes of a text is cheaper than reserving three for each character. */
const SHORT_TEXT = 4096;
/** A larger buffer, made for one large document, is freed after use. */
const MAX_IDLE_BYTES = 256 * 1024;

/**
 * The values of one statement's placeholders. Text and blobs are written into one buffer per statement, which SQLite reads in
 * place: for bulk inserts, that is faster than one allocation each.
 */
export class Bindings {
  readonly #connection: Connection;
  readonly #statement: number;
  #buffer = 0;
  #capacity = 0;

  constructor(connection: Connection, statement: number) {
    this.#connection = connection;
    this.#statement = statement;
  }

  /** Binds `values[0]` to the first placeholder and so on; the statement must have been cleared. */
  set(values: readonly unknown[]): void {
    let size = 1;
    for (const value of values) size += sizeOf(value);
    this.#reserve(size);
    let free = this.#buffer;
    for (let index = 0; index < values.length; index++) free += this.#bind(index + 1, values[index], free);
  }

  clear(): void {
    this.#connection.instance.api.sqlite3_clear_bindings(this.#statement);
    if (this.#capacity > MAX_IDLE_BYTES) this.free();
  }

  free(): void {
    this.#connection.instance.api.sqlite3_free(this.#buffer);
    this.#buffer = 0;
    this.#capacity = 0;
  }

  #reserve(size: number): void {
    if (size <= this.#capacity) return;
    this.free();
    this.#buffer = allocate(this.#connection.instance, size);
    this.#capacity = size;
  }

  /** Returns how many bytes of the buffer it used. */
  #bind(index: number, value: unknown, free: number): number {
    const { api, heap } = this.#connection.instance;
    if (typeof value === "string") {
      const length = heap.writeText(value, free, this.#buffer + this.#capacity - free);
      check(this.#connection, api.sqlite3_bind_text(this.#statement, index, free, length, SQLITE_STATIC));
      return length;
    }
    if (value instanceof Uint8Array) {
      heap.bytes().set(value, free);
      check(
        this.#connection,
        api.sqlite3_bind_blob(this.#statement, index, free, value.length, SQLITE_STATIC),
      );
      return value.length;
    }
    check(this.#connection, this.#bindNumber(index, value));
    return 0;
  }

  #bindNumber(index: number, value: unknown): number {
    const { api } = this.#connection.instance;
    if (value === null) return api.sqlite3_bind_null(this.#statement, index);
    if (typeof value !== "number") throw misuse(`cannot bind a value of type ${typeof value}`);
    if (value === (value | 0)) return api.sqlite3_bind_int(this.#statement, index, value);
    if (Number.isSafeInteger(value)) return api.sqlite3_bind_int64(this.#statement, index, BigInt(value));
    return api.sqlite3_bind_double(this.#statement, index, value);
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") {
    // A copy of the text, made here so that its length cannot be read sooner: optimized code of Node 20 read the length before it
    // checked the type, met a number and crashed with a segmentation fault.
    const text = `${value}`;
    return text.length < SHORT_TEXT ? text.length * 3 : Buffer.byteLength(text);
  }
  return value instanceof Uint8Array ? value.length : 0;
}
