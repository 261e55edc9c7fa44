import { accessSync, constants, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, isMissing, reasonOf } from "./errors.ts";
import { breakLock, isAbandoned, locksFolder, type Owner, readOwner, writtenAt } from "./locks.ts";
import { isTemporary, temporaryFor } from "./temporary.ts";

/** What is at a place: `reason` says in words why it cannot be told. */
export type Place =
  | { kind: "missing" | "folder" | "file" | "other" }
  | { kind: "unreachable"; reason: string };

export function inspectPlace(path: string): Place {
  try {
    const stats = statSync(path);
    return { kind: stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other" };
  } catch (error) {
    return isMissing(error) ? { kind: "missing" } : { kind: "unreachable", reason: reasonOf(error) };
  }
}

/** Whether the permissions let this process make files in a folder. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return errorCode(error) === "EROFS"; // Then the disk is in the way, not a permission.
  }
}

/** Makes and removes a file in a folder: milliseconds that the disk's clock is ahead of ours, or why it could not be made. */
export function probeDisk(folder: string, now: () => number): { ahead: number } | { reason: string } {
  const file = temporaryFor(join(folder, "probe"));
  try {
    const before = now();
    writeFileSync(file, "", { flag: "wx" });
    const written = statSync(file).mtimeMs;
    // Between both readings of our clock the two agree.
    const after = now();
    return { ahead: written < before ? written - before : Math.max(0, written - after) };
  } catch (error) {
    return { reason: reasonOf(error) };
  } finally {
    rmSync(file, { force: true });
  }
}

/** The names in a folder; none when it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // Missing, or told by another check.
  }
}

/** Absolute temporary files that lie directly in a folder. */
export function temporariesIn(folder: string): string[] {
  return namesIn(folder)
    .filter(isTemporary)
    .map((name) => join(folder, name));
}

export interface HeldLock {
  /** Absolute. */
  file: string;
  owner: Owner | undefined;
  /** Milliseconds. */
  age: number;
  abandoned: boolean;
}

/** The locks of a workspace that exist now; `now` is the disk's own time. */
export async function listLocks(root: string, now: number): Promise<HeldLock[]> {
  const folder = locksFolder(root);
  const files = namesIn(folder).filter((name) => name.endsWith(".lock"));
  const found = files.map(async (name) => {
    const file = join(folder, name);
    const [owner, written, abandoned] = await Promise.all([
      readOwner(file),
      writtenAt(file),
      isAbandoned(file, now),
    ]);
    return written === undefined ? [] : [{ file, owner, age: now - written, abandoned }];
  });
  return (await Promise.all(found)).flat();
}

export { breakLock, locksFolder };
