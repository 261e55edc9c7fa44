import { closeSync, fstatSync, openSync, promises, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isMissing } from "./errors.ts";
import { fill } from "./read.ts";
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
  let descriptor: number | undefined;
  try {
    // Opening a pipe would wait for its other end.
    if (!statSync(file).isFile()) throw new Error("not a regular file");
    descriptor = openSync(file, "r");
    return opened(descriptor, fstatSync(descriptor).size);
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function opened(descriptor: number, size: number): MirrorFile {
  return {
    size,
    readAt: (target, position) => {
      if (fill(descriptor, target, position) < target.length) throw new Error("the file ends before");
    },
    close: () => closeSync(descriptor),
  };
}

export function readAll(file: MirrorFile): Uint8Array {
  const bytes = new Uint8Array(file.size);
  file.readAt(bytes, 0);
  return bytes;
}

/** All of its bytes; undefined when there is none. */
export function readMirror(path: string): Uint8Array | undefined {
  const file = openMirrorFile(path);
  try {
    return file === undefined ? undefined : readAll(file);
  } finally {
    file?.close();
  }
}

/**
 * Replaces the mirror file. The folder is made only when `makeFolder`: a workspace that does not exist yet is not
 * created by indexing it. Answers false when there is no folder to write to.
 */
export async function writeMirror(
  file: string,
  parts: Iterable<Uint8Array>,
  makeFolder: boolean,
): Promise<boolean> {
  const folder = dirname(file);
  if (makeFolder) await promises.mkdir(folder, { recursive: true });
  else if (!(await isFolder(folder))) return false;
  await replaceFile(target(file), parts, undefined, { anyOwner: true });
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
