import { promises } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, isMissing } from "./errors.ts";
import { temporaryFor } from "./temporary.ts";

// Virus scanners and indexers on Windows hold a fresh file for some milliseconds.
const HELD = new Set(["EPERM", "EBUSY", "EACCES"]);
const RETRY_MS = [10, 20, 40, 80, 160, 320];

/**
 * Replaces `file` atomically: temporary file beside it, flush, rename. A crash leaves the old file or the new one. The
 * permission bits of the old file stay. `stillWanted` is asked in the last moment and stops the replacement by throwing.
 */
export async function replaceFile(
  file: string,
  parts: Iterable<Uint8Array>,
  stillWanted: () => void = () => {},
): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    await writeFlushed(temporary, parts, await permissionsOf(file));
    await renameOver(temporary, file, stillWanted);
  } catch (error) {
    await discard(temporary);
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

async function discard(temporary: string): Promise<void> {
  try {
    await promises.rm(temporary, { force: true });
  } catch {
    // What cannot be removed now is swept by a later start; the outcome of the write is not changed by it.
  }
}

/** Writes a file that must not exist yet, down to the disk; `mode` are its permission bits, else the umask decides. */
async function writeFlushed(
  file: string,
  parts: Iterable<Uint8Array>,
  mode?: number,
  owner?: Origin["owner"],
): Promise<void> {
  const handle = await promises.open(file, "wx", mode);
  try {
    if (owner !== undefined) await give(handle, owner);
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

async function give(handle: FileHandle, { uid, gid }: NonNullable<Origin["owner"]>): Promise<void> {
  try {
    await handle.chown(uid, gid);
  } catch {
    // A disk that keeps no owners has none to lose.
  }
}

async function renameOver(from: string, to: string, stillWanted = () => {}): Promise<void> {
  for (const wait of RETRY_MS) {
    stillWanted();
    try {
      return await promises.rename(from, to);
    } catch (error) {
      if (process.platform !== "win32" || !HELD.has(errorCode(error))) throw error;
      await sleep(wait);
    }
  }
  stillWanted();
  await promises.rename(from, to);
}

interface Origin {
  /** A file whose permission bits the new one gets. */
  like?: string;
  /** Its permission bits; without either the umask decides. */
  mode?: number;
  owner?: { uid: number; gid: number } | undefined;
}

/**
 * Creates `file` with all of its bytes or not at all; false when the name is taken, also when somebody else takes it
 * at the same moment. Missing folders are made.
 */
export async function createFile(
  file: string,
  bytes: Uint8Array,
  { like, mode, owner }: Origin = {},
): Promise<boolean> {
  await promises.mkdir(dirname(file), { recursive: true });
  const temporary = temporaryFor(file);
  try {
    const bits = like === undefined ? mode : await permissionsOf(like);
    await writeFlushed(temporary, [bytes], bits, owner);
    return await claim(temporary, file);
  } finally {
    await discard(temporary);
  }
}

/** A hard link never replaces what is there; some disks (FAT, some network shares) have none. */
async function claim(temporary: string, file: string): Promise<boolean> {
  try {
    await promises.link(temporary, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK", "EXDEV"].includes(errorCode(error)))
      throw error;
  }
  return claimByName(temporary, file);
}

/** Takes the name with an empty file, which only one can, and puts the whole one in its place. */
async function claimByName(temporary: string, file: string): Promise<boolean> {
  try {
    await writeFlushed(file, []);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await renameOver(temporary, file);
    return true;
  } catch (error) {
    await discard(file);
    throw error;
  }
}
