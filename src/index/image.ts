import { crc32 } from "node:zlib";
import type { Stamp } from "./documents.ts";

// SQLite ignores what follows its last page, so the file still opens in a `sqlite3` shell.
const MAGIC = Buffer.from("vibe-idx");
const TRAILER_BYTES = 20;
const SQLITE_MAGIC = "SQLite format 3\0";

/** What the mirror file holds: the database, and how each file looked when it was indexed, by path. */
export interface Image {
  database: Uint8Array;
  stamps: Map<string, Stamp>;
}

/**
 * The parts of the mirror file, to be written one after the other: the database, the stamps as JSON (they are needed
 * whole at every start, and ten times slower to read row by row), and a trailer of magic, both lengths and a CRC-32.
 */
export function sealImage({ database, stamps }: Image): Uint8Array[] {
  const numbers = [...stamps.values()].flatMap(({ size, mtime, ctime, indexedAt }) => [
    size,
    mtime,
    ctime,
    indexedAt,
  ]);
  const json = Buffer.from(JSON.stringify({ paths: [...stamps.keys()], numbers }));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeUInt32LE(database.length, 8);
  trailer.writeUInt32LE(json.length, 12);
  trailer.writeUInt32LE(crc32(json, crc32(database)), 16);
  return [database, json, trailer];
}

/** Whether a file ends in a trailer that does not fit it: what its header says is not to be believed then. */
export function isTorn(file: Uint8Array): boolean {
  const trailer = Buffer.from(file.buffer, file.byteOffset, file.length).subarray(-TRAILER_BYTES);
  return trailer.subarray(0, 8).equals(MAGIC) && openImage(file) === undefined;
}

/** What a sealed file holds, the database as a view on its bytes; undefined when a single bit of it is not as written. */
export function openImage(file: Uint8Array): Image | undefined {
  const length = file.length - TRAILER_BYTES;
  if (length < 512) return undefined;
  const trailer = Buffer.from(file.buffer, file.byteOffset + length, TRAILER_BYTES);
  const databaseLength = trailer.readUInt32LE(8);
  if (!trailer.subarray(0, 8).equals(MAGIC) || databaseLength + trailer.readUInt32LE(12) !== length)
    return undefined;
  if (trailer.readUInt32LE(16) !== crc32(file.subarray(0, length))) return undefined;
  const json = Buffer.from(file.buffer, file.byteOffset + databaseLength, length - databaseLength);
  return { database: file.subarray(0, databaseLength), stamps: readStamps(json.toString("utf8")) };
}

function readStamps(json: string): Map<string, Stamp> {
  const { paths, numbers } = JSON.parse(json) as { paths: string[]; numbers: number[] };
  const stamps = new Map<string, Stamp>();
  let at = 0;
  for (const path of paths) {
    const [size = 0, mtime = 0, ctime = 0, indexedAt = 0] = [
      numbers[at],
      numbers[at + 1],
      numbers[at + 2],
      numbers[at + 3],
    ];
    stamps.set(path, { size, mtime, ctime, indexedAt });
    at += 4;
  }
  return stamps;
}

/** `PRAGMA user_version` of a SQLite file, read from its header without opening it; undefined for other files. */
export function headerVersion(file: Uint8Array): { application: number; version: number } | undefined {
  const header = Buffer.from(file.buffer, file.byteOffset, Math.min(100, file.length));
  if (header.length < 100 || header.toString("latin1", 0, 16) !== SQLITE_MAGIC) return undefined;
  return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}
