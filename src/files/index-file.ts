import { lstatSync, promises, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quoteName } from "../lib/escape.ts";
import { isMissing } from "./errors.ts";
import { makeFolder } from "./folders.ts";
import { closePlace, isStillThere, type OpenPlace, openPlace } from "./place.ts";
import { fill } from "./read.ts";
import { replaceFile } from "./write.ts";

/** Why a file cannot be the index: goes on from its name. */
export class UnusableIndexError extends Error {}

/** All bytes of the index file; undefined when there is none. Throws for a link, and for what is no regular file. */
export function readIndexFile(file: string): Uint8Array | undefined {
  return withOpened(file, ({ descriptor }) => readFileSync(descriptor));
}

/** The first bytes of it, at most so many. */
export function readIndexHeader(file: string, bytes: number): Uint8Array | undefined {
  return withOpened(file, ({ descriptor }) => {
    const header = Buffer.alloc(bytes);
    return header.subarray(0, fill(descriptor, header, 0));
  });
}

function withOpened<T>(file: string, read: (opened: OpenPlace) => T): T | undefined {
  try {
    // The folders on the way are the user's choice, and links in them are followed; the file itself is none.
    const place = join(realpathSync.native(dirname(file)), basename(file));
    const opened = openPlace(place, "file");
    if (opened === undefined) return refuseOthers(place);
    if (opened === "moved") throw new UnusableIndexError("keeps changing. Try again");
    try {
      return read(opened);
    } finally {
      closePlace(opened);
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function refuseOthers(place: string): undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isSymbolicLink())
    throw new UnusableIndexError("is not a regular file. Move it away, or choose another with --db");
  throw new UnusableIndexError(
    `is a link to ${quoteName(readlinkSync(place))}. Remove it, or choose another file with --db`,
  );
}

export interface IndexPlace {
  /** Absolute. */
  file: string;
  /** A workspace that does not exist yet is not created by indexing it. */
  makesFolder: boolean;
  /** Throws when the file that has the name in the last moment, if any, is not ours to replace. */
  check: () => void;
}

/** Replaces the index file. Answers false when there is no folder to write to. */
export async function writeIndexFile(
  { file, makesFolder, check }: IndexPlace,
  parts: Iterable<Uint8Array>,
): Promise<boolean> {
  if (makesFolder) makeFolder(dirname(file));
  const folder = openFolder(dirname(file));
  if (folder === undefined) return false;
  try {
    const isOurs = () => {
      if (!isStillThere(folder)) throw new UnusableIndexError("is in a folder that was moved. Try again");
      check();
    };
    await replaceFile(join(folder.at, basename(file)), parts, isOurs, { anyOwner: true });
    return true;
  } finally {
    closePlace(folder);
  }
}

/** Undefined for what is missing or unreachable: either way nothing can be written there. */
function openFolder(path: string): OpenPlace | undefined {
  try {
    const folder = openPlace(realpathSync.native(path), "folder");
    return folder === "moved" ? undefined : folder;
  } catch {
    return undefined;
  }
}

const JOURNALS = ["-wal", "-shm", "-journal"];

/** Moves a file that is not an index, and its journals, out of the way, under a name that is free; answers that name. */
export async function setAside(file: string, now: Date): Promise<string> {
  const base = `${file}.${now.toISOString().replaceAll(/[:.]/g, "-")}`;
  let aside = `${base}.bak`;
  for (let number = 2; isTaken(aside); number++) aside = `${base}-${number}.bak`;
  await promises.rename(file, aside);
  for (const suffix of JOURNALS) {
    if (isTaken(`${file}${suffix}`)) await promises.rename(`${file}${suffix}`, `${aside}${suffix}`);
  }
  return aside;
}

function isTaken(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
