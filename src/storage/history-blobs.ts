import { lstatSync, readdirSync, renameSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeFlushed } from "./flush.ts";
import { attempt, succeeds, systemError } from "./fs-errors.ts";
import { findHome, makeHome, makeLocksFolder } from "./lock-folder.ts";
import { closePlace } from "./place.ts";
import { hashOf, readIfPresent } from "./read.ts";
import { temporaryFor } from "./temp-files.ts";

/** The folder of the history, in `.vibe-mcp/`. */
export const HISTORY = "history";
const BLOBS = "blobs";
/** A planted file must not unpack without end. */
const MOST_BYTES = 2 ** 30;
const SMALL_BYTES = 64 * 1024;
const MOST_FOLDERS = 256;

/** Loaded at its first use, like `crypto`. */
const zlib = () => process.getBuiltinModule("node:zlib");

/**
 * Stores the bytes of a file under their SHA-256, which it returns; flushed once, so that they outlive the file that is replaced
 * next. They are no more readable than the file at `path` is.
 */
export async function saveBlob(root: string, path: string, bytes: Buffer): Promise<string> {
  if (bytes.length > MOST_BYTES) throw systemError("EFBIG");
  const hash = hashOf(bytes);
  const { folder, like } = makeHome(root, [HISTORY, BLOBS, hash.slice(0, 2)]);
  const file = join(folder.at, hash);
  // Every lock sweeps this folder: a dead process leaves nothing.
  const staging = makeLocksFolder(root).folder;
  const temporary = temporaryFor(join(staging.at, hash));
  try {
    if (isStored(file, bytes)) return hash;
    const packed = await pack(bytes);
    const owner = { uid: like.uid, gid: like.gid };
    const mode = attempt(() => lstatSync(join(root, path)).mode) ?? 0o666;
    await writeFlushed(temporary, [packed], { mode: mode & like.mode & 0o666, owner });
    renameSync(temporary, file);
    return hash;
  } finally {
    attempt(() => unlinkSync(temporary));
    closePlace(staging);
    closePlace(folder);
  }
}

/** A thread of its own costs more than packing a short text. */
async function pack(bytes: Buffer): Promise<Buffer> {
  const { deflate, deflateSync } = zlib();
  if (bytes.length < SMALL_BYTES) return deflateSync(bytes, { level: 1 });
  return promisify<Buffer, object, Buffer>(deflate)(bytes, { level: 1 });
}

/** Whether a blob is whole; it becomes young again, so that no other process collects it now. */
function isStored(file: string, bytes: Buffer): boolean {
  const stored = attempt(() => unpack(readIfPresent(file, MOST_BYTES)));
  const now = new Date();
  return stored?.equals(bytes) === true && succeeds(() => utimesSync(file, now, now));
}

function unpack(packed: Buffer | undefined): Buffer | undefined {
  return packed && zlib().inflateSync(packed, { maxOutputLength: MOST_BYTES });
}

/** The stored bytes of a hash; undefined if they are missing, `"damaged"` if they are not what was stored. */
export function readBlob(root: string, hash: string): Buffer | "damaged" | undefined {
  return withBlob(root, hash, (file) => {
    const packed = readIfPresent(file, MOST_BYTES);
    const bytes = attempt(() => unpack(packed));
    if (packed === undefined) return undefined;
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : "damaged";
  });
}

export function hasBlob(root: string, hash: string): boolean {
  return blobMode(root, hash) !== undefined;
}

/** Removes a blob; nothing happens if it is missing. */
export function removeBlob(root: string, hash: string): void {
  withBlob(root, hash, (file) => attempt(() => unlinkSync(file)));
}

/** The permission bits of a blob, which are those that its file had. */
export function blobMode(root: string, hash: string): number | undefined {
  return withBlob(root, hash, (file) => attempt(() => lstatSync(file).mode & 0o777));
}

function withBlob<T>(root: string, hash: string, use: (file: string) => T): T | undefined {
  const folder = findHome(root, [HISTORY, BLOBS, hash.slice(0, 2)]);
  if (folder === undefined) return undefined;
  try {
    return use(join(folder.at, hash));
  } finally {
    closePlace(folder);
  }
}

export interface Blob {
  hash: string;
  /** As stored. */
  size: number;
  /** When it was last stored, in milliseconds since 1970. */
  mtime: number;
}

export function listBlobs(root: string): Blob[] {
  const blobs: Blob[] = [];
  for (let number = 0; number < MOST_FOLDERS; number++) {
    const folder = findHome(root, [HISTORY, BLOBS, number.toString(16).padStart(2, "0")]);
    if (folder === undefined) continue;
    try {
      for (const hash of readdirSync(folder.at).filter((name) => /^[0-9a-f]{64}$/.test(name))) {
        const stats = lstatSync(join(folder.at, hash), { throwIfNoEntry: false });
        if (stats?.isFile()) blobs.push({ hash, size: stats.size, mtime: stats.mtimeMs });
      }
    } finally {
      closePlace(folder);
    }
  }
  return blobs;
}
