import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  promises,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { attributesOf, type FileAttributes, writeFlushed } from "./flush.ts";
import { attempt, errorCode, guarded, ifPresent, isMissing, succeeds } from "./fs-errors.ts";
import type { Lock } from "./locks.ts";
import { exists } from "./open-entry.ts";
import { readPlain } from "./read.ts";
import { temporaryFor } from "./temp-files.ts";

// On Windows, virus scanners and indexers may hold a new file for some milliseconds.
const BUSY = new Set(["EPERM", "EBUSY", "EACCES"]);
const RETRY_MS = [10, 20, 40, 80, 160, 320];

export interface Replacement {
  /** The lock under which the file was read: once another process takes it over, nothing is written. */
  lock?: Lock | undefined;
  /** Whether owner and group may change: for files that can be rebuilt. */
  anyOwner?: boolean;
  /** What must have succeeded before the file changes: the old bytes are flushed elsewhere meanwhile. */
  ready?: Promise<unknown> | undefined;
}

/**
 * Replaces `file` atomically: temporary file beside it, flush, rename. A crash leaves the old file or the new one. Group and
 * permission bits stay, and the owner if we may set it: a file that we may not write, or whose group we cannot keep, is refused.
 * `check` runs right before the rename and may throw to prevent it.
 */
export async function replaceFile(
  file: string,
  parts: Iterable<Uint8Array>,
  check: () => void = () => {},
  { lock, anyOwner = false, ready }: Replacement = {},
): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    const isKept = await writeFlushed(temporary, parts, attributesAt(file), !anyOwner);
    if (!isKept || !(anyOwner || mayWrite(file))) throw foreign(file);
    await ready;
    await commit(temporary, lock, (from) => {
      check();
      renameSync(from, file);
    });
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/** Renaming over a file needs no permission to write to it. */
function mayWrite(file: string): boolean {
  const owner = ifPresent(() => statSync(file).uid);
  if (owner === undefined || owner === process.geteuid?.()) return true;
  return succeeds(() => accessSync(file, constants.W_OK));
}

function foreign(file: string): UserError {
  const advice = "Ask its owner for the permission to write (chmod g+w), or take it over with chown.";
  const message = `${quoteName(basename(file))} belongs to another user or group. ${advice}`;
  return new UserError("FILESYSTEM_ERROR", message);
}

export interface FileEdit {
  /** For messages. */
  path: string;
  /** Absolute and link-free. */
  file: string;
  /** The bytes it must still have right before it is replaced. */
  before: Buffer;
  /** Undefined to remove it. */
  after: Buffer | undefined;
  /** Makes the error for a file that changed meanwhile; undefined when it is gone. */
  changed: (now: Buffer | undefined) => UserError;
  /** The lock under which it was read. */
  lock: Lock | undefined;
  ready?: Replacement["ready"];
}

/** Replaces or removes a file that was read through the gate. */
export function changeRead({ path, file, before, after, changed, lock, ready }: FileEdit): Promise<void> {
  return guarded(after === undefined ? "delete" : "write", path, async () => {
    if (!exists(dirname(file))) throw changed(undefined);
    const check = () => {
      const now = readPlain(file);
      if (!now?.equals(before)) throw changed(now);
    };
    if (after !== undefined) return await replaceFile(file, [after], check, { lock, ready });
    await ready;
    // Nothing yields from here on.
    check();
    lock?.check();
    unlinkSync(file);
  });
}

function attributesAt(file: string): FileAttributes {
  return ifPresent(() => attributesOf(statSync(file))) ?? {};
}

/** If it fails, a later start sweeps the file: the outcome of the write stands. */
function discard(file: string): void {
  attempt(() => unlinkSync(file));
}

/** Gives a temporary file its final name, so that the other one is gone; `name` throws if it cannot. */
async function commit(
  temporary: string,
  lock: Lock | undefined,
  name: (from: string) => void,
): Promise<void> {
  const from = lock === undefined ? temporary : await stage(temporary, lock);
  try {
    await retried(() => {
      lock?.check();
      name(from);
    });
  } catch (error) {
    discard(from);
    if (isMissing(error)) lock?.check(); // Another process that took the lock over has removed the staged file.
    throw error;
  }
}

async function stage(temporary: string, lock: Lock): Promise<string> {
  try {
    await retried(() => renameSync(temporary, lock.stage));
    return lock.stage;
  } catch (error) {
    if (errorCode(error) === "EXDEV") return temporary; // On another disk: only the check protects it.
    if (isMissing(error)) lock.check();
    throw error;
  }
}

async function retried(run: () => void): Promise<void> {
  for (const wait of RETRY_MS) {
    try {
      return run();
    } catch (error) {
      if (process.platform !== "win32" || !BUSY.has(errorCode(error))) throw error;
      await sleep(wait);
    }
  }
  run();
}

export interface Creation extends FileAttributes {
  /** A file whose permission bits, owner and group the new one gets, if we may set them. */
  like?: string;
  /** The lock under which the name was chosen. */
  lock?: Lock | undefined;
}

/**
 * Creates `file` whole or not at all; false if the name is taken, even by another process at the same moment. Makes missing
 * folders.
 */
export async function createFile(
  file: string,
  bytes: Uint8Array,
  { like, lock, ...attributes }: Creation = {},
): Promise<boolean> {
  await promises.mkdir(dirname(file), { recursive: true });
  const temporary = temporaryFor(file);
  try {
    await writeFlushed(temporary, [bytes], like === undefined ? attributes : attributesAt(like));
    await commit(temporary, lock, (from) => takeName(from, file));
    return true;
  } catch (error) {
    discard(temporary);
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK", "EXDEV"];

/** A hard link never replaces a file. Some disks (FAT, some network shares) have no links. */
function takeName(from: string, to: string): void {
  try {
    linkSync(from, to);
    discard(from);
  } catch (error) {
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    takeNameWithoutLink(from, to);
  }
}

/** Claims the name with an empty file, which only one process can do, and renames the complete file over it. */
function takeNameWithoutLink(from: string, to: string): void {
  const descriptor = openSync(to, "wx");
  const { ino } = fstatSync(descriptor);
  closeSync(descriptor);
  try {
    renameSync(from, to);
  } catch (error) {
    const found = lstatSync(to, { throwIfNoEntry: false });
    if (found?.ino === ino && found.size === 0) rmSync(to, { force: true });
    throw error;
  }
}
