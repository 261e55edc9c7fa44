import { lstatSync, promises, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quoteName } from "../lib/escape.ts";
import { replaceFile } from "./atomic-write.ts";
import { freeBytes } from "./disk.ts";
import { makeFolder } from "./folders.ts";
import { attempt, ifPresent } from "./fs-errors.ts";
import { exists, findFolder, openFile } from "./open-entry.ts";
import { fill } from "./read.ts";

/** Why a file cannot be the index: continues a sentence that starts with its name. */
export class UnusableIndexError extends Error {}

/**
 * The index file, or its first `most` bytes; undefined if missing. Throws UnusableIndexError for a link and for anything but a
 * regular file.
 */
export function readIndexFile(file: string, most?: number): Uint8Array<ArrayBuffer> | undefined {
  return ifPresent(() => {
    // The user chose the folders on the way, so links there are followed; the file itself must not be a link.
    const place = join(realpathSync.native(dirname(file)), basename(file));
    using opened = openFile(place);
    if (opened === undefined) return refuseOthers(place);
    const size = most ?? opened.stats.size;
    const bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }));
    return bytes.subarray(0, fill(opened.descriptor, bytes, 0));
  });
}

/** Gives the memory of an index file back at once: a server that is idle may not collect garbage for hours. */
export function releaseBytes({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (buffer.resizable) buffer.resize(0);
}

function refuseOthers(place: string): undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const problem = stats.isSymbolicLink()
    ? `is a link to ${quoteName(readlinkSync(place))}. Remove it, or choose another file with --db`
    : "is not a regular file. Move it away, or choose another with --db";
  throw new UnusableIndexError(problem);
}

export interface IndexFile {
  /** Absolute. */
  file: string;
  /** False for a workspace: indexing one that does not exist yet must not create it. */
  makesFolder: boolean;
  /** About its size: it never takes the last room of a disk. */
  bytes: number;
  /** Runs right before the rename. Throws if the file that has the name then must not be replaced. */
  check: () => void;
}

/** Replaces the index file; false if there is no folder to write to. Throws without room for twice its size. */
export async function writeIndexFile(
  { file, makesFolder, check, bytes }: IndexFile,
  parts: Iterable<Uint8Array>,
): Promise<boolean> {
  if (makesFolder) makeFolder(dirname(file));
  // A missing or unreachable folder: either way nothing can be written there.
  const folder = attempt(() => findFolder(realpathSync.native(dirname(file))));
  if (folder === undefined) return false;
  if (freeBytes(folder.file) < 2 * bytes)
    throw new UnusableIndexError("needs room for twice its size on its disk");
  await replaceFile(join(folder.file, basename(file)), parts, check, { anyOwner: true });
  return true;
}

/** Moves a file that is not an index, and its journals, out of the way; returns its new name, which was free. */
export async function setAside(file: string, now: Date): Promise<string> {
  const base = `${file}.${now.toISOString().replaceAll(/[:.]/g, "-")}`;
  let aside = `${base}.bak`;
  for (let number = 2; exists(aside); number++) aside = `${base}-${number}.bak`;
  await promises.rename(file, aside);
  for (const suffix of ["-wal", "-shm", "-journal"]) {
    if (exists(`${file}${suffix}`)) await promises.rename(`${file}${suffix}`, `${aside}${suffix}`);
  }
  return aside;
}
