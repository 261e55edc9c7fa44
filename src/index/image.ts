import { crc32 } from "node:zlib";

// SQLite ignores what follows its last page, so the file still opens in a `sqlite3` shell.
const MAGIC = Buffer.from("vibe-idx");
const TRAILER_BYTES = 16;
const SQLITE_MAGIC = "SQLite format 3\0";

/** The trailer that follows the bytes of a database in its file: magic, length (u32) and CRC-32 (u32). */
export function sealImage(bytes: Uint8Array): Uint8Array {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  MAGIC.copy(trailer);
  trailer.writeUInt32LE(bytes.length, 8);
  trailer.writeUInt32LE(crc32(bytes), 12);
  return trailer;
}

/** The database inside a sealed file, as a view on its bytes; undefined when a single bit of it is not as written. */
export function openImage(file: Uint8Array): Uint8Array | undefined {
  const length = file.length - TRAILER_BYTES;
  if (length < 512) return undefined;
  const trailer = Buffer.from(file.buffer, file.byteOffset + length, TRAILER_BYTES);
  if (!trailer.subarray(0, 8).equals(MAGIC) || trailer.readUInt32LE(8) !== length) return undefined;
  const image = file.subarray(0, length);
  return trailer.readUInt32LE(12) === crc32(image) ? image : undefined;
}

/** `PRAGMA user_version` of a SQLite file, read from its header without opening it; undefined for other files. */
export function headerVersion(file: Uint8Array): { application: number; version: number } | undefined {
  const header = Buffer.from(file.buffer, file.byteOffset, Math.min(100, file.length));
  if (header.length < 100 || header.toString("latin1", 0, 16) !== SQLITE_MAGIC) return undefined;
  return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}
