import { crc32 } from "node:zlib";
import { packStamps, type Stamps, unpackStamps } from "./stamps.ts";

// SQLite ignores what follows its last page, so the file still opens in a `sqlite3` shell.
const MAGIC = Buffer.from("vibe-ix4");
const TRAILER_BYTES = 20;
const SQLITE_MAGIC = "SQLite format 3\0";

/** What the index file holds: the database, and how each file looked when it was indexed. */
export interface Image {
  database: Uint8Array;
  stamps: Stamps;
}

/**
 * The parts of the index file, made when they are written, at one go: the database, the stamps, and a trailer of magic,
 * bytes of the database, bytes of the stamps and a CRC-32 of all before it.
 */
export function* sealImage(make: () => Image): Generator<Uint8Array, void> {
  const { database, stamps } = make();
  const packed = packStamps(stamps);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeUInt32LE(database.length, 8);
  trailer.writeUInt32LE(packed.length, 12);
  const sum = [packed, trailer.subarray(0, -4)].reduce(
    (before, part) => crc32(part, before),
    crc32(database),
  );
  trailer.writeUInt32LE(sum, 16);
  yield* [database, packed, trailer];
}

/** What a sealed file holds, the database as a view on its bytes; undefined when a single bit of it is not as written. */
export function openImage(file: Uint8Array): Image | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const trailer = bytes.subarray(-TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES || !hasTrailer(bytes)) return undefined;
  const [databaseSize, packedSize, sum] = [8, 12, 16].map((at) => trailer.readUInt32LE(at)) as Numbers;
  if (databaseSize + packedSize + TRAILER_BYTES !== bytes.length) return undefined;
  if (crc32(bytes.subarray(0, -4)) !== sum) return undefined;
  const stamps = unpackStamps(bytes.subarray(databaseSize, -TRAILER_BYTES));
  return { database: file.subarray(0, databaseSize), stamps };
}

type Numbers = [databaseSize: number, packedSize: number, sum: number];

function hasTrailer(bytes: Buffer): boolean {
  return bytes.subarray(-TRAILER_BYTES).subarray(0, MAGIC.length).equals(MAGIC);
}

/** Whether a file ends in a trailer that does not fit it: what its header says is not to be believed then. */
export function isTorn(file: Uint8Array | undefined): boolean {
  if (file === undefined || openImage(file) !== undefined) return false;
  return hasTrailer(Buffer.from(file.buffer, file.byteOffset, file.length));
}

/** Who made a SQLite file, and `PRAGMA user_version`, from its first bytes; undefined for other files. */
export function headerVersion(file: Uint8Array): { application: number; version: number } | undefined {
  const header = Buffer.from(file.buffer, file.byteOffset, Math.min(HEADER_BYTES, file.length));
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, 16) !== SQLITE_MAGIC) return undefined;
  return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}

export const HEADER_BYTES = 100;
