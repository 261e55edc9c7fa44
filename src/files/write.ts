import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "./errors.ts";
import { temporaryFor } from "./temporary.ts";

// Virus scanners and indexers on Windows hold a fresh file for some milliseconds.
const HELD = new Set(["EPERM", "EBUSY", "EACCES"]);
const RETRY_MS = [10, 20, 40, 80, 160, 320];

/** Replaces `file` atomically: temporary file beside it, flush, rename. A crash leaves the old file or the new one. */
export async function replaceFile(file: string, parts: Uint8Array[]): Promise<void> {
  const temporary = temporaryFor(file);
  try {
    await writeFlushed(temporary, parts);
    await renameOver(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a file that must not exist yet, down to the disk. */
async function writeFlushed(file: string, parts: Uint8Array[]): Promise<void> {
  const handle = await open(file, "wx");
  try {
    for (const part of parts) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function renameOver(from: string, to: string): Promise<void> {
  for (const wait of RETRY_MS) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (process.platform !== "win32" || !HELD.has(errorCode(error))) throw error;
      await sleep(wait);
    }
  }
  await rename(from, to);
}

/**
 * Creates `file` with all of its bytes or not at all; false when the name is taken, also when somebody else takes it
 * at the same moment. Missing folders are made.
 */
export async function createFile(file: string, bytes: Uint8Array): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = temporaryFor(file);
  try {
    await writeFlushed(temporary, [bytes]);
    return await claim(temporary, file, bytes);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A hard link never replaces what is there; some disks (FAT, some network shares) have none. */
async function claim(temporary: string, file: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EMLINK", "EXDEV"].includes(errorCode(error)))
      throw error;
  }
  try {
    await writeFlushed(file, [bytes]);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
