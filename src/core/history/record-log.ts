import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { writeFlushed } from "../storage/flush.ts";
import { attempt, errorCode, ifPresent, systemError } from "../storage/fs-errors.ts";
import { findHome, type HomeFolder, LOCKS, makeHome, makeInner } from "../storage/lock-folder.ts";
import type { PlainPath } from "../storage/open-entry.ts";
import { readIfPresent } from "../storage/read.ts";
import { temporaryFor } from "../storage/temp-files.ts";
import { setAside } from "./aside.ts";
import { HISTORY } from "./blobs.ts";
import { type LogRecord, MAX_RECORD_BYTES, parseRecord } from "./record.ts";

const LOG = "log";
const NAME = /^(\d{4}-\d\d-\d\d)(?:-\d+)?\.jsonl$/;
const MAX_DAY_BYTES = 64 * 2 ** 20;
// Opening a named pipe must not wait for its reader.
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * Adds a record to the log of its day, in one write; `home` is the folder of the history, if it is open. Not flushed: a killed
 * process loses nothing of it, and after a power cut only the newest versions are missing from the list.
 */
export function appendRecord(root: string, record: LogRecord, home?: HomeFolder): void {
  append(root, `${record.time.slice(0, 10)}.jsonl`, Buffer.from(lineOf(record)), home);
}

/** The line break comes first, so that a torn line does not damage the next one. */
function lineOf(record: LogRecord): string {
  return `\n${JSON.stringify(record)}`;
}

function append(root: string, name: string, bytes: Buffer, home?: HomeFolder): void {
  if (bytes.length > MAX_RECORD_BYTES) throw systemError("EFBIG");
  const folder = home === undefined ? makeHome(root, [HISTORY, LOG]) : makeInner(home, [LOG]);
  const mode = folder.like.mode & 0o666;
  const { descriptor, isEmpty } = openDay(root, folder, { name, mode });
  try {
    if (isEmpty) attempt(() => fchmodSync(descriptor, mode));
    if (writeSync(descriptor, bytes) < bytes.length) throw systemError("ENOSPC");
  } finally {
    closeSync(descriptor);
  }
}

/** Opens the log of a day; anything else of its name is moved aside. */
function openDay(root: string, folder: PlainPath, day: { name: string; mode: number }): OpenDay {
  const opened = openRegular(join(folder.file, day.name), day.mode);
  if (opened !== undefined) return opened;
  setAside(root, folder, day.name);
  const again = openRegular(join(folder.file, day.name), day.mode);
  if (again === undefined) throw systemError("EFTYPE");
  return again;
}

interface OpenDay {
  descriptor: number;
  isEmpty: boolean;
}

/** Undefined for a link, a folder, a pipe. */
function openRegular(file: string, mode: number): OpenDay | undefined {
  try {
    const descriptor = openSync(file, APPEND, mode);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, isEmpty: stats.size === 0 };
    closeSync(descriptor);
  } catch (error) {
    if (!["ELOOP", "EISDIR", "ENXIO", "EMLINK"].includes(errorCode(error))) throw error;
  }
  return undefined;
}

function inLog<T>(root: string, use: (folder: PlainPath) => T): T | undefined {
  const folder = findLog(root);
  if (folder === undefined) return undefined;
  return use(folder);
}

export function findLog(root: string): PlainPath | undefined {
  return findHome(root, [HISTORY, LOG]);
}

/** The names of the logs, oldest first, as `-` sorts before `.`; those of one day share its date. */
export function listDays(root: string): { name: string; date: string }[] {
  return inLog(root, daysIn) ?? [];
}

export function daysIn({ file }: PlainPath): { name: string; date: string }[] {
  const names = readdirSync(file).filter((name) => NAME.test(name));
  return names.sort().map((name) => ({ name, date: name.slice(0, 10) }));
}

export function removeDays(root: string, names: readonly string[]): void {
  inLog(root, ({ file }) => {
    for (const name of names) attempt(() => unlinkSync(join(file, name)));
  });
}

/** Rewrites the log without the changes of one path. Lines that other processes add meanwhile stay. */
export async function removePath(root: string, path: string): Promise<void> {
  for (const { name, date } of listDays(root)) {
    const folder = makeHome(root, [HISTORY, LOG]);
    const file = join(folder.file, name);
    const closed = join(folder.file, `${date}-${Date.now()}.jsonl`);
    const staging = makeHome(root, [LOCKS]);
    const temporary = temporaryFor(join(staging.file, name));
    try {
      if (!isReadable(folder, name)) {
        setAside(root, folder, name);
        continue;
      }
      // From here on, other processes write to a new file.
      if (name === `${date}.jsonl`) renameSync(file, closed);
      const at = name === `${date}.jsonl` ? closed : file;
      const before = readIfPresent(at, MAX_DAY_BYTES) ?? Buffer.alloc(0);
      const after = Buffer.from(withoutPath(before.toString("utf8"), path));
      await writeFlushed(temporary, [after], { mode: folder.like.mode & 0o666 });
      // One that had opened the old file just before its rename may have added a line.
      const late =
        ifPresent(() => readIfPresent(at, MAX_DAY_BYTES))?.subarray(before.length) ?? Buffer.alloc(0);
      renameSync(temporary, at);
      if (late.length > 0) append(root, name, late);
    } finally {
      attempt(() => unlinkSync(temporary));
    }
  }
}

function isReadable(folder: PlainPath, name: string): boolean {
  const stats = lstatSync(join(folder.file, name), { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.size <= MAX_DAY_BYTES);
}

function withoutPath(text: string, path: string): string {
  return text
    .split("\n")
    .flatMap((line) => {
      const record = parseRecord(line);
      if (record === undefined || "void" in record) return record === undefined ? [] : [lineOf(record)];
      const changes = record.changes.filter((change) => change.path !== path);
      if (changes.length === record.changes.length) return [lineOf(record)];
      const { made: _, ...rest } = record;
      return changes.length === 0 ? [] : [lineOf({ ...rest, changes, partial: true })];
    })
    .join("");
}
