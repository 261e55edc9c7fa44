import { existsSync, mkdirSync, readlinkSync, realpathSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { attempt, errorCode, isMissing } from "./fs-errors.ts";
import { checkDisks } from "./mounts.ts";
import { makeNewFolder, placeNew } from "./new-file.ts";
import { gateOf, NO_LINKS } from "./path-gate.ts";
import { fileVersion, readIfPresent } from "./read.ts";

/** The folder and all folders above it, deepest first. */
export function foldersUpwards(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** The folder of the repository that contains `folder`, if any. */
export function repositoryOf(folder: string): string | undefined {
  return foldersUpwards(folder).find((above) => existsSync(join(above, ".git")));
}

/**
 * The folder that gives a repository its name: its own or, for a linked worktree, that of the main repository or of the bare one. A
 * submodule is a repository of its own.
 */
export function mainRepository(repository: string): string {
  const shared = sharedFolder(pointer(repository, ".git"));
  if (shared === undefined) return repository;
  const parent = dirname(shared);
  // It is called `.git`, `.bare` and the like, or the `.git` file beside it makes its folder the repository.
  const beside = realPath(pointer(parent, ".git") ?? parent);
  return basename(shared).startsWith(".") || beside === realPath(shared) ? parent : shared;
}

/** What the folder of a worktree in git shares with all others. */
function sharedFolder(linked: string | undefined): string | undefined {
  if (linked === undefined) return undefined;
  // A container may have the worktree without its repository.
  const isElsewhere = !existsSync(linked) && !/[\\/]\.git[\\/]modules[\\/]/.test(linked);
  return isElsewhere ? /^(.+)[\\/]worktrees[\\/][^\\/]+$/.exec(linked)?.[1] : pointer(linked, "commondir");
}

/** Differs whenever a repository is at another commit, for less than to ask git; undefined if git keeps no log of that. */
export function headVersion(repository: string): string | undefined {
  return fileVersion(join(pointer(repository, ".git") ?? join(repository, ".git"), "logs", "HEAD"));
}

const POINTER_BYTES = 16 * 1024;

/** The folder that a file of git leads to, if it is on this machine. */
function pointer(folder: string, name: string): string | undefined {
  const text = attempt(() => readIfPresent(join(folder, name), POINTER_BYTES)?.toString("utf8"));
  const path = text?.replace(/^gitdir:/, "").trim();
  return path === undefined || isNetworkPath(path) ? undefined : resolve(folder, path);
}

/** `\\server\share`: to read there, Windows would log in to that server. */
export function isNetworkPath(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

const TEMPORARY = ["/tmp", "/var/tmp", "/dev/shm", "C:\\Windows\\Temp"];

/** Whether a folder belongs to no project: the top of a disk, the home folder, or one for temporary files. */
export function isCommonFolder(folder: string, home: string): boolean {
  const place = realPath(folder);
  return dirname(place) === place || [home, tmpdir(), ...TEMPORARY].some((path) => realPath(path) === place);
}

/** Where a link of the system leads; undefined if it cannot be read. */
export function linkTarget(link: string): string | undefined {
  return attempt(() => readlinkSync(link));
}

/** A path with its links resolved; unchanged if it does not exist. */
export function realPath(path: string): string {
  return attempt(() => realpathSync.native(path)) ?? path;
}

/** Makes a folder and its parents. Throws the system's error also on a read-only disk, for which Node throws ENOENT. */
export function makeFolder(folder: string, mode?: number): void {
  checkDisks(folder, [""]);
  try {
    mkdirSync(folder, { recursive: true, mode });
  } catch (error) {
    const first = isMissing(error)
      ? foldersUpwards(folder).findLast((above) => !existsSync(above))
      : undefined;
    if (first !== undefined) mkdirSync(first);
    throw error;
  }
}

/**
 * Makes a folder with inner ones, and the root if missing. Returns the entry that already has its name, or one that some disks
 * cannot tell from it.
 */
export async function makeFolders(
  root: string,
  name: string,
  inner: readonly string[],
): Promise<string | undefined> {
  makeFolder(root);
  const gate = gateOf(root);
  const place = placeNew(gate, name);
  try {
    if (place.taken !== undefined) return place.taken.name;
    mkdirSync(place.file);
    for (const folder of inner) makeNewFolder(gate, `${name}/${folder}`);
    return undefined;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return name;
    throw error;
  }
}

/** Whether a root cannot be a folder, because a file has its name or that of a folder above it. */
export function isNoFolder(root: string): boolean {
  try {
    return !statSync(root).isDirectory();
  } catch (error) {
    return ["ENOTDIR", "ELOOP"].includes(errorCode(error));
  }
}

/** Removes a folder (absolute) of this program with all that is in it. Throws system errors. */
export function removeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Removes a folder of the root and its inner ones, if they are empty; none behind a link. */
export async function removeEmptyFolders(
  root: string,
  name: string,
  inner: readonly string[],
): Promise<void> {
  const folder = attempt(() => gateOf(root, NO_LINKS).findFolder(name));
  if (folder === undefined) return;
  for (const part of inner) attempt(() => rmdirSync(join(folder.file, part)));
  attempt(() => rmdirSync(folder.file));
}
