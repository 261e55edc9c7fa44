import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import { errorCode } from "./fs-errors.ts";

/** A file or folder by its absolute, link-free path. */
export interface PlainPath {
  file: string;
  stats: Stats;
}

/** An open regular file, closed as its holder disposes of it: replacing its name does not change what is open. */
export interface OpenFile extends PlainPath, Disposable {
  descriptor: number;
}

// Opening a named pipe must not wait for its writer.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file by its path, which has no link on the way; undefined if there is none, or a link. */
export function openFile(file: string): OpenFile | undefined {
  // Opening a device may do something, and Windows follows every link.
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const descriptor = openOrUndefined(file);
  if (descriptor === undefined) return undefined;
  return {
    file,
    descriptor,
    stats: fstatSync(descriptor),
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** The folder of a path that has no link on the way; undefined if there is none, or a link. */
export function findFolder(file: string): PlainPath | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isDirectory() ? { file, stats } : undefined;
}

/** Whether anything has this name, even a dangling link. */
export function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Differs between two versions of an open file: every write changes it. */
export function versionOf({ descriptor }: Pick<OpenFile, "descriptor">): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

/** Makes a folder unless its name is taken. */
export function makeIfFree(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Undefined if nothing has the name by now, or a link. */
function openOrUndefined(file: string): number | undefined {
  try {
    return openSync(file, FLAGS);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENOTDIR", "ENXIO"].includes(errorCode(error))) return undefined;
    throw error;
  }
}
