import {
  chmodSync,
  lstatSync,
  readdirSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { writeFlushed } from "../storage/flush.ts";
import { attempt, succeeds, systemError } from "../storage/fs-errors.ts";
import { findHome, type HomeFolder, LOCKS, makeHome, makeInner } from "../storage/lock-folder.ts";
import type { Lock } from "../storage/locks.ts";
import { type FileContent, hashOf, readIfPresent } from "../storage/read.ts";
import { temporaryFor } from "../storage/temp-files.ts";

/** The folder of the history, in `.vibe-mcp/`. */
export const HISTORY = "history";
const BLOBS = "blobs";
/** The size of one file; a planted text must not unpack without end. */
const MAX_BLOB_BYTES = 64 * 2 ** 20;
/** What does not shrink grows a little. */
const MAX_PACKED_BYTES = MAX_BLOB_BYTES + 2 ** 20;
const SMALL_BYTES = 64 * 1024;
const MAX_FOLDERS = 256;

/** Loaded at its first use, like `crypto`. */
const zlib = () => process.getBuiltinModule("node:zlib");

/** What is open already when bytes are stored. */
export interface Storing {
  /** The folder of the history. */
  home?: HomeFolder | undefined;
  lock?: Lock | undefined;
}

/**
 * Stores the bytes of a file under their SHA-256, which it returns; flushed once, so that they outlive the file that is replaced
 * next. Only those can read them who could read the file at `path`.
 */
export async function saveBlob(
  root: string,
  path: string,
  { bytes, hash }: FileContent,
  { home, lock }: Storing = {},
): Promise<string> {
  if (bytes.length > MAX_BLOB_BYTES) throw systemError("EFBIG");
  const names = [BLOBS, hash.slice(0, 2)];
  const folder = home === undefined ? makeHome(root, [HISTORY, ...names]) : makeInner(home, names);
  const file = join(folder.file, hash);
  // Every lock sweeps this folder: a dead process leaves nothing.
  const staging = lock === undefined ? makeHome(root, [LOCKS]) : undefined;
  const temporary = temporaryFor(lock?.stage ?? join(staging?.file ?? "", hash));
  try {
    const readers = readersOf(root, path, folder.like);
    if (isStored(file, bytes, readers.mode)) return hash;
    const packed = await pack(bytes);
    await writeFlushed(temporary, [packed], readers);
    renameSync(temporary, file);
    return hash;
  } catch (error) {
    attempt(() => unlinkSync(temporary));
    throw error;
  }
}

/** The owner and the permission bits of a file, without those of people who cannot enter one of its folders. */
function readersOf(root: string, path: string, like: Stats) {
  const groupIfSame = ({ gid, mode }: Stats) => mode & (gid === like.gid ? 0o777 : 0o707);
  const names = path.split("/");
  let mode = like.mode & 0o666;
  for (let depth = 1; depth < names.length; depth++) {
    const folder = attempt(() => statSync(join(root, ...names.slice(0, depth))));
    mode &= 0o600 | ((folder === undefined ? 0 : groupIfSame(folder) & 0o011) * 6);
  }
  const file = attempt(() => lstatSync(join(root, path)));
  mode &= file === undefined ? 0o600 : groupIfSame(file);
  return { mode, owner: { uid: file?.uid ?? like.uid, gid: like.gid } };
}

/** A thread of its own costs more than packing a short text. */
async function pack(bytes: Buffer): Promise<Buffer> {
  const { deflate, deflateSync } = zlib();
  if (bytes.length < SMALL_BYTES) return deflateSync(bytes, { level: 1 });
  return promisify<Buffer, object, Buffer>(deflate)(bytes, { level: 1 });
}

/** Whether a blob is whole; it becomes young again, so that no other process collects it now, and no more readable than `mode`. */
function isStored(file: string, bytes: Buffer, mode: number): boolean {
  const stored = attempt(() => unpack(readIfPresent(file, MAX_PACKED_BYTES), bytes.length));
  if (stored?.equals(bytes) !== true) return false;
  const now = new Date();
  attempt(() => {
    const present = lstatSync(file).mode & 0o777;
    if ((present & ~mode) !== 0) chmodSync(file, present & mode);
  });
  return succeeds(() => utimesSync(file, now, now));
}

function unpack(packed: Buffer | undefined, most: number): Buffer | undefined {
  return packed && zlib().inflateSync(packed, { maxOutputLength: Math.max(most, 1) });
}

/** The stored bytes of a hash, at most `most`; undefined if they are missing, `"damaged"` if they are not what was stored. */
export function readBlob(root: string, hash: string, most = MAX_BLOB_BYTES): Buffer | "damaged" | undefined {
  return withBlob(root, hash, (file) => {
    const packed = attempt(() => readIfPresent(file, MAX_PACKED_BYTES) ?? "missing") ?? Buffer.alloc(0);
    if (packed === "missing") return undefined;
    const bytes = attempt(() => unpack(packed, Math.min(most, MAX_BLOB_BYTES)));
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

/** The permission bits of a blob. */
export function blobMode(root: string, hash: string): number | undefined {
  return withBlob(root, hash, (file) => attempt(() => lstatSync(file).mode & 0o777));
}

function withBlob<T>(root: string, hash: string, use: (file: string) => T): T | undefined {
  const folder = findHome(root, [HISTORY, BLOBS, hash.slice(0, 2)]);
  if (folder === undefined) return undefined;
  return use(join(folder.file, hash));
}

export interface Blob {
  hash: string;
  /** As stored. */
  size: number;
  /** When it was last stored, in milliseconds since 1970. */
  mtime: number;
}

export async function listBlobs(root: string): Promise<Blob[]> {
  const blobs: Blob[] = [];
  for (let number = 0; number < MAX_FOLDERS; number++) {
    const folder = findHome(root, [HISTORY, BLOBS, number.toString(16).padStart(2, "0")]);
    if (folder === undefined) continue;
    for (const hash of readdirSync(folder.file).filter((name) => /^[0-9a-f]{64}$/.test(name))) {
      const stats = lstatSync(join(folder.file, hash), { throwIfNoEntry: false });
      if (stats?.isFile()) blobs.push({ hash, size: stats.size, mtime: stats.mtimeMs });
    }
    await setImmediate();
  }
  return blobs;
}
