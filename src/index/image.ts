import { crc32 } from "node:zlib";
import type { SqlDatabase } from "../sqlite/types.ts";
import { totalChanges } from "./kept.ts";
import { Stamps } from "./stamps.ts";

// SQLite ignores what follows its last page, so the file still opens in a `sqlite3` shell.
const MAGIC = Buffer.from("vibe-ix3");
const TRAILER_BYTES = 24;
const SUM_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const STAMP_BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;
/** What one checksum is of: a page of the database. */
const BLOCK_BYTES = 8192;
const PIECE_BYTES = 128 * BLOCK_BYTES;
const SQLITE_MAGIC = "SQLite format 3\0";

/** What the mirror file holds: the database, and how each file looked when it was indexed. */
export interface Image {
  database: Uint8Array;
  stamps: Stamps;
}

/** The same, to be written: the database in pieces of whole blocks. */
export interface Unsealed {
  database: Iterable<Uint8Array>;
  stamps: Stamps;
}

/** What lies behind the database in the mirror file. */
export interface Tail {
  /** Bytes. */
  databaseSize: number;
  /** The CRC-32 of each block of the database. */
  sums: Uint32Array;
  stamps: Stamps;
}

/** Fills `target` with what the mirror file holds from `position` on; throws where it ends before. */
export type ReadAt = (target: Uint8Array, position: number) => void;

/**
 * The parts of the mirror file, to be written one after the other: the database, a CRC-32 of each of its blocks, the
 * stamps (needed whole at every start, and ten times slower to read row by row) as numbers and a JSON list of paths, and
 * a trailer of magic, bytes of the database, number of stamps, bytes of the paths and a CRC-32 of all but the database.
 */
export function* sealImage({ database, stamps }: Unsealed): Generator<Uint8Array, void> {
  const { paths, numbers } = stamps.pack();
  const json = Buffer.from(paths);
  const count = stamps.size;
  const sums: Uint32Array[] = [];
  let size = 0;
  for (const piece of database) {
    sums.push(sumsOf(piece));
    size += piece.length;
    yield piece;
  }
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeUInt32LE(size, 8);
  trailer.writeUInt32LE(count, 12);
  trailer.writeUInt32LE(json.length, 16);
  const tail = Buffer.concat([...sums.map(bytesOf), bytesOf(numbers), json, trailer]);
  tail.writeUInt32LE(crc32(tail.subarray(0, -4)), tail.length - 4);
  yield tail;
}

/**
 * The database of an index in pieces of whole blocks, each lost when the next is taken: a copy of all of it would take as
 * much memory once more. Throws IndexChangedError when it changed since the first.
 */
export function* piecesOf(db: SqlDatabase): Generator<Uint8Array, void> {
  const piece = new Uint8Array(PIECE_BYTES);
  const changes = totalChanges(db);
  for (let at = 0; ; at += piece.length) {
    if (totalChanges(db) !== changes) throw new IndexChangedError();
    const size = db.exportInto?.(piece, at);
    if (size === undefined) {
      yield db.export();
      return;
    }
    if (at < size) yield piece.subarray(0, size - at);
    if (at + piece.length >= size) return;
  }
}

/** The index changed before all of it was read. */
export class IndexChangedError extends Error {}

/** What a sealed file holds, the database as a view on its bytes; undefined when a single bit of it is not as written. */
export function openImage(file: Uint8Array): Image | undefined {
  const tail = readTail(file.length, (target, at) => target.set(file.subarray(at, at + target.length)));
  if (tail === undefined) return undefined;
  const database = file.subarray(0, tail.databaseSize);
  return isSound(tail, database, 0) ? { database, stamps: tail.stamps } : undefined;
}

/** Reads what lies behind the database of a file of `size` bytes; undefined when a single bit of it is not as written. */
export function readTail(size: number, readAt: ReadAt): Tail | undefined {
  if (size < TRAILER_BYTES) return undefined;
  const trailer = Buffer.alloc(TRAILER_BYTES);
  readAt(trailer, size - TRAILER_BYTES);
  const [databaseSize, count, jsonBytes] = [8, 12, 16].map((at) => trailer.readUInt32LE(at)) as Triple;
  const sumsBytes = Math.ceil(databaseSize / BLOCK_BYTES) * SUM_BYTES;
  const stampsBytes = count * STAMP_BYTES;
  const tailBytes = sumsBytes + stampsBytes + jsonBytes + TRAILER_BYTES;
  if (!trailer.subarray(0, 8).equals(MAGIC) || databaseSize + tailBytes !== size) return undefined;
  const tail = Buffer.alloc(tailBytes);
  readAt(tail, databaseSize);
  if (tail.readUInt32LE(tailBytes - 4) !== crc32(tail.subarray(0, -4))) return undefined;
  const paths = tail.toString("utf8", sumsBytes + stampsBytes, tailBytes - TRAILER_BYTES);
  // Copies: in the file they need not lie where such numbers have to.
  const sums = new Uint32Array(copy(tail, 0, sumsBytes));
  const numbers = new Float64Array(copy(tail, sumsBytes, sumsBytes + stampsBytes));
  return { databaseSize, sums, stamps: new Stamps({ paths, numbers }) };
}

type Triple = [number, number, number];

/** Whether what was read from `position` on, whole blocks or up to the end of the database, is what was written there. */
export function isSound({ sums }: Tail, bytes: Uint8Array, position: number): boolean {
  let block = position / BLOCK_BYTES;
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    if (crc32(bytes.subarray(at, at + BLOCK_BYTES)) !== sums[block++]) return false;
  }
  return true;
}

/** Reads the database of a sealed file, any part of it. Throws where a block is not as it was written. */
export function checkedReader(tail: Tail, readAt: ReadAt): ReadAt {
  const end = (position: number) =>
    Math.min(tail.databaseSize, Math.ceil(position / BLOCK_BYTES) * BLOCK_BYTES);
  const readBlocks: ReadAt = (target, position) => {
    readAt(target, position);
    if (!isSound(tail, target, position)) throw new Error("a block is not as it was written");
  };
  return (target, position) => {
    const first = position - (position % BLOCK_BYTES);
    const after = end(position + target.length);
    if (first === position && after === position + target.length) {
      readBlocks(target, position);
      return;
    }
    const blocks = new Uint8Array(after - first);
    readBlocks(blocks, first);
    target.set(blocks.subarray(position - first, position - first + target.length));
  };
}

function sumsOf(database: Uint8Array): Uint32Array {
  const sums = new Uint32Array(Math.ceil(database.length / BLOCK_BYTES));
  for (let block = 0; block < sums.length; block++) {
    const at = block * BLOCK_BYTES;
    sums[block] = crc32(database.subarray(at, at + BLOCK_BYTES));
  }
  return sums;
}

function bytesOf({ buffer, byteLength }: Uint32Array | Float64Array): Buffer {
  return Buffer.from(buffer, 0, byteLength);
}

function copy(bytes: Buffer, from: number, to: number): ArrayBuffer {
  return new Uint8Array(bytes.subarray(from, to)).buffer;
}

/** Whether a file ends in a trailer that does not fit it: what its header says is not to be believed then. */
export function isTorn(file: Uint8Array): boolean {
  const trailer = Buffer.from(file.buffer, file.byteOffset, file.length).subarray(-TRAILER_BYTES);
  return trailer.subarray(0, 8).equals(MAGIC) && openImage(file) === undefined;
}

/** `PRAGMA user_version` of a SQLite file, read from its header without opening it; undefined for other files. */
export function headerVersion(file: Uint8Array): { application: number; version: number } | undefined {
  const header = Buffer.from(file.buffer, file.byteOffset, Math.min(100, file.length));
  if (header.length < 100 || header.toString("latin1", 0, 16) !== SQLITE_MAGIC) return undefined;
  return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}
