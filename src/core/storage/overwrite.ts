import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import { changedMeanwhile, UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { attributesOf, writeFlushed } from "./flush.ts";
import { attempt, errorCode } from "./fs-errors.ts";
import { crypto } from "./read.ts";

// Opening a named pipe must not wait for its other end.
const OPEN = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Overwrites a file of another user or group in place, so that it stays theirs. Meanwhile a reader may see a part of the new
 * bytes; a copy of the old ones (`<name>.<6 digits>.bak`) stays beside the file until everything is on disk, even after a
 * crash. `check` runs right before the write. Throws FILESYSTEM_ERROR if we may not write to the file.
 */
export async function overwriteFile(file: string, bytes: Buffer, check: () => void): Promise<void> {
  const descriptor = openForeign(file);
  try {
    const before = readFileSync(descriptor);
    const copy = `${file}.${crypto().randomBytes(3).toString("hex")}.bak`;
    try {
      await writeFlushed(copy, [before], attributesOf(fstatSync(descriptor)));
      check();
      checkName(file, descriptor);
    } catch (error) {
      discard(copy);
      throw error;
    }
    const failure = overwrite(descriptor, bytes);
    // If the old bytes cannot be written either, the copy has them.
    if (failure === undefined || overwrite(descriptor, before) === undefined) discard(copy);
    if (failure !== undefined) throw failure;
  } finally {
    closeSync(descriptor);
  }
}

function openForeign(file: string): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, OPEN);
    const stats = fstatSync(descriptor);
    // Another name of it may be outside the workspace.
    if (stats.isFile() && stats.nlink === 1) return descriptor;
  } catch (error) {
    if (!["EACCES", "EPERM", "ELOOP", "ENXIO"].includes(errorCode(error))) throw error;
  }
  if (descriptor !== undefined) closeSync(descriptor);
  throw foreign(file, "Ask its owner for the permission to write (chmod g+w), or take it over with chown.");
}

export function foreign(file: string, advice: string): UserError {
  const message = `${quoteName(basename(file))} belongs to another user or group, which a new file would change. ${advice}`;
  return new UserError("FILESYSTEM_ERROR", message);
}

/** An editor may have put another file under this name, which would not get the new bytes. */
function checkName(file: string, descriptor: number): void {
  const [named, opened] = [statSync(file), fstatSync(descriptor)];
  if (named.ino === opened.ino && named.dev === opened.dev) return;
  throw changedMeanwhile(quoteName(basename(file)), "Read it again and repeat the change.");
}

/** Returns the error, if any. */
function overwrite(descriptor: number, bytes: Uint8Array): unknown {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
    ftruncateSync(descriptor, bytes.length);
    fsyncSync(descriptor);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** If it fails, the copy stays: the outcome of the write stands. */
function discard(copy: string): void {
  attempt(() => rmSync(copy, { force: true }));
}
