import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { errorCode } from "./errors.ts";

/** A file or folder that is open: what happens to its name meanwhile changes nothing. */
export interface OpenPlace {
  /** Absolute and link-free. */
  file: string;
  /** Names a folder in file calls: no link can be put in its way where the system names open folders (Linux). */
  at: string;
  /** -1 for a folder on Windows. */
  descriptor: number;
  /** Of what is open. */
  stats: Stats;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// A named pipe that takes the file's place must not make us wait for its writer.
const FLAGS = {
  file: constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0),
  folder: constants.O_RDONLY | NO_FOLLOW | (constants.O_DIRECTORY ?? 0),
};

/**
 * Opens an absolute, link-free place, then asks the system where that lies: a link that was put in the way shows.
 * Undefined when there is no regular file (or folder) of that name, `"moved"` when something else was opened.
 */
export function openPlace(file: string, kind: "file" | "folder"): OpenPlace | "moved" | undefined {
  const seen = lstatSync(file, { throwIfNoEntry: false });
  if (seen === undefined || !isKind(seen, kind)) return undefined;
  if (kind === "folder" && process.platform === "win32")
    return isAt(file, seen) ? { file, at: file, descriptor: -1, stats: seen } : "moved";
  const descriptor = openOrUndefined(file, FLAGS[kind]);
  if (descriptor === undefined) return "moved";
  try {
    const stats = fstatSync(descriptor);
    if (isKind(stats, kind) && liesAt(descriptor, stats, file))
      return { file, at: folderName(descriptor, file), descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return "moved";
}

/** Whether anything has this name, also a link that leads nowhere. */
export function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

export function closePlace({ descriptor }: OpenPlace): void {
  if (descriptor !== -1) closeSync(descriptor);
}

/** Differs between two versions of an open file: another one when somebody wrote to it. */
export function versionOf({ descriptor }: OpenPlace): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

/** Whether an open folder is still where it was opened. */
export function isStillThere({ file, descriptor, stats }: OpenPlace): boolean {
  return descriptor === -1 ? isAt(file, stats) : liesAt(descriptor, stats, file);
}

/** The bytes of a regular file in an open folder; undefined when there is none of that name, or a link. */
export function readIn(folder: OpenPlace, name: string): Buffer | undefined {
  const file = join(folder.at, name);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const descriptor = openOrUndefined(file, FLAGS.file);
  if (descriptor === undefined) return undefined;
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function isKind(stats: Stats, kind: "file" | "folder"): boolean {
  return kind === "file" ? stats.isFile() : stats.isDirectory();
}

/** Undefined when a link, or something else than a folder, has just taken the name. */
function openOrUndefined(file: string, flags: number): number | undefined {
  try {
    return openSync(file, flags);
  } catch (error) {
    if (["ELOOP", "ENOTDIR", "ENXIO"].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** Linux knows the place of an open file; elsewhere the same file must still be found without a link on the way. */
function liesAt(descriptor: number, stats: Stats, file: string): boolean {
  const place = placeOf(descriptor);
  return place === undefined ? isAt(file, stats) : place === file;
}

function placeOf(descriptor: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined; // No /proc in this container.
  }
}

function isAt(file: string, { ino, dev }: Stats): boolean {
  if (realpathSync.native(file) !== file) return false;
  const found = lstatSync(file, { throwIfNoEntry: false });
  // Windows numbers the devices of open files and of names in two ways.
  return found?.ino === ino && (process.platform === "win32" || found.dev === dev);
}

function folderName(descriptor: number, file: string): string {
  return placeOf(descriptor) === undefined ? file : `/proc/self/fd/${descriptor}`;
}
