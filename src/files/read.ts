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
} from "node:fs";
import { crypto } from "./crypto.ts";
import { fileError, systemError } from "./errors.ts";
import type { Gate } from "./gate.ts";
import { closePlace, type OpenPlace, openPlace } from "./place.ts";

export interface FileContent {
  bytes: Buffer;
  /** The bytes as UTF-8, or as the UTF-16 that a byte order mark says, the mark included; other bytes become U+FFFD. */
  text: string;
  /** Whether `text` gives back exactly the bytes: a file of which it does not is never rewritten. */
  exact: boolean;
  /** SHA-256 of the bytes, hexadecimal; made when it is first asked for. */
  readonly hash: string;
}

/** Reads one file synchronously: for the small files of a workspace that costs a third of the asynchronous way. */
export function readContent(file: string | number): FileContent {
  return contentOf(readFileSync(file));
}

export function contentOf(bytes: Buffer): FileContent {
  let hash: string | undefined;
  return {
    bytes,
    text: decode(bytes),
    exact: isUtf8(bytes),
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

/** A document that was read, and the stats of the file that was open. */
export interface ReadFile {
  content: FileContent;
  /** Absolute and link-free. */
  file: string;
  stats: Stats;
}

/** Reads a file through the gate; undefined when there is none. Throws what the gate does, and FILESYSTEM_ERROR. */
export function readFile(gate: Gate, path: string): ReadFile | undefined {
  const opened = gate.openFile(path);
  try {
    return opened && readOpened(opened);
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Reads a file that a walk met, which is through the gate where a link has its name. Throws what the system says. */
export function readScanned(
  gate: Gate,
  { path, file }: { path: string; file: string },
): ReadFile | undefined {
  const opened = openPlace(file, "file");
  return opened === undefined || opened === "moved" ? readFile(gate, path) : readOpened(opened);
}

function readOpened(opened: OpenPlace): ReadFile {
  try {
    return { content: readContent(opened.descriptor), file: opened.file, stats: opened.stats };
  } finally {
    closePlace(opened);
  }
}

/** What was just written to a file (absolute), with the stats it has now. Throws what the system says. */
export function readWritten(file: string, bytes: Buffer): ReadFile {
  return { content: contentOf(bytes), file, stats: lstatSync(file) };
}

/** The bytes of a file, by its name or its descriptor. */
export function readBytes(file: string | number): Buffer {
  return readFileSync(file);
}

// A named pipe must not make us wait for its writer, and a terminal must not become ours.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * The bytes and stats of one open file. Throws a system error for what is not a regular file (`EFTYPE`) or has more than
 * `most` bytes (`EFBIG`), and without `follow` for a link (`ELOOP`).
 */
export function readRegular(file: string, most: number, follow = true): { bytes: Buffer; stats: Stats } {
  const descriptor = openSync(file, READ | (follow ? 0 : (constants.O_NOFOLLOW ?? 0)));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw systemError(stats.isDirectory() ? "EISDIR" : "EFTYPE");
    if (stats.size > most) throw systemError("EFBIG");
    const bytes = Buffer.alloc(stats.size);
    return { bytes: bytes.subarray(0, fill(descriptor, bytes, 0)), stats };
  } finally {
    closeSync(descriptor);
  }
}

/** Fills `target` with what an open file holds from `position` on; the number of bytes, fewer where the file ends before. */
export function fill(descriptor: number, target: Uint8Array, position: number): number {
  let filled = 0;
  while (filled < target.length) {
    const read = readSync(descriptor, target, filled, target.length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

export function hashOf(bytes: Uint8Array): string {
  return crypto().createHash("sha256").update(bytes).digest("hex");
}
