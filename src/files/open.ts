import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { type Descent, pathError, refuseLink } from "./descent.ts";
import { errorCode, fileError, isMissing } from "./errors.ts";

export interface OpenedFile {
  descriptor: number;
  /** Differs between two versions of the file. */
  version: string;
}

// A named pipe that takes the file's place must not make us wait for its writer.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const ATTEMPTS = 5;

/**
 * Opens a regular file of a folder; undefined when there is none of that name. What is opened is what was looked at:
 * throws forbidden for a link, conflict for a file that changes its identity all the time.
 */
export function openRegular(folder: Descent, name: string, path: string): OpenedFile | undefined {
  const file = join(folder.at, name);
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const seen = refuseLink(lstatSync(file, { bigint: true }), path);
      if (!seen.isFile()) return undefined;
      const opened = openSame(file, seen);
      if (opened !== undefined) return opened;
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (isMissing(error) || errorCode(error) === "ENAMETOOLONG") return undefined;
    if (errorCode(error) !== "ELOOP") throw fileError("read", path, error);
  }
  throw pathError("conflict", path, "is being replaced by somebody else. Try again.");
}

/** Undefined when another file has taken the name. */
function openSame(file: string, seen: BigIntStats): OpenedFile | undefined {
  const descriptor = openSync(file, READ);
  const stats = fstatSync(descriptor, { bigint: true });
  if (stats.isFile() && isSame(stats, seen)) return { descriptor, version: versionOf(stats) };
  closeSync(descriptor);
  return undefined;
}

/** Windows numbers the devices of open files and of names in two ways. */
function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && (process.platform === "win32" || a.dev === b.dev);
}

function versionOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(":");
}

/** The version that an open file has now: another one when somebody wrote to it. */
export function currentVersion(descriptor: number): string {
  return versionOf(fstatSync(descriptor, { bigint: true }));
}

export function closeFile(descriptor: number): void {
  closeSync(descriptor);
}
