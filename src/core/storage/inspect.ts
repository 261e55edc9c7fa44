import { accessSync, constants, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, errorCode, isMissing, reasonOf } from "./fs-errors.ts";
import { breakLock, entriesOf, isAbandoned, type LockEntry, removeEmpty } from "./lock-entry.ts";
import { findHome, LOCKS } from "./lock-folder.ts";
import type { PlainPath } from "./open-entry.ts";
import { isTemporary, temporaryFor } from "./temp-files.ts";

/** What a path names; `reason` says in words why that is unknown. */
export type PathKind =
  | { kind: "missing" | "folder" | "file" | "other" }
  | { kind: "unreachable"; reason: string };

export function inspectPath(path: string): PathKind {
  try {
    const stats = statSync(path);
    return { kind: stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other" };
  } catch (error) {
    return isMissing(error) ? { kind: "missing" } : { kind: "unreachable", reason: reasonOf(error) };
  }
}

/** When a file was written last; undefined if it cannot be read. */
export function writtenAt(file: string): Date | undefined {
  return attempt(() => statSync(file).mtime);
}

/** Whether this process may make files in a folder. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return errorCode(error) === "EROFS"; // The disk forbids it, not a permission.
  }
}

/** Makes and removes a file in a folder. Returns how many milliseconds the disk's clock is ahead of ours, or why it failed. */
export function probeDisk(folder: string, now: () => number): { ahead: number } | { reason: string } {
  const file = temporaryFor(join(folder, "probe"));
  try {
    const before = now();
    writeFileSync(file, "", { flag: "wx" });
    const written = statSync(file).mtimeMs;
    // A time between both readings of our clock agrees with it.
    const after = now();
    return { ahead: written < before ? written - before : Math.max(0, written - after) };
  } catch (error) {
    return { reason: reasonOf(error) };
  } finally {
    rmSync(file, { force: true });
  }
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort()) ?? [];
}

/** The temporary files (absolute) directly in a folder. */
export function temporariesIn(folder: string): string[] {
  return namesIn(folder)
    .filter(isTemporary)
    .map((name) => join(folder, name));
}

export interface LockStatus {
  /** Milliseconds; negative for a lock dated in the future. */
  age: number;
  owner: LockEntry["owner"];
  abandoned: boolean;
  /** Takes it away from its holder. */
  remove(): void;
}

/**
 * The locks of a workspace; `now` is the disk's own time. Throws FILESYSTEM_ERROR if the folder of locks is a link.
 */
export function listLocks(root: string, now: number): LockStatus[] {
  return withLocks(root, (folder) => {
    const locks = namesIn(folder.file).filter((name) => name.endsWith(".lock"));
    return locks.flatMap((lock) =>
      entriesOf(folder.file, lock).map((entry) => ({
        age: now - entry.written,
        owner: entry.owner,
        abandoned: isAbandoned(entry, now),
        remove: () => removeLock(root, lock, entry),
      })),
    );
  });
}

function removeLock(root: string, lock: string, entry: LockEntry): void {
  withLocks(root, (folder) => {
    breakLock(folder.file, lock, entry);
    removeEmpty(folder.file, lock);
    return [];
  });
}

/** Temporary files (absolute) in the folder of the locks. */
export function lockTemporaries(root: string): string[] {
  return withLocks(root, ({ file }) => temporariesIn(file));
}

function withLocks<T>(root: string, work: (folder: PlainPath) => T[]): T[] {
  const folder = findHome(root, [LOCKS]);
  return folder === undefined ? [] : work(folder);
}
