import { basename, dirname } from "node:path";
import { changedMeanwhile, UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { changeRead, createFile } from "./atomic-write.ts";
import { attempt, guarded } from "./fs-errors.ts";
import type { Lock } from "./locks.ts";
import { type Kind, type KnownNames, type NewFile, placeNew } from "./new-file.ts";
import { gateOf } from "./path-gate.ts";
import { type FileContent, hashOf, type ReadFile, readFile } from "./read.ts";

/** A change of one file, by its path below the root. */
export interface FileChange {
  path: string;
  /** The bytes that it must have now, and the file that they were read from, if any; null if it must not exist. */
  before: (FileContent & Partial<Pick<ReadFile, "file" | "stats">>) | null;
  /** The bytes that it gets; null to remove it. */
  after: FileContent | null;
  /** Permission bits, if it is created. */
  mode?: number | undefined;
  /** Makes the change by other rules for paths than those of documents; old bytes go once they are `ready`. */
  write?: ((ready?: Promise<unknown>) => Promise<Place>) | undefined;
}

/** Where a file is. */
export interface Place {
  /** Below the root, with folders named as they are on disk. */
  path: string;
  /** Absolute. */
  file: string;
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
  /** The lock of the file's project, unless it is created. */
  lock: Lock | undefined;
  /** The storage of the old bytes, which go once it succeeded. */
  ready?: Promise<unknown> | undefined;
  /** Shared by the changes of one operation. */
  known?: KnownNames;
}

/**
 * Creates, replaces or removes a file under its project's lock. Throws CONFLICT if it is not what `before` says, FILE_EXISTS
 * for a name that some disks cannot tell from an existing one.
 */
export async function changeFile(root: string, change: FileChange, making: Making): Promise<Place> {
  const { path } = change;
  const { lock, ready, known } = making;
  const [before, after] = [change.before?.bytes, change.after?.bytes];
  if (before === undefined) return create(root, change, making);
  const file = change.before?.file ?? gateOf(root).resolve(path)?.file;
  const changed = (now?: Buffer) => documentChanged(path, now);
  if (file === undefined) throw changed();
  if (after === undefined) known?.delete(dirname(file));
  await changeRead({ path, file, before, after, changed, lock, ready });
  return { path, file };
}

async function create(root: string, change: FileChange, { lock, known }: Making): Promise<Place> {
  const place = findFree(root, change.path, known);
  return await createAt(place, change, lock);
}

/** The place for a new file, as `placeNew` finds it. Throws FILE_EXISTS if its name is taken. */
export function findFree(root: string, path: string, known?: KnownNames): NewFile {
  const place = placeNew(gateOf(root), path, { known });
  if (place.taken === undefined) return place;
  throw fileExists(place.path, place.taken.name, place.taken.kind);
}

export async function createAt(
  { path, file }: NewFile,
  { after, mode }: FileChange,
  lock: Lock | undefined,
): Promise<Place> {
  const bytes = after?.bytes ?? Buffer.alloc(0);
  const isNew = await guarded("create", path, () => createFile(file, bytes, { lock, mode }));
  if (!isNew) throw fileExists(path, basename(path), "file");
  return { path, file };
}

/** For a name that an entry has, or one that some disks cannot tell from it. */
export function fileExists(path: string, taken: string, kind: Kind): UserError {
  const other = path.endsWith(`/${taken}`)
    ? ""
    : ` (as ${quoteName(taken)}, which some disks cannot tell from it)`;
  const details = { path: escapeName(path) };
  if (kind === "file" || kind === "link") {
    const message = `File ${quoteName(path)} already exists${other}.`;
    return new UserError("FILE_EXISTS", message, { details, next: "change-existing" });
  }
  const message = `The name ${quoteName(path)} is taken${other}: it is ${KINDS[kind]}. Choose another name, or ask the user to remove it.`;
  return new UserError("FILE_EXISTS", message, { details });
}

const KINDS: Record<Exclude<Kind, "file" | "link">, string> = {
  folder: "a folder",
  dangling: "a broken link",
  other: "not a regular file",
};

/** A document of the workspace holds other bytes than those that were read. */
export function documentChanged(path: string, now?: Buffer): UserError {
  const details = { path: escapeName(path), ...(now && { hash: hashOf(now).slice(0, 16) }) };
  return changedMeanwhile(quoteName(path), "Read it again and repeat the change.", details);
}
