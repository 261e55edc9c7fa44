import { SQLITE_BLOB, SQLITE_FLOAT, SQLITE_INTEGER, SQLITE_NOMEM, SQLITE_TEXT } from "./codes.ts";
import type { Connection } from "./connection.ts";
import { outOfMemory } from "./error.ts";
import type { SqlValue } from "./types.ts";

/** The row a statement stands on; empty when it stands on none. */
export function readRow(connection: Connection, statement: number): SqlValue[] {
  const count = connection.instance.api.sqlite3_data_count(statement);
  const row: SqlValue[] = [];
  for (let index = 0; index < count; index++) row.push(readColumn(connection, statement, index));
  return row;
}

export function readColumnNames({ instance }: Connection, statement: number): string[] {
  const count = instance.api.sqlite3_column_count(statement);
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = instance.api.sqlite3_column_name(statement, index);
    if (name === 0) throw outOfMemory();
    names.push(instance.heap.readCString(name));
  }
  return names;
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
