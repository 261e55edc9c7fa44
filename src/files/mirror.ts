import { closeSync, fstatSync, openSync, promises, read, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { isMissing } from "./errors.ts";
import { replaceFile } from "./write.ts";

/**
 * The bytes of the mirror file, in room that `allocate` makes for so many; undefined when there is none. It is read at
 * one go in the background: `readFile` comes back to the main thread for every half megabyte, and at a start that one
 * is busy.
 */
export async function readMirror(
  file: string,
  allocate: (size: number) => Uint8Array = Buffer.allocUnsafeSlow,
): Promise<Uint8Array | undefined> {
  let descriptor: number | undefined;
  try {
    // Opening a pipe would wait for its other end.
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error("not a regular file");
    descriptor = openSync(file, "r");
    const bytes = allocate(fstatSync(descriptor).size);
    return bytes.subarray(0, await fill(descriptor, bytes));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const readAt = promisify(read);

async function fill(descriptor: number, bytes: Uint8Array): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await readAt(descriptor, bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/**
 * Replaces the mirror file. The folder is made only when `makeFolder`: a workspace that does not exist yet is not
 * created by indexing it. Answers false when there is no folder to write to.
 */
export async function writeMirror(file: string, parts: Uint8Array[], makeFolder: boolean): Promise<boolean> {
  const folder = dirname(file);
  if (makeFolder) await promises.mkdir(folder, { recursive: true });
  else if (!(await isFolder(folder))) return false;
  await replaceFile(target(file), parts);
  // Another program's journal beside the new file would be played into it.
  await Promise.all(
    ["-wal", "-shm", "-journal"].map((suffix) => promises.rm(`${file}${suffix}`, { force: true })),
  );
  return true;
}

/** The file that a link leads to: the link itself is somebody's and stays. */
function target(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file; // Nothing is there yet.
  }
}

/** Moves a file that is not an index out of the way, under a name that is free; answers that name. */
export async function setAside(file: string, now: Date): Promise<string> {
  const base = `${file}.${now.toISOString().replaceAll(/[:.]/g, "-")}`;
  let aside = `${base}.bak`;
  for (let number = 2; await isTaken(aside); number++) aside = `${base}-${number}.bak`;
  await promises.rename(file, aside);
  return aside;
}

async function isTaken(file: string): Promise<boolean> {
  try {
    await promises.lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await promises.stat(path)).isDirectory();
  } catch {
    return false; // Missing or unreachable: either way nothing can be written there.
  }
}
