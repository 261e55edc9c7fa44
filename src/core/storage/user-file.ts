import { chownSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { makeFolder, realPath, repositoryOf } from "./folders.ts";
import { attempt, fileError, isMissing, systemError } from "./fs-errors.ts";
import { makeIfFree, type PlainPath } from "./open-entry.ts";
import { type Gate, gateOf, NO_LINKS, partsBelow } from "./path-gate.ts";

/** A file outside the workspace that this program writes for the user. */
export interface UserFile {
  /** Absolute. */
  file: string;
  /** For messages: as the user knows it. */
  shown: string;
  /** Absolute folders: a link on the way to the file may lead anywhere inside them, and nowhere else. */
  within: readonly string[];
  /** Whether only this user may read a new file. */
  isPrivate?: boolean;
}

/** A place with its links followed; the file may not exist yet. */
export interface RealUserFile {
  /** Absolute and link-free. */
  file: string;
  /** The folder of `within` that it is in, link-free. */
  base: string;
}

/**
 * The folder that links among a folder's files may not leave: its repository; without one, or if the whole `home` is in a
 * repository, the folder itself.
 */
export function linkBoundary(folder: string, home: string): string {
  const repository = repositoryOf(folder);
  return repository === undefined || contains(realPath(repository), realPath(home)) ? folder : repository;
}

/** Whether `file` is `folder` or below it; both are absolute and link-free. */
export function contains(folder: string, file: string): boolean {
  return partsBelow(folder, file) !== undefined;
}

/** Follows the links of a place. Throws INVALID_PATH for a link that leaves its folders or leads nowhere. */
export function resolveUserFile({ file, shown, within }: UserFile): RealUserFile {
  const real = follow(file, shown);
  const bases = within.map((folder) => follow(folder, shown));
  const base = bases.find((folder) => contains(folder, real));
  if (base === undefined) throw refused(shown, real, `outside of ${quoteName(bases[0] ?? "")}`);
  if (relative(base, real).split(sep).includes(".git")) throw refused(shown, real, "which belongs to git");
  return { file: real, base };
}

function follow(file: string, shown: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (!isMissing(error)) throw fileError("reach", shown, error);
  }
  const target = attempt(() => readlinkSync(file));
  if (target === undefined) return join(follow(dirname(file), shown), basename(file));
  throw refused(shown, target, "which does not exist");
}

function refused(shown: string, target: string, reason: string): UserError {
  const message = `${quoteName(shown)} leads through a link to ${quoteName(target)}, ${reason}. Put a file in place of the link and run this again, or edit its target yourself.`;
  return new UserError("INVALID_PATH", message, { details: { path: escapeName(shown) } });
}

/** Makes the missing folders of a file. */
export function makeUserFolder({ file, base }: RealUserFile, shown: string): void {
  makeFolder(base);
  const gate = gateOf(base, NO_LINKS);
  let folder = gate.findFolder("");
  const parts: string[] = [];
  for (const name of relative(base, dirname(file)).split(sep)) {
    if (folder === undefined || name === "") break;
    parts.push(name);
    folder = gate.findFolder(parts.join("/")) ?? makeIn(gate, folder, parts);
  }
  if (folder === undefined) throw fileError("create", shown, systemError("ENOTDIR"));
}

function makeIn(gate: Gate, parent: PlainPath, parts: readonly string[]): PlainPath | undefined {
  makeIfFree(join(parent.file, parts.at(-1) ?? ""));
  const made = gate.findFolder(parts.join("/"));
  const owner = ownerLike(statSync(parent.file));
  if (made !== undefined && owner !== undefined) chownSync(made.file, owner.uid, owner.gid);
  return made;
}

/** The owner that root must give a new file beside this one, or in this folder; undefined if none. */
export function ownerLike({ uid, gid }: Stats): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 && uid + gid !== 0 ? { uid, gid } : undefined;
}
