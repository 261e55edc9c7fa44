import { crc32 } from "node:zlib";
import { Stamps } from "./stamps.ts";

// SQLite ignores what follows its last page, so the file still opens in a `sqlite3` shell.
const MAGIC = Buffer.from("vibe-ix2");
const TRAILER_BYTES = 24;
const STAMP_BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;
const SQLITE_MAGIC = "SQLite format 3\0";

/** What the mirror file holds: the database, and how each file looked when it was indexed. */
export interface Image {
  database: Uint8Array;
  stamps: Stamps;
}

/**
 * The parts of the mirror file, to be written one after the other: the database, the stamps (needed whole at every
 * start, and ten times slower to read row by row) as numbers and a JSON list of paths, and a trailer of magic, bytes of
 * the database, number of stamps, bytes of the paths and a CRC-32 of all before.
 */
export function sealImage({ database, stamps }: Image): Uint8Array[] {
  const { paths, numbers } = stamps.pack();
  const block = Buffer.from(numbers.buffer);
  const json = Buffer.from(JSON.stringify(paths));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeUInt32LE(database.length, 8);
  trailer.writeUInt32LE(paths.length, 12);
  trailer.writeUInt32LE(json.length, 16);
  // Of no bytes at all, Node 20 and 22 forget the sum so far.
  const sum = block.length === 0 ? crc32(database) : crc32(block, crc32(database));
  trailer.writeUInt32LE(crc32(json, sum), 20);
  return [database, block, json, trailer];
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
  const [databaseBytes, count, jsonBytes] = [8, 12, 16].map((at) => trailer.readUInt32LE(at)) as Triple;
  const numbersEnd = databaseBytes + count * STAMP_BYTES;
  if (!trailer.subarray(0, 8).equals(MAGIC) || numbersEnd + jsonBytes !== length) return undefined;
  if (trailer.readUInt32LE(20) !== crc32(file.subarray(0, length))) return undefined;
  const json = Buffer.from(file.buffer, file.byteOffset + numbersEnd, jsonBytes).toString("utf8");
  // A copy: in the file they need not lie where such numbers have to.
  const block = new Uint8Array(count * STAMP_BYTES);
  block.set(file.subarray(databaseBytes, numbersEnd));
  const stamps = new Stamps(JSON.parse(json) as string[], new Float64Array(block.buffer));
  return { database: file.subarray(0, databaseBytes), stamps };
}

type Triple = [number, number, number];

/** `PRAGMA user_version` of a SQLite file, read from its header without opening it; undefined for other files. */
export function headerVersion(file: Uint8Array): { application: number; version: number } | undefined {
  const header = Buffer.from(file.buffer, file.byteOffset, Math.min(100, file.length));
  if (header.length < 100 || header.toString("latin1", 0, 16) !== SQLITE_MAGIC) return undefined;
  return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}
