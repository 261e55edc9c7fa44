import { isUtf8 } from "node:buffer";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { attempt, fileError, ifPresent, systemError } from "./fs-errors.ts";
import { type OpenFile, openFile } from "./open-entry.ts";
import type { Gate } from "./path-gate.ts";

export interface FileContent {
  readonly bytes: Buffer;
  /** The bytes as UTF-8, or as the UTF-16 that a byte order mark says, including the mark; invalid bytes become U+FFFD. */
  readonly text: string;
  /** Whether `text` encodes to exactly the bytes: otherwise the file is never rewritten. */
  readonly exact: boolean;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
}

/** Text and hash are computed at their first use. */
export function contentOf(bytes: Buffer): FileContent {
  let text: string | undefined;
  let hash: string | undefined;
  let exact: boolean | undefined;
  return {
    bytes,
    get text() {
      text ??= decode(bytes);
      return text;
    },
    get exact() {
      exact ??= isUtf8(bytes);
      return exact;
    },
    get hash() {
      hash ??= hashOf(bytes);
      return hash;
    },
  };
}

function decode(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return bytes.toString("utf16le").toWellFormed();
  if (mark !== 0xfeff) return bytes.toString("utf8");
  const swapped = Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  return swapped.toString("utf16le").toWellFormed();
}

/** A file's content, with the stats it had when it was read or written. */
export interface ReadFile extends FileContent {
  /** Absolute and link-free. */
  readonly file: string;
  stats: Stats;
}

/**
 * Reads a file through the gate; undefined if there is none. Throws what the gate throws, and FILESYSTEM_ERROR, also for one of more
 * than `most` bytes.
 */
export function readFile(gate: Gate, path: string, most = Number.POSITIVE_INFINITY): ReadFile | undefined {
  using opened = gate.openFile(path);
  if (opened === undefined) return undefined;
  try {
    if (opened.stats.size > most) throw systemError("EFBIG");
    return readOpened(opened);
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Reads a file that a walk found: directly, or through the gate if it is a link. Throws system errors. */
export function readScanned(
  gate: Gate,
  { path, file }: { path: string; file: string },
): ReadFile | undefined {
  using opened = openFile(file);
  return opened === undefined ? readFile(gate, path) : readOpened(opened);
}

/** Synchronous: a third of the cost of asynchronous reads for small files. */
function readOpened({ file, stats, descriptor }: OpenFile): ReadFile {
  return Object.assign(contentOf(readFileSync(descriptor)), { file, stats });
}

/** The content just written to a file (absolute), with the stats it has now; undefined if it is gone. */
export function writtenFile(file: string, content: FileContent): ReadFile | undefined {
  const stats = attempt(() => lstatSync(file));
  return stats && Object.assign(content, { file, stats });
}

/** The bytes of a file, by its name or its descriptor. */
export function readBytes(file: string | number): Buffer {
  return readFileSync(file);
}

// Opening a named pipe must not wait for its writer, and a terminal must not become ours.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Throws a system error for anything but a regular file (`EFTYPE`, `EISDIR`), more than `most` bytes (`EFBIG`), and without
 * `follow` for a link (`ELOOP`).
 */
export function readRegular(file: string, most: number, follow = true): { bytes: Buffer; stats: Stats } {
  const { descriptor, stats } = openRegular(file, follow);
  try {
    if (stats.size > most) throw systemError("EFBIG");
    const bytes = Buffer.alloc(stats.size);
    return { bytes: bytes.subarray(0, fill(descriptor, bytes, 0)), stats };
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a file for reading; throws like `readRegular`. The caller closes it. */
export function openRegular(file: string, follow = true): { descriptor: number; stats: Stats } {
  const descriptor = openSync(file, READ | (follow ? 0 : (constants.O_NOFOLLOW ?? 0)));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw systemError(stats.isDirectory() ? "EISDIR" : "EFTYPE");
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Fills `target` from an open file, from `position` on. Returns the number of bytes read: fewer at the end of the file. */
export function fill(descriptor: number, target: Uint8Array, position: number): number {
  let filled = 0;
  while (filled < target.length) {
    const read = readSync(descriptor, target, filled, target.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

/** The bytes of a small file, not a link; undefined if it is missing. Throws like `readRegular`. */
export function readIfPresent(file: string, most: number): Buffer | undefined {
  return ifPresent(() => readRegular(file, most, false).bytes);
}

/** The bytes of a regular file (absolute); undefined if there is none, or a link. */
export function readPlain(file: string): Buffer | undefined {
  using opened = openFile(file);
  return opened && readFileSync(opened.descriptor);
}

/** A note for agents takes a page or two. */
const SMALL_BYTES = 1024 * 1024;

/** The text of a regular file; undefined if it is missing, unreadable or larger than 1 MB. */
export function readSmall(file: string): string | undefined {
  return attempt(() => readRegular(file, SMALL_BYTES).bytes.toString("utf8"));
}

/** Returns a small file's text if the file changed since the last call, otherwise undefined. Throws system errors. */
export function followFile(file: string): () => string | undefined {
  let seen = "";
  return () => {
    if (versionOf(statSync(file)) === seen) return undefined;
    const { bytes, stats } = readRegular(file, SMALL_BYTES);
    seen = versionOf(stats);
    return bytes.toString("utf8");
  };
}

/** Differs between two versions of a file; undefined if it is missing. */
export function fileVersion(file: string): string | undefined {
  return attempt(() => versionOf(statSync(file)));
}

function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(" ");
}

/** Node's `crypto`, loaded at its first use: at start-up it would take as long as all other built-in modules together. */
export function crypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}

/** What a power cut leaves of a file, and what stands for one that a cloud keeps. */
export function isZeros(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte === 0);
}

export function hashOf(bytes: Uint8Array): string {
  return crypto().createHash("sha256").update(bytes).digest("hex");
}
