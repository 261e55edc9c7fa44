import {
  SQLITE_DESERIALIZE_FREEONCLOSE,
  SQLITE_DESERIALIZE_RESIZEABLE,
  SQLITE_FCNTL_SIZE_LIMIT,
  SQLITE_OK,
  SQLITE_OPEN_READWRITE,
  SQLITE_SERIALIZE_NOCOPY,
  SQLITE_TXN_WRITE,
} from "./api.ts";
import { misuse, outOfMemory, SqliteError } from "./error.ts";
import type { Instance } from "./instance.ts";

/**
 * SQLite doubles the image as it fills, up to this limit, and needs the old and the new one side by side. Measured in 2 GiB of
 * memory: with a limit of 1 GiB the last doubling fails at 536 MB.
 */
const MAX_DATABASE_BYTES = 896 * 1024 ** 2;

/** An open database: the instance it lives in and SQLite's pointer to it. */
export interface Connection {
  readonly instance: Instance;
  readonly pointer: number;
}

/** Bytes placed in SQLite's memory; the caller frees them. */
export interface Block {
  readonly pointer: number;
  readonly length: number;
}

/** Opens the bytes of a database file in memory, which may grow to `capacity` bytes without another copy. */
export function openConnection(instance: Instance, bytes: Uint8Array, capacity: number): Connection {
  const connection = connect(instance);
  try {
    loadImage(connection, bytes, Math.max(bytes.length, capacity));
    return connection;
  } catch (error) {
    disconnect(connection);
    throw error;
  }
}

function connect(instance: Instance): Connection {
  const { api, heap, out } = instance;
  const text = placeText(instance, ":memory:");
  const code = api.sqlite3_open_v2(text.pointer, out, SQLITE_OPEN_READWRITE, 0);
  const connection = { instance, pointer: heap.readInt32(out) };
  api.sqlite3_free(text.pointer);
  if (connection.pointer === 0) throw outOfMemory();
  if (code === SQLITE_OK) return connection;
  const error = connectionError(connection, code);
  disconnect(connection);
  throw error;
}

export function disconnect({ instance, pointer }: Connection): void {
  if (!instance.isLost()) instance.api.sqlite3_close_v2(pointer);
}

/**
 * The database always lives in a deserialized image, an empty one included: only then can it be exported without building a
 * second copy inside SQLite.
 */
function loadImage(connection: Connection, bytes: Uint8Array, capacity: number): void {
  const { instance, pointer } = connection;
  const { api, heap, main, out } = instance;
  const image = capacity === 0 ? 0 : allocate(instance, capacity);
  heap.bytes().set(bytes, image);
  const [size, limit] = [BigInt(bytes.length), BigInt(capacity)];
  // From here on the bytes are SQLite's, which frees them even when it refuses them.
  const flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE;
  check(connection, api.sqlite3_deserialize(pointer, main, image, size, limit, flags));
  heap.bytes().writeBigInt64LE(BigInt(MAX_DATABASE_BYTES), out);
  check(connection, api.sqlite3_file_control(pointer, main, SQLITE_FCNTL_SIZE_LIMIT, out));
}

/** The bytes of the database file where they lie: valid until the next call into SQLite. */
export function viewImage({ instance, pointer }: Connection): Uint8Array {
  const { api, heap, main, out } = instance;
  // Mid-transaction the image may hold some of the changed pages and miss others.
  if (api.sqlite3_txn_state(pointer, main) === SQLITE_TXN_WRITE) {
    throw misuse("cannot export while a transaction is writing");
  }
  const image = api.sqlite3_serialize(pointer, main, out, SQLITE_SERIALIZE_NOCOPY);
  return heap.bytes().subarray(image, image === 0 ? 0 : image + heap.readInt32(out));
}

export function check(connection: Connection, code: number): void {
  if (code !== SQLITE_OK) throw connectionError(connection, code);
}

/** The error behind a result code, in SQLite's words. */
export function connectionError({ instance, pointer }: Connection, code: number): SqliteError {
  const message = instance.heap.readCString(instance.api.sqlite3_errmsg(pointer));
  const extended = instance.api.sqlite3_extended_errcode(pointer);
  const detailed = (extended & 0xff) === (code & 0xff);
  return new SqliteError(message, detailed ? extended : code);
}

/** Writes NUL-terminated UTF-8; `length` does not count the NUL. */
export function placeText(instance: Instance, text: string): Block {
  const size = Buffer.byteLength(text);
  const pointer = allocate(instance, size + 1);
  const length = instance.heap.writeText(text, pointer, size);
  instance.heap.bytes()[pointer + length] = 0;
  return { pointer, length };
}

export function allocate({ api }: Instance, size: number): number {
  const pointer = size > 0x7fffffff ? 0 : api.sqlite3_malloc(size);
  if (pointer === 0) throw outOfMemory();
  return pointer;
}
