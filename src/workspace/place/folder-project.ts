import { basename, dirname, join, relative, sep } from "node:path";
import {
  findProjectMarker,
  MARKER_FILES,
  type ProjectMarker,
  projectLine,
} from "../../notes/project/marker.ts";
import {
  foldersUpwards,
  isCommonFolder,
  mainRepository,
  realPath,
  repositoryOf,
} from "../../storage/folders.ts";
import { isInside } from "../../storage/path-gate.ts";
import { readSmall } from "../../storage/read.ts";

export interface FolderProject {
  /** It may not exist. */
  name: string;
  /** By the folder's place in the workspace, by a line, by one about other notes, or by its own name or its repository's. */
  from: "place" | "line" | "elsewhere" | "name";
  /** The line that names it, and how to show its file, which names no folder that the client does not know. */
  line?: { text: string; file: string };
}

/**
 * A folder's place in the workspace names its project, else a `vibe: <name>` line in CLAUDE.md or AGENTS.md of the folder or
 * one above it, else its repository or the folder itself. A worktree belongs to its main repository. Undefined for a folder
 * that belongs to no project. Folders are absolute; `home` is the user's.
 */
export function projectNameOf(root: string, folder: string, home: string): FolderProject | undefined {
  const [realRoot, place] = [realPath(root), realPath(folder)];
  const [inside = ""] = isInside(realRoot, place) ? relative(realRoot, place).split(sep) : [];
  if (inside !== "") return { name: inside, from: "place" };
  if (isCommonFolder(folder, home)) return undefined;
  const { folders, top } = ownFolders(folder, home);
  for (const file of folders.flatMap((above) => MARKER_FILES.map((name) => join(above, name)))) {
    const line = findProjectMarker(readSmall(file) ?? "");
    if (line === null) continue;
    const from = isAbout(line, file, realRoot) ? "line" : "elsewhere";
    return {
      name: line.name,
      from,
      line: { text: projectLine(line), file: shownFile(folder, file) },
    };
  }
  return { name: basename(top), from: "name" };
}

/** Whether a line speaks of the projects of this root: one that names a folder does so only of the root there. */
function isAbout({ folder }: ProjectMarker, file: string, root: string): boolean {
  if (folder === "") return true;
  const repository = repositoryOf(dirname(file));
  return repository !== undefined && realPath(join(repository, folder)) === root;
}

/** The folders whose notes speak for a folder, nearest first, and the one that gives it its name. */
function ownFolders(folder: string, home: string): { folders: string[]; top: string } {
  const isOwn = (place: string) => !isCommonFolder(place, home);
  const upwards = foldersUpwards(folder).filter(isOwn);
  const repository = repositoryOf(folder) ?? folder;
  if (!isOwn(repository)) return { folders: upwards, top: folder };
  const main = mainRepository(repository);
  if (main === repository || !isOwn(main)) return { folders: upwards, top: repository };
  const inside = upwards.slice(0, upwards.indexOf(repository) + 1);
  return { folders: [...inside, ...foldersUpwards(main).filter(isOwn)], top: main };
}

function shownFile(folder: string, file: string): string {
  const isAbove = foldersUpwards(folder).includes(dirname(file));
  return isAbove ? relative(folder, file) : `${basename(file)} of the main repository`;
}
