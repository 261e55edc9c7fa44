import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { writeFlushed } from "./flush.ts";
import { attempt, ifPresent, systemError } from "./fs-errors.ts";
import { HISTORY } from "./history-blobs.ts";
import { findHome, makeHome, makeLocksFolder } from "./lock-folder.ts";
import { closePlace } from "./place.ts";
import { readIfPresent } from "./read.ts";
import { temporaryFor } from "./temp-files.ts";

/** What an operation did to one file; `path` is relative to the root. */
export interface Change {
  path: string;
  /** SHA-256 of the bytes before; null if the file was created. */
  before: string | null;
  /** SHA-256 of the bytes after; null if the file was removed. */
  after: string | null;
  /** How many bytes it had before. */
  bytes: number;
}

/** One call of a tool or one command. */
export interface Operation {
  id: string;
  /** ISO 8601, UTC. */
  time: string;
  tool: string;
  client: string;
  pid: number;
  changes: Change[];
  /** The operation that this one undid. */
  undoes?: string;
  /** The project that it made, with its folders. */
  made?: string;
  /** Whether other changes were purged, or undone: these alone would not bring back what was. */
  partial?: boolean;
}

/** Says of an operation that its files did not change after all. */
export type LogRecord = Operation | { void: string; time: string };

const LOG = "log";
const NAME = /^(\d{4}-\d\d-\d\d)(?:-\d+)?\.jsonl$/;
const MOST_BYTES = 2 ** 29;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Adds a record to the log of its day, in one write. Not flushed: a killed process loses nothing of it, and after a power cut
 * only the newest versions are missing from the list.
 */
export function appendRecord(root: string, record: LogRecord): void {
  append(root, `${record.time.slice(0, 10)}.jsonl`, Buffer.from(lineOf(record)));
}

/** The line break comes first, so that a torn line does not damage the next one. */
function lineOf(record: LogRecord): string {
  return `\n${JSON.stringify(record)}`;
}

function append(root: string, name: string, bytes: Buffer): void {
  const { folder, like } = makeHome(root, [HISTORY, LOG]);
  try {
    const mode = like.mode & 0o666;
    const descriptor = openSync(join(folder.at, name), APPEND, mode);
    try {
      if (fstatSync(descriptor).size === 0) attempt(() => fchmodSync(descriptor, mode));
      if (writeSync(descriptor, bytes) < bytes.length) throw systemError("ENOSPC");
    } finally {
      closeSync(descriptor);
    }
  } finally {
    closePlace(folder);
  }
}

export interface HistoryLog {
  /** Oldest first, without those that did not happen. */
  operations: Operation[];
  /** How many lines cannot be read. */
  damaged: number;
}

export function readLog(root: string): HistoryLog {
  const voids = new Set<string>();
  const operations: Operation[] = [];
  let damaged = 0;
  for (const { text } of readDays(root)) {
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const record = parseRecord(line);
      if (record === undefined) damaged++;
      else if ("void" in record) voids.add(record.void);
      else operations.push(record);
    }
  }
  return { operations: operations.filter(({ id }) => !voids.has(id)), damaged };
}

interface Day {
  /** `YYYY-MM-DD` */
  date: string;
  name: string;
  text: string;
}

function readDays(root: string): Day[] {
  const folder = findHome(root, [HISTORY, LOG]);
  if (folder === undefined) return [];
  try {
    return logNames(folder.at).flatMap((name) => {
      const bytes = attempt(() => readIfPresent(join(folder.at, name), MOST_BYTES));
      return bytes === undefined ? [] : [{ date: name.slice(0, 10), name, text: bytes.toString("utf8") }];
    });
  } finally {
    closePlace(folder);
  }
}

/** In the order of time: `-` sorts before `.`. */
function logNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort();
}

/** Undefined for anything but a record: the folder may come from someone else. */
export function parseRecord(line: string): LogRecord | undefined {
  const value: unknown = attempt(() => JSON.parse(line));
  if (typeof value !== "object" || value === null) return undefined;
  const { id, time, tool, client, changes, void: voided } = value as Record<string, unknown>;
  if (typeof voided === "string") return value as LogRecord;
  const texts = [id, time, tool, client].every((text) => typeof text === "string" && text.length < 300);
  return texts && Array.isArray(changes) && changes.every(isChange) ? (value as Operation) : undefined;
}

function isChange(value: unknown): boolean {
  const { path, before, after, bytes } = (value ?? {}) as Record<string, unknown>;
  const isHash = (hash: unknown) =>
    hash === null || (typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash));
  return typeof path === "string" && typeof bytes === "number" && isHash(before) && isHash(after);
}

/** Removes the logs of the days before `date` (`YYYY-MM-DD`), or all of them. */
export function removeDays(root: string, date = "~"): void {
  const folder = findHome(root, [HISTORY, LOG]);
  if (folder === undefined) return;
  try {
    for (const name of logNames(folder.at).filter((day) => day.slice(0, 10) < date))
      attempt(() => unlinkSync(join(folder.at, name)));
  } finally {
    closePlace(folder);
  }
}

/** Rewrites the log without the changes of one path. Lines that other processes add meanwhile stay. */
export async function removePath(root: string, path: string): Promise<void> {
  for (const { name, date } of readDays(root)) {
    const { folder, like } = makeHome(root, [HISTORY, LOG]);
    const file = join(folder.at, name);
    const closed = join(folder.at, `${date}-${Date.now()}.jsonl`);
    const staging = makeLocksFolder(root).folder;
    const temporary = temporaryFor(join(staging.at, name));
    try {
      // From here on, other processes write to a new file.
      if (name === `${date}.jsonl`) renameSync(file, closed);
      const at = name === `${date}.jsonl` ? closed : file;
      const before = readIfPresent(at, MOST_BYTES) ?? Buffer.alloc(0);
      const after = Buffer.from(withoutPath(before.toString("utf8"), path));
      await writeFlushed(temporary, [after], { mode: like.mode & 0o666 });
      // One that had opened the old file just before its rename may have added a line.
      const late = ifPresent(() => readIfPresent(at, MOST_BYTES))?.subarray(before.length) ?? Buffer.alloc(0);
      renameSync(temporary, at);
      if (late.length > 0) append(root, name, late);
    } finally {
      attempt(() => unlinkSync(temporary));
      closePlace(staging);
      closePlace(folder);
    }
  }
}

function withoutPath(text: string, path: string): string {
  return text
    .split("\n")
    .flatMap((line) => {
      const record = parseRecord(line);
      if (record === undefined || "void" in record) return record === undefined ? [] : [lineOf(record)];
      const changes = record.changes.filter((change) => change.path !== path);
      if (changes.length === record.changes.length) return [lineOf(record)];
      return changes.length === 0 ? [] : [lineOf({ ...record, changes, partial: true })];
    })
    .join("");
}
