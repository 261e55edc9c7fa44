import { join } from "node:path";
import { findProjectMarker, MARKER_FILES, type ProjectMarker } from "../../notes/project/marker.ts";
import { foldersUpwards, isCommonFolder, mainRepository, repositoryOf } from "../../storage/folders.ts";
import { readSmall } from "../../storage/read.ts";

/** Where a person or client works. */
export interface Here {
  /** Absolute. */
  folder: string;
  /** The user's. */
  home: string;
}

/** What is around a folder; all absolute. */
export interface Surroundings {
  /** Its repository or worktree. */
  repository: string | undefined;
  /** The folder and those above it, up to the top of the repository; outside of one the folder alone. */
  own: readonly string[];
  /** The folders whose files speak for it, nearest first. */
  speaking: readonly string[];
  /** What its project is called like, unless a line names another. */
  namesake: string;
}

/**
 * Looks up to, and not into, the home folder, one for temporary files or the top of the disk; undefined for these. A worktree belongs to its
 * main repository, which speaks after it in place of the folders above.
 */
export function surroundingsOf({ folder, home }: Here): Surroundings | undefined {
  const upwards = projectFolders(folder, home);
  if (upwards.length === 0) return undefined;
  const at = upwards.indexOf(repositoryOf(folder) ?? "");
  const own = upwards.slice(0, Math.max(at, 0) + 1);
  const top = own.at(-1) ?? folder;
  const main = mainRepository(top);
  const ofMain = main === top ? [] : projectFolders(main, home);
  const isLinked = ofMain.length > 0;
  return {
    repository: upwards[at],
    own,
    speaking: isLinked ? [...own, ...ofMain] : upwards,
    namesake: isLinked ? main : top,
  };
}

function projectFolders(folder: string, home: string): string[] {
  const upwards = foldersUpwards(folder);
  const end = upwards.findIndex((above) => isCommonFolder(above, home));
  return upwards.slice(0, end);
}

/** A line that names a project. */
export interface FoundMarker {
  marker: ProjectMarker;
  /** The folder that it speaks for; absolute. */
  folder: string;
  /** Absolute. */
  file: string;
}

/** The nearest line that names a project. */
export function nearestMarker({ speaking }: Pick<Surroundings, "speaking">): FoundMarker | undefined {
  for (const { folder, file } of markerFiles(speaking)) {
    const marker = findProjectMarker(readSmall(file) ?? "");
    if (marker !== null) return { marker, folder, file };
  }
  return undefined;
}

/** The files of these folders that may hold such a line. */
export function markerFiles(folders: readonly string[]): { folder: string; file: string }[] {
  return folders.flatMap((folder) => MARKER_FILES.map((name) => ({ folder, file: join(folder, name) })));
}
