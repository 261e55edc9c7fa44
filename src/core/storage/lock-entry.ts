import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { attempt, ifPresent, isMissing, succeeds } from "./fs-errors.ts";
import { findFolder } from "./open-entry.ts";
import { readRegular } from "./read.ts";
import { isAlive, isTemporary, processSpace, temporaryFor } from "./temp-files.ts";

/** Who holds a lock. Without a namespace, only the lock's age shows whether it is abandoned. */
export interface Owner {
  host: string;
  namespace?: string | undefined;
  pid: number;
}

/** A file in a lock's folder: usually the only one, named by the lock's token. */
export interface LockEntry {
  name: string;
  /** Milliseconds since 1970, by the disk's own clock. */
  written: number;
  owner: Owner | undefined;
}

/** The holder keeps its lock younger than this. */
const STALE_MS = 15_000;
const MAX_OWNER = 1000;
const BROKEN = ".broken";
// Opening a named pipe must not wait for its other end.
const PLAIN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The entries of a lock. Earlier versions made a file instead of a folder: an entry without a name. */
export function entriesOf(locks: string, lock: string): LockEntry[] {
  const at = join(locks, lock);
  if (findFolder(at) === undefined) return entryIn(locks, lock).map((entry) => ({ ...entry, name: "" }));
  return ifPresent(() => readdirSync(at).flatMap((name) => entryIn(at, name))) ?? [];
}

/** What a file says about the process that wrote it; nothing if there is none. */
export function entryIn(at: string, name: string): LockEntry[] {
  const file = join(at, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ name, written: stats.mtimeMs, owner: readOwner(file) }];
}

/** Undefined for a lock that was released, cannot be read or is not ours: then its age decides. */
function readOwner(file: string): Owner | undefined {
  return attempt(() => {
    const text = readRegular(file, MAX_OWNER, false).bytes.toString("utf8");
    const { host, pid, namespace } = JSON.parse(text) as Partial<Owner>;
    return typeof host === "string" && typeof pid === "number" ? { host, pid, namespace } : undefined;
  });
}

/** Overwrites a lock's file, or creates it with `mode`; returns its mtime, which is the disk's own time. */
export function writeEntry(file: string, text: string, mode?: number): number {
  const make = mode === undefined ? 0 : constants.O_CREAT | constants.O_EXCL;
  const descriptor = openSync(file, constants.O_WRONLY | make | PLAIN, mode);
  try {
    writeSync(descriptor, text, 0);
    return fstatSync(descriptor).mtimeMs;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Whether the holder of a lock is gone, by its age and process; `now` is the disk's own time. A holder writes its time every few
 * seconds: one far in the future is as old.
 */
export function isAbandoned({ name, written, owner }: LockEntry, now: number): boolean {
  return name.endsWith(BROKEN) || Math.abs(now - written) > STALE_MS || hasEnded(owner);
}

/** Whether a process is known to have ended. */
export function hasEnded(owner: Owner | undefined): boolean {
  const own = processSpace();
  if (owner === undefined || own === undefined || isAlive(owner.pid)) return false;
  return owner.host === own.host && owner.namespace === own.namespace;
}

/**
 * Takes a lock away from its holder. Several processes may do so at once, and each may stop at any line: every step names what
 * it removes by the token, which no other lock ever has, and the lock stays taken until its folder is empty. First its file is
 * renamed, so the holder's next check fails; then the staged file is removed, so a holder that was stopped after its last check
 * comes too late; then the file.
 */
export function breakLock(locks: string, lock: string, { name }: LockEntry): void {
  const at = join(locks, lock);
  if (name === "") unlink(at);
  else breakEntry(locks, { at, name });
}

function breakEntry(locks: string, { at, name }: { at: string; name: string }): void {
  const token = name.endsWith(BROKEN) ? name.slice(0, -BROKEN.length) : name;
  if (!isTemporary(token) || isFolder(join(at, name))) {
    // Not ours: moved away to free the lock.
    ifPresent(() => renameSync(join(at, name), temporaryFor(join(locks, "aside"))));
    return;
  }
  ifPresent(() => renameSync(join(at, token), join(at, token + BROKEN)));
  unlink(join(locks, token));
  unlink(join(at, token + BROKEN));
}

/** Removes the empty folder of a free lock: some disks cannot rename another one over it. */
export function removeEmpty(locks: string, lock: string): boolean {
  return succeeds(() => rmdirSync(join(locks, lock)));
}

/** Removes a file or link. A folder may stay: it cannot replace a document. */
function unlink(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!isMissing(error) && !isFolder(file)) throw error;
  }
}

function isFolder(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
