import { closeSync, lstatSync, promises, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { quoteName } from "../lib/escape.ts";
import { isMissing } from "./errors.ts";
import { makeFolder } from "./folders.ts";
import { closePlace, isStillThere, type OpenPlace, openPlace } from "./place.ts";
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

/** Undefined when there is none. Throws for a link, for what is no regular file, and for what may not be read. */
export function openMirrorFile(file: string): MirrorFile | undefined {
  try {
    const place = placeOf(file);
    const found = openPlace(place, "file");
    if (found === undefined) return refuseOthers(place);
    if (found === "moved") throw new UnusableIndexError("keeps changing. Try again");
    return opened(found.descriptor, found.stats.size);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The folders on the way are the user's choice, and links in them are followed; the file itself is none. */
function placeOf(file: string): string {
  return join(realpathSync.native(dirname(file)), basename(file));
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

/** Why a file cannot be the index: goes on from its name. */
export class UnusableIndexError extends Error {}

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

export interface MirrorPlace {
  /** Absolute. */
  file: string;
  /** A workspace that does not exist yet is not created by indexing it. */
  makesFolder: boolean;
  /** Throws for a file that is not ours to replace; asked in the last moment, of what has the name then. */
  check: (now: MirrorFile | undefined) => void;
}

/** Replaces the mirror file. Answers false when there is no folder to write to. */
export async function writeMirror(
  { file, makesFolder, check }: MirrorPlace,
  parts: Iterable<Uint8Array>,
): Promise<boolean> {
  if (makesFolder) makeFolder(dirname(file));
  const folder = openFolder(dirname(file));
  if (folder === undefined) return false;
  try {
    await replaceFile(
      join(folder.at, basename(file)),
      parts,
      () => {
        if (!isStillThere(folder)) throw new UnusableIndexError("is in a folder that was moved. Try again");
        const now = openMirrorFile(join(folder.file, basename(file)));
        try {
          check(now);
        } finally {
          now?.close();
        }
      },
      { anyOwner: true },
    );
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
  for (let number = 2; await isTaken(aside); number++) aside = `${base}-${number}.bak`;
  await promises.rename(file, aside);
  for (const suffix of JOURNALS) {
    if (await isTaken(`${file}${suffix}`)) await promises.rename(`${file}${suffix}`, `${aside}${suffix}`);
  }
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
