/** The functions of SQLite's C interface in use. Pointers and `int` are numbers, 64-bit integers are bigints. */
export interface SqliteApi {
  sqlite3_initialize(): number;
  sqlite3_status64(counter: number, current: number, highest: number, reset: number): number;
  sqlite3_malloc(size: number): number;
  sqlite3_free(pointer: number): undefined;

  sqlite3_open_v2(name: number, database: number, flags: number, vfs: number): number;
  sqlite3_close_v2(database: number): number;
  sqlite3_deserialize(
    database: number,
    schema: number,
    bytes: number,
    size: bigint,
    capacity: bigint,
    flags: number,
  ): number;
  sqlite3_serialize(database: number, schema: number, size: number, flags: number): number;
  sqlite3_file_control(database: number, schema: number, operation: number, argument: number): number;
  sqlite3_txn_state(database: number, schema: number): number;
  sqlite3_errmsg(database: number): number;
  sqlite3_extended_errcode(database: number): number;

  sqlite3_prepare_v2(database: number, sql: number, length: number, statement: number, tail: number): number;
  sqlite3_step(statement: number): number;
  sqlite3_reset(statement: number): number;
  sqlite3_clear_bindings(statement: number): number;
  sqlite3_finalize(statement: number): number;

  sqlite3_bind_parameter_count(statement: number): number;
  sqlite3_bind_parameter_name(statement: number, index: number): number;
  sqlite3_bind_null(statement: number, index: number): number;
  sqlite3_bind_int(statement: number, index: number, value: number): number;
  sqlite3_bind_int64(statement: number, index: number, value: bigint): number;
  sqlite3_bind_double(statement: number, index: number, value: number): number;
  sqlite3_bind_text(statement: number, index: number, text: number, length: number, free: number): number;
  sqlite3_bind_blob(statement: number, index: number, bytes: number, length: number, free: number): number;

  sqlite3_column_count(statement: number): number;
  sqlite3_data_count(statement: number): number;
  sqlite3_column_name(statement: number, index: number): number;
  sqlite3_column_type(statement: number, index: number): number;
  sqlite3_column_double(statement: number, index: number): number;
  sqlite3_column_text(statement: number, index: number): number;
  sqlite3_column_blob(statement: number, index: number): number;
  sqlite3_column_bytes(statement: number, index: number): number;
}

/** Result codes and options of SQLite's C interface, under their own names (sqlite.org/rescode.html). */
export const SQLITE_OK = 0;
export const SQLITE_ERROR = 1;
export const SQLITE_NOMEM = 7;
export const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_CONSTRAINT = 19;
export const SQLITE_MISUSE = 21;
export const SQLITE_RANGE = 25;
export const SQLITE_NOTADB = 26;
export const SQLITE_ROW = 100;
export const SQLITE_DONE = 101;
/** An in-memory file could not grow: an I/O error by number, out of memory by cause. */
export const SQLITE_IOERR_NOMEM = 3082;

export const SQLITE_INTEGER = 1;
export const SQLITE_FLOAT = 2;
export const SQLITE_TEXT = 3;
export const SQLITE_BLOB = 4;

export const SQLITE_OPEN_READWRITE = 2;
export const SQLITE_DESERIALIZE_FREEONCLOSE = 1;
export const SQLITE_DESERIALIZE_RESIZEABLE = 2;
export const SQLITE_SERIALIZE_NOCOPY = 1;
export const SQLITE_FCNTL_SIZE_LIMIT = 36;
export const SQLITE_STATUS_MEMORY_USED = 0;
export const SQLITE_TXN_WRITE = 2;
/** The bytes stay the caller's and do not move while bound. */
export const SQLITE_STATIC = 0;
