import { basename, join, relative, sep } from "node:path";
import { projectLine } from "../../notes/project/marker.ts";
import { realPath, repositoryOf } from "../../storage/folders.ts";
import { isInside } from "../../storage/path-gate.ts";
import { contains } from "../../storage/user-file.ts";
import { type FoundMarker, type Here, nearestMarker, surroundingsOf } from "./surroundings.ts";

export interface FolderProject {
  /** It may not exist. */
  name: string;
  /** By the folder's place in the workspace, by a line, by one about other notes, or by its own name or its repository's. */
  from: "place" | "line" | "elsewhere" | "name";
  /** The line that names it, and how to show its file, which names no folder that the client does not know. */
  line?: { text: string; file: string };
}

/**
 * A folder's place in the workspace names its project, else the nearest `vibe: <name>` line, else its repository or the folder itself.
 * Undefined for a folder that belongs to no project.
 */
export function projectNameOf(root: string, here: Here): FolderProject | undefined {
  const [realRoot, place] = [realPath(root), realPath(here.folder)];
  const [inside = ""] = isInside(realRoot, place) ? relative(realRoot, place).split(sep) : [];
  if (inside !== "") return { name: inside, from: "place" };
  const around = surroundingsOf(here);
  if (around === undefined) return undefined;
  const found = nearestMarker(around);
  if (found === undefined) return { name: nameLike(around.namesake), from: "name" };
  const file = contains(found.folder, here.folder)
    ? relative(here.folder, found.file)
    : `${relative(found.folder, found.file)} of the main repository`;
  return {
    name: found.marker.name,
    from: isAbout(found, realRoot) ? "line" : "elsewhere",
    line: { text: projectLine(found.marker), file },
  };
}

/** Whether a line speaks of the projects of this root: one that names a folder does so only of the root there. */
function isAbout({ marker, folder }: FoundMarker, root: string): boolean {
  if (marker.folder === "") return true;
  const repository = repositoryOf(folder);
  return repository !== undefined && realPath(join(repository, marker.folder)) === root;
}

/** A bare repository is called `shop.git`. */
function nameLike(folder: string): string {
  const name = basename(folder);
  return repositoryOf(folder) === folder ? name : name.replace(/(?<=.)\.git$/i, "");
}
