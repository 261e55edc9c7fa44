import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "./fs-errors.ts";
import { readRegular } from "./read.ts";

/** A note for agents takes a page or two. */
const MAX_BYTES = 1024 * 1024;

/** The folder and all above it, deepest first. */
export function foldersUpwards(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** The text of a regular file; undefined when it is missing, unreadable or larger than 1 MB. */
export function readSmall(file: string): string | undefined {
  return attempt(() => readRegular(file, MAX_BYTES).bytes.toString("utf8"));
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

/** A path with its links resolved; the path itself if it does not exist. */
export function realPath(path: string): string {
  return attempt(() => realpathSync.native(path)) ?? path;
}
