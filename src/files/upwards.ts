import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readRegular } from "./read.ts";

/** A note for agents is a page or two: what is larger is something else. */
const MAX_BYTES = 1024 * 1024;

/** The folder and all above it, the deepest first. */
export function foldersUpwards(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** The text of a regular file; undefined when it is missing, unreadable or larger than 1 MB. */
export function readSmall(file: string): string | undefined {
  try {
    return readRegular(file, MAX_BYTES).bytes.toString("utf8");
  } catch {
    return undefined; // Whoever asks looks in several places: the next one may have it.
  }
}

/** The folder of the repository that `folder` belongs to; undefined outside of one. */
export function repositoryOf(folder: string): string | undefined {
  return foldersUpwards(folder).find((above) => exists(join(above, ".git")));
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // A link that leads in a circle, or a folder that may not be entered.
  }
}

/** A repository's name: that of its folder, for a further working tree that of the repository it belongs to. */
export function repositoryName(repository: string): string {
  const pointer = readSmall(join(repository, ".git")) ?? "";
  const [, main] = /^gitdir:\s*(.+)[\\/]\.git[\\/]worktrees[\\/]/m.exec(pointer) ?? [];
  return basename(main ?? repository);
}

/** Where a path really is; the path itself where nothing is. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
