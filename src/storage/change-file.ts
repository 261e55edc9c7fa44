import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { changedMeanwhile, UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { createFile, replaceRead } from "./atomic-write.ts";
import { attempt, guarded } from "./fs-errors.ts";
import type { Lock } from "./locks.ts";
import { type KnownNames, openNew } from "./new-file.ts";
import { closeEntry, openEntry } from "./open-entry.ts";
import { gateOf } from "./path-gate.ts";
import { type FileContent, hashOf, readEntry, readFile } from "./read.ts";

/** A change of one file, by its path below the root. */
export interface FileChange {
  path: string;
  /** The bytes that it must have now; null if it must not exist. */
  before: FileContent | null;
  /** The bytes that it gets; null to remove it. */
  after: FileContent | null;
  /** Permission bits, if it is created. */
  mode?: number | undefined;
}

/** What a file holds now; null if there is none. Throws what the gate throws, and FILESYSTEM_ERROR. */
export function presentContent(root: string, path: string): FileContent | null {
  return readFile(gateOf(root), path) ?? null;
}

/** The permission bits of a file; undefined if there is none. */
export function presentMode(root: string, path: string): number | undefined {
  const mode = attempt(() => gateOf(root).resolve(path)?.stats.mode);
  return mode === undefined ? undefined : mode & 0o777;
}

interface Making {
  /** The lock of the file's project. */
  lock: Lock;
  /** The storage of the old bytes, which go once it succeeded. */
  ready?: Promise<unknown> | undefined;
  /** Shared by the changes of one operation. */
  known?: KnownNames;
}

/**
 * Creates, replaces or removes a file under its project's lock. Throws CONFLICT if it is not what `before` says, FILE_EXISTS
 * for a name that some disks cannot tell from an existing one.
 */
export async function changeFile(root: string, change: FileChange, making: Making): Promise<void> {
  const { path, mode } = change;
  const { lock, ready, known } = making;
  const [before, after] = [change.before?.bytes ?? null, change.after?.bytes ?? null];
  if (before === null) {
    if (after !== null) await create(root, { path, after, mode }, making);
    return;
  }
  const file = gateOf(root).resolve(path)?.file;
  const changed = (now?: Buffer) => documentChanged(path, now);
  if (file === undefined) throw changed();
  if (after !== null) return replaceRead({ path, file, before, after, changed, lock, ready });
  await ready;
  known?.delete(dirname(file));
  await remove({ path, file, before }, lock);
}

async function create(
  root: string,
  { path, after, mode }: Pick<FileChange, "path" | "mode"> & { after: Buffer },
  { lock, known }: Making,
) {
  const place = openNew(gateOf(root), path, { known });
  try {
    const isNew =
      place.taken === undefined &&
      (await guarded("create", path, () => createFile(place.at, after, { lock, mode })));
    if (!isNew) throw taken(path, place.taken?.name);
  } finally {
    place.close();
  }
}

/** The bytes are compared and the file is removed without yielding in between. */
async function remove({ path, file, before }: { path: string; file: string; before: Buffer }, lock: Lock) {
  await guarded("delete", path, () => {
    const folder = openEntry(dirname(file), "folder");
    if (folder === undefined || folder === "moved") throw documentChanged(path);
    const at = join(folder.at, basename(file));
    try {
      const now = readEntry(file, at);
      if (!now?.equals(before)) throw documentChanged(path, now);
      lock.check();
      unlinkSync(at);
    } finally {
      closeEntry(folder);
    }
  });
}

function taken(path: string, name = basename(path)): UserError {
  const other = path.endsWith(name) ? "" : ` (as ${quoteName(name)}, which some disks cannot tell from it)`;
  const message = `${quoteName(path)} already exists${other}. Move or rename it first.`;
  return new UserError("FILE_EXISTS", message, { details: { path: escapeName(path) } });
}

/** A document of the workspace holds other bytes than those that were read. */
export function documentChanged(path: string, now?: Buffer): UserError {
  const details = { path: escapeName(path), ...(now && { hash: hashOf(now).slice(0, 16) }) };
  return changedMeanwhile(quoteName(path), "Read it again and repeat the change.", details);
}
