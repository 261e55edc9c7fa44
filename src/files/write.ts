import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  promises,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, isMissing } from "./errors.ts";
import type { Lock } from "./locks.ts";
import { temporaryFor } from "./temporary.ts";

// Virus scanners and indexers on Windows hold a fresh file for some milliseconds.
const HELD = new Set(["EPERM", "EBUSY", "EACCES"]);
const RETRY_MS = [10, 20, 40, 80, 160, 320];

export interface Replacement {
  /** The lock that the file was read under: nothing is written once another process has taken it over. */
  lock?: Lock | undefined;
}

/**
 * Replaces `file` atomically: temporary file beside it, flush, rename. A crash leaves the old file or the new one. The
 * permission bits of the old file stay. `stillWanted` is asked right before the rename, and stops it by throwing.
 */
export async function replaceFile(
  file: string,
  parts: Iterable<Uint8Array>,
  stillWanted: () => void = () => {},
  { lock }: Replacement = {},
): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    await writeFlushed(temporary, parts, await permissionsOf(file));
    await commit({ temporary, file, lock, stillWanted }, renameSync);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

async function permissionsOf(file: string): Promise<number | undefined> {
  try {
    return (await promises.stat(file)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes a file that must not exist yet, down to the disk; `mode` are its permission bits, else the umask decides. */
async function writeFlushed(file: string, parts: Iterable<Uint8Array>, mode?: number): Promise<void> {
  const handle = await promises.open(file, "wx", mode);
  try {
    if (mode !== undefined) await permit(handle, mode);
    for (const part of parts) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function permit(handle: FileHandle, mode: number): Promise<void> {
  try {
    await handle.chmod(mode); // The umask has taken bits from the mode it was opened with.
  } catch {
    // A disk that keeps no permissions has none to lose.
  }
}

function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // What is there and cannot be removed now is swept by a later start; the outcome of the write is not changed by it.
  }
}

interface Commit {
  temporary: string;
  file: string;
  lock?: Lock | undefined;
  stillWanted?: () => void;
}

/** Gives a temporary file its final name by `name`, which throws when it cannot. */
async function commit(
  { temporary, file, lock, stillWanted }: Commit,
  name: (from: string, to: string) => void,
): Promise<void> {
  const from = lock === undefined ? temporary : await stage(temporary, lock);
  try {
    await retried(() => {
      stillWanted?.();
      lock?.check();
      // No line in between: what was compared and checked just now is still so.
      name(from, file);
    });
  } catch (error) {
    discard(from);
    // Who took the lock over has removed the staged file.
    if (isMissing(error)) lock?.check();
    throw error;
  }
}

async function stage(temporary: string, lock: Lock): Promise<string> {
  try {
    await retried(() => renameSync(temporary, lock.stage));
    return lock.stage;
  } catch (error) {
    if (errorCode(error) === "EXDEV") return temporary; // A folder of another disk has the check alone.
    if (isMissing(error)) lock.check();
    throw error;
  }
}

async function retried(run: () => void): Promise<void> {
  for (const wait of RETRY_MS) {
    try {
      return run();
    } catch (error) {
      if (process.platform !== "win32" || !HELD.has(errorCode(error))) throw error;
      await sleep(wait);
    }
  }
  run();
}

export interface Creation {
  /** A file whose permission bits the new one gets. */
  like?: string;
  /** The lock that the name was chosen under. */
  lock?: Lock | undefined;
}

/**
 * Creates `file` with all of its bytes or not at all; false when the name is taken, also when somebody else takes it
 * at the same moment. Missing folders are made.
 */
export async function createFile(
  file: string,
  bytes: Uint8Array,
  { like, lock }: Creation = {},
): Promise<boolean> {
  await promises.mkdir(dirname(file), { recursive: true });
  const temporary = temporaryFor(file);
  try {
    await writeFlushed(temporary, [bytes], like === undefined ? undefined : await permissionsOf(like));
    return await claim({ temporary, file, lock });
  } finally {
    discard(temporary);
  }
}

async function claim(wanted: Commit): Promise<boolean> {
  try {
    await commit(wanted, takeName);
    if (wanted.lock !== undefined) discard(wanted.lock.stage);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK", "EXDEV"];

/** A hard link never replaces what is there; some disks (FAT, some network shares) have none. */
function takeName(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    takeNameWithoutLink(from, to);
  }
}

/** Takes the name with an empty file, which only one can, and puts the whole one in its place. */
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
