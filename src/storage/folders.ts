import { existsSync, mkdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, errorCode, isMissing } from "./fs-errors.ts";
import { openNew, openNewFolder } from "./new-place.ts";
import { gateOf } from "./path-gate.ts";
import { closePlace } from "./place.ts";
import { readSmall } from "./read.ts";

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

/** A repository's name: its folder's, or for a linked working tree the main folder's. */
export function repositoryName(repository: string): string {
  const pointer = readSmall(join(repository, ".git")) ?? "";
  const [, main] = /^gitdir:\s*(.+)[\\/]\.git[\\/]worktrees[\\/]/m.exec(pointer) ?? [];
  return basename(main ?? repository);
}

/** A path with its links resolved; unchanged if it does not exist. */
export function realPath(path: string): string {
  return attempt(() => realpathSync.native(path)) ?? path;
}

/** Makes a folder and its parents. Throws the system's error also on a read-only disk, for which Node throws ENOENT. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
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
  const place = openNew(gate, name);
  try {
    if (place.taken !== undefined) return place.taken.name;
    mkdirSync(place.at);
    for (const folder of inner) closePlace(openNewFolder(gate, `${name}/${folder}`));
    return undefined;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return name;
    throw error;
  } finally {
    place.close();
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

/** Removes a folder of the root and its inner ones, if they are empty. */
export async function removeEmptyFolders(
  root: string,
  name: string,
  inner: readonly string[],
): Promise<void> {
  for (const folder of [...inner.map((part) => join(root, name, part)), join(root, name)])
    attempt(() => rmdirSync(folder));
}
