import { closeSync, fstatSync, openSync, promises, readSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isMissing } from "./errors.ts";
import { replaceFile } from "./write.ts";

/** The mirror file, open for reading: what was opened stays as it is when another takes its place. */
export interface MirrorFile {
  /** Bytes. */
  readonly size: number;
  /** Fills `target` with what is there from `position` on. Throws where the file ends before. */
  readAt(target: Uint8Array, position: number): void;
  close(): void;
}

/** Undefined when there is none. Throws for what is not a regular file, or may not be read. */
export function openMirrorFile(file: string): MirrorFile | undefined {
  try {
    // Opening a pipe would wait for its other end.
    if (!statSync(file).isFile()) throw new Error("not a regular file");
    const descriptor = openSync(file, "r");
    return {
      size: fstatSync(descriptor).size,
      readAt: (target, position) => fill(descriptor, target, position),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** All of its bytes; undefined when there is none. */
export function readMirror(path: string): Uint8Array | undefined {
  const file = openMirrorFile(path);
  if (file === undefined) return undefined;
  try {
    const bytes = new Uint8Array(file.size);
    file.readAt(bytes, 0);
    return bytes;
  } finally {
    file.close();
  }
}

function fill(descriptor: number, target: Uint8Array, position: number): void {
  for (let filled = 0; filled < target.length; ) {
    const read = readSync(descriptor, target, filled, target.length - filled, position + filled);
    if (read === 0) throw new Error("the file ends before");
    filled += read;
  }
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
