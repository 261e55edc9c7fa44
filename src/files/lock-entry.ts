import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { elapsed } from "../lib/clock.ts";
import { isMissing } from "./errors.ts";
import { enter, type OpenFolder } from "./lock-folder.ts";
import { isAlive, type ProcessSpace, processSpace } from "./process.ts";
import { isTemporary, temporaryFor } from "./temporary.ts";

/** Who holds a lock. Without boot and namespace nothing is known of the process: then the lock's age decides alone. */
export interface Owner extends Partial<ProcessSpace> {
  host: string;
  pid: number;
}

/** What lies in the folder of a lock: one file, which is named by the lock's token, when all is well. */
export interface LockEntry {
  name: string;
  /** Milliseconds since 1970, by the disk's own clock. */
  written: number;
  owner: Owner | undefined;
}

/** The holder keeps its lock younger than this. */
export const STALE_MS = 15_000;
const MAX_OWNER = 1000;
const BROKEN = ".broken";
// A named pipe in the place of a file must not make us wait for its other end.
const PLAIN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What is in a lock; a file in its place, as an earlier version made it, is an entry without a name. */
export function entriesOf(locks: OpenFolder, lock: string): LockEntry[] {
  return (
    inside(locks, lock, (at) => readdirSync(at).flatMap((name) => readEntry(at, name))) ??
    readEntry(locks.at, lock).map((entry) => ({ ...entry, name: "" }))
  );
}

/** What `work` answers for a lock's folder; undefined when there is none. */
function inside<T>(locks: OpenFolder, lock: string, work: (at: string) => T): T | undefined {
  let folder: OpenFolder | undefined;
  try {
    if (!lstatSync(join(locks.at, lock)).isDirectory()) return undefined;
    folder = enter(join(locks.at, lock), lock);
    return work(folder.at);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    folder?.close();
  }
}

function readEntry(at: string, name: string): LockEntry[] {
  const file = join(at, name);
  try {
    const { mtimeMs: written } = lstatSync(file);
    return [{ name, written, owner: readOwner(file) }];
  } catch (error) {
    if (isMissing(error)) return []; // Released meanwhile.
    throw error;
  }
}

function readOwner(file: string): Owner | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | PLAIN);
    try {
      const text = Buffer.alloc(MAX_OWNER);
      return parseOwner(text.toString("utf8", 0, readSync(descriptor, text)));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined; // Released meanwhile, not readable, or no lock of ours: then its age decides.
  }
}

function parseOwner(text: string): Owner | undefined {
  const { host, pid, boot, namespace } = JSON.parse(text) as Partial<Owner>;
  if (typeof host !== "string" || typeof pid !== "number") return undefined;
  return typeof boot === "string" && typeof namespace === "string"
    ? { host, pid, boot, namespace }
    : { host, pid };
}

/**
 * Writes the file of a lock, all of it in place: its time is the disk's own, which is answered in milliseconds. `mode` are
 * the permission bits of a file to make.
 */
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

/** Whether the holder of a lock is gone, as far as one look tells; `now` is the disk's own time. */
export function isAbandoned({ name, written, owner }: LockEntry, now: number): boolean {
  return name.endsWith(BROKEN) || now - written > STALE_MS || hasEnded(owner);
}

function hasEnded(owner: Owner | undefined): boolean {
  const own = processSpace();
  if (owner === undefined || own === undefined || isAlive(owner.pid)) return false;
  return owner.host === own.host && owner.boot === own.boot && owner.namespace === own.namespace;
}

/**
 * Tells of locks that have not moved for as long as we look. A time in the future says nothing about the age of a lock,
 * and its holder, if there is one, writes it every few seconds.
 */
export function createPatience(): (entry: LockEntry) => boolean {
  const known = new Map<string, { written: number; since: number }>();
  return ({ name, written }) => {
    const before = known.get(name);
    if (before?.written === written) return elapsed() - before.since > STALE_MS;
    known.set(name, { written, since: elapsed() });
    return false;
  };
}

/**
 * Takes a lock away from its holder. Several may do it at once, and each may stop at any line: every step names what it
 * removes by the token, which no other lock ever has, and while the folder is not empty the lock is not free. First its file gets
 * another name, so that the holder's next check fails; then what the holder is about to put in the place of a document goes, so
 * that a holder that was stopped after its last check comes too late; then the file.
 */
export function breakLock(locks: OpenFolder, lock: string, { name }: LockEntry): void {
  if (name === "") unlink(join(locks.at, lock));
  else inside(locks, lock, (at) => breakEntry(locks, { at, name }));
}

function breakEntry(locks: OpenFolder, { at, name }: { at: string; name: string }): void {
  const token = name.endsWith(BROKEN) ? name.slice(0, -BROKEN.length) : name;
  if (!isTemporary(token) || isFolder(join(at, name))) {
    // Nothing of ours: it moves where it keeps no lock from being free.
    move(join(at, name), temporaryFor(join(locks.at, "aside")));
    return;
  }
  move(join(at, token), join(at, token + BROKEN));
  unlink(join(locks.at, token));
  unlink(join(at, token + BROKEN));
}

/** Removes the folder of a lock that is free: some disks put no other in the place of an empty one. */
export function removeEmpty(locks: OpenFolder, lock: string): boolean {
  try {
    rmdirSync(join(locks.at, lock));
    return true;
  } catch {
    return false; // Held again, or gone.
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Removes a file or link; a folder, which no document can be replaced by, stays. */
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
