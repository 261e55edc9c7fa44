import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { attempt, errorCode } from "./fs-errors.ts";

/** An open file or folder, closed as its holder disposes of it: renaming or replacing its name does not change what is open. */
export interface OpenEntry extends Disposable {
  /** Absolute and link-free. */
  file: string;
  /** A folder's name for file calls: on Linux no link can be put in its way. */
  at: string;
  /** -1 for a folder on Windows. */
  descriptor: number;
  stats: Stats;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// Opening a named pipe must not wait for its writer.
const FLAGS = {
  file: constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0),
  folder: constants.O_RDONLY | NO_FOLLOW | (constants.O_DIRECTORY ?? 0),
};

/**
 * Opens an absolute, link-free path (by `at`, another name for it, if given), then asks the system where the open file is: that
 * reveals a link put in the way. Undefined if there is no regular file (or folder) of that name, `"moved"` if something else
 * was opened.
 */
export function openEntry(file: string, kind: "file" | "folder", at = file): OpenEntry | "moved" | undefined {
  // Opening a device may do something; only a folder opens as a folder.
  if (kind === "file" || process.platform === "win32") {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined || !isKind(stats, kind)) return undefined;
    if (kind === "folder")
      return isAt(file, stats) ? entryOf({ file, at: file, descriptor: -1, stats }) : "moved";
  }
  const descriptor = openOrUndefined(at, FLAGS[kind]);
  if (descriptor === undefined) return kind === "folder" ? undefined : "moved";
  return checkOpened(file, kind, descriptor);
}

function checkOpened(file: string, kind: "file" | "folder", descriptor: number): OpenEntry | "moved" {
  try {
    const stats = fstatSync(descriptor);
    const place = pathOf(descriptor);
    if (isKind(stats, kind) && (place === undefined ? isAt(file, stats) : place === file))
      return entryOf({
        file,
        at: place === undefined ? file : `/proc/self/fd/${descriptor}`,
        descriptor,
        stats,
      });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return "moved";
}

function entryOf(entry: Omit<OpenEntry, typeof Symbol.dispose>): OpenEntry {
  return Object.assign(entry, { [Symbol.dispose]: () => closeEntry(entry) });
}

/** The same; undefined also if something else was opened, as where a link is on the way. */
export function openStraight(file: string, kind: "file" | "folder", at?: string): OpenEntry | undefined {
  const opened = openEntry(file, kind, at);
  return opened === "moved" ? undefined : opened;
}

/** Whether anything has this name, even a dangling link. */
export function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Runs `work` on an open place; undefined if there is none, or something else has its name. */
export function withEntry<T>(
  file: string,
  kind: "file" | "folder",
  work: (place: OpenEntry) => T,
  at?: string,
): T | undefined {
  using place = openStraight(file, kind, at);
  return place && work(place);
}

export function closeEntry({ descriptor }: Pick<OpenEntry, "descriptor">): void {
  if (descriptor !== -1) closeSync(descriptor);
}

/** Differs between two versions of an open file: every write changes it. */
export function versionOf({ descriptor }: OpenEntry): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

/** Whether an open folder is still where it was opened. */
export function isStillThere({ file, descriptor, stats }: OpenEntry): boolean {
  const place = descriptor === -1 ? undefined : pathOf(descriptor);
  return place === undefined ? isAt(file, stats) : place === file;
}

/** Makes a folder unless its name is taken. */
export function makeIfFree(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function isKind(stats: Stats, kind: "file" | "folder"): boolean {
  return kind === "file" ? stats.isFile() : stats.isDirectory();
}

/** Undefined if nothing has the name, or a link, or anything but a folder. */
function openOrUndefined(file: string, flags: number): number | undefined {
  try {
    return openSync(file, flags);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENOTDIR", "ENXIO"].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** The path of an open file, which only Linux knows: on other systems `isAt` compares it with the file of its name. */
function pathOf(descriptor: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  return attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`)); // Some containers have no /proc.
}

function isAt(file: string, { ino, dev }: Stats): boolean {
  if (realpathSync.native(file) !== file) return false;
  const found = lstatSync(file, { throwIfNoEntry: false });
  // Windows numbers devices differently for open files and for names.
  return found?.ino === ino && (process.platform === "win32" || found.dev === dev);
}
