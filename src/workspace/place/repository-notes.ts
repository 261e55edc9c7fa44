import { dirname, join, relative } from "node:path";
import { findProjectMarker, MARKER_FILES, type ProjectMarker } from "../../notes/project/marker.ts";
import { foldersUpwards, isCommonFolder, realPath, repositoryOf } from "../../storage/folders.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { closeEntry } from "../../storage/open-entry.ts";
import { gateOf, NO_LINKS } from "../../storage/path-gate.ts";
import { readSmall } from "../../storage/read.ts";

/** A line `vibe: <folder>/<project>`: the repository of a folder keeps its notes itself. */
export interface RepositoryNotes {
  /** Absolute; undefined if the folder is missing, or not a folder in the repository that no link leads to. */
  root: string | undefined;
  /** As the line has it. */
  folder: string;
  /** The file with the line, for people. */
  file: string;
}

/**
 * What the nearest line says that names a project, from `folder` up to the top of its repository. Undefined if there is none, or
 * if it names no folder. A worktree has the notes of its own branch. Both are absolute; `home` is the user's.
 */
export function repositoryNotes(folder: string, home: string): RepositoryNotes | undefined {
  const repository = repositoryOf(folder);
  if (repository === undefined || isCommonFolder(repository, home)) return undefined;
  const marked = nearestMarker(folder, repository);
  if (marked === undefined || marked.marker.folder === "") return undefined;
  const { marker, file } = marked;
  const root = openableFolder(repository, marker.folder);
  return { root, folder: marker.folder, file: relative(folder, file) || file };
}

function nearestMarker(folder: string, repository: string) {
  for (const above of foldersUpwards(folder)) {
    for (const file of MARKER_FILES.map((name) => join(above, name))) {
      const marker: ProjectMarker | null = findProjectMarker(readSmall(file) ?? "");
      if (marker !== null) return { marker, file };
    }
    if (above === repository || dirname(above) === above) return undefined;
  }
  return undefined;
}

/** Whether a folder of notes may lie there: below the repository's top, and not in what belongs to git. */
export function isNotesFolder(folder: string): boolean {
  const parts = folder.split("/");
  return parts.every((part) => !["", ".", "..", ".git"].includes(part.toLowerCase()) && !part.includes("\\"));
}

function openableFolder(repository: string, folder: string): string | undefined {
  if (!isNotesFolder(folder)) return undefined;
  const opened = attempt(() => gateOf(repository, NO_LINKS).openFolder(folder));
  if (opened === undefined) return undefined;
  closeEntry(opened);
  return join(realPath(repository), ...folder.split("/"));
}
