import { crc32 } from "node:zlib";

// SQLite ignores what follows its last page, so the file still opens in a `sqlite3` shell.
const MAGIC = Buffer.from("vibe-ix5");
const TRAILER_BYTES = 16;
const SQLITE_MAGIC = "SQLite format 3\0";
export const HEADER_BYTES = 100;

/** The stats of a file when it was indexed. Times are milliseconds since 1970. */
export interface FileFingerprint {
  size: number;
  mtime: number;
  /** Change time of the inode; 0 on a disk that has none. */
  ctime: number;
  indexedAt: number;
}

/** By path. */
export type FileFingerprints = Map<string, FileFingerprint>;

/** The contents of the index file. */
export interface Image {
  database: Uint8Array;
  fingerprints: FileFingerprints;
}

/**
 * The parts of the index file: the database, the fingerprints as JSON, and a trailer: magic, bytes of the database and a CRC-32 of
 * everything before it. `make` runs with the first write, so the database can be a view of memory.
 */
export function* sealImage(make: () => Image): Generator<Uint8Array, void> {
  const { database, fingerprints } = make();
  const rows = Array.from(fingerprints, ([path, { size, mtime, ctime, indexedAt }]) => [
    path,
    size,
    mtime,
    ctime,
    indexedAt,
  ]);
  const packed = Buffer.from(JSON.stringify(rows));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeUInt32LE(database.length, 8);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, -4), crc32(packed, crc32(database))), 12);
  yield* [database, packed, trailer];
}

/** Opens a sealed file, with the database as a view of its bytes; undefined if a single bit differs. */
export function openImage(file: Uint8Array): Image | undefined {
  const bytes = bufferOf(file);
  if (!hasTrailer(bytes)) return undefined;
  const sum = bytes.readUInt32LE(bytes.length - 4);
  if (crc32(bytes.subarray(0, -4)) !== sum) return undefined;
  const databaseSize = bytes.readUInt32LE(bytes.length - 8);
  const fingerprints = parseFingerprints(bytes.toString("utf8", databaseSize, bytes.length - TRAILER_BYTES));
  return fingerprints && { database: file.subarray(0, databaseSize), fingerprints };
}

function parseFingerprints(json: string): FileFingerprints | undefined {
  try {
    const rows = JSON.parse(json) as [string, number, number, number, number][];
    return new Map(
      rows.map(([path, size, mtime, ctime, indexedAt]) => [path, { size, mtime, ctime, indexedAt }]),
    );
  } catch {
    return undefined; // A crafted file whose checksum matches.
  }
}

function bufferOf(file: Uint8Array): Buffer {
  return Buffer.from(file.buffer, file.byteOffset, file.length);
}

function hasTrailer(bytes: Buffer): boolean {
  const trailer = bytes.subarray(-TRAILER_BYTES);
  return trailer.length === TRAILER_BYTES && trailer.subarray(0, MAGIC.length).equals(MAGIC);
}

/** Whether a file ends in a trailer that does not match it: then its header cannot be trusted. */
export function isTorn(file: Uint8Array): boolean {
  return hasTrailer(bufferOf(file)) && openImage(file) === undefined;
}

/** `PRAGMA application_id` and `user_version` of a SQLite file, from its first bytes; undefined for other files. */
export function headerVersion(file: Uint8Array): { application: number; version: number } | undefined {
  const header = bufferOf(file);
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, 16) !== SQLITE_MAGIC) return undefined;
  return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}
