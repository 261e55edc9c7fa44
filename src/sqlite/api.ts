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
