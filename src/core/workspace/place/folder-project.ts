import { basename, join, relative, sep } from "node:path";
import { listedName, quoteName } from "../../lib/escape.ts";
import { projectLine } from "../../notes/project/marker.ts";
import { realPath, repositoryOf } from "../../storage/folders.ts";
import { isInside } from "../../storage/path-gate.ts";
import { contains } from "../../storage/user-file.ts";
import { type FoundMarker, type Here, nearestMarker, surroundingsOf } from "./surroundings.ts";

/** A stranger may have chosen the name: a model reads it before anything else. */
export const MAX_NAME = 100;

export interface FolderProject {
  /** It may not exist. */
  name: string;
  /** Whether its place or a line says so, not just the name of the folder or its repository. */
  isSaid?: boolean;
  /** Whether it is among notes of another root. */
  isElsewhere?: boolean;
  /** Why it is that, and why none if this name does not exist. Neither names a folder that the client does not know. */
  why: string;
  whyNone: string;
}

/**
 * A folder's place in the workspace names its project, else the nearest `vibe: <name>` line, else its repository or the folder itself.
 * Undefined for a folder that belongs to no project; reasons call it as `shown`.
 */
export function projectNameOf(root: string, here: Here, shown = ""): FolderProject | undefined {
  const [realRoot, place] = [realPath(root), realPath(here.folder)];
  const [inside = ""] = isInside(realRoot, place) ? relative(realRoot, place).split(sep) : [];
  if (inside !== "") return { ...calledLike(inside, shown), isSaid: true, why: `${shown} is inside it` };
  const around = surroundingsOf(here);
  const found = around && nearestMarker(around);
  if (found !== undefined) return saidBy(found, here.folder, realRoot);
  return around && calledLike(nameLike(around.namesake), shown);
}

export function calledLike(name: string, shown: string): FolderProject {
  return {
    name,
    why: `named like ${shown}`,
    whyNone: `none is named ${quoteName(name, MAX_NAME)} like ${shown}`,
  };
}

function saidBy(found: FoundMarker, here: string, root: string): FolderProject {
  const [{ name }, line] = [found.marker, projectLine(found.marker)];
  const file = contains(found.folder, here)
    ? relative(here, found.file)
    : `${relative(found.folder, found.file)} of the main repository`;
  const isElsewhere = !isAbout(found, root);
  const whyNone = isElsewhere
    ? `${file} says that the notes are in ${quoteName(line, MAX_NAME)} of that repository, which this server does not serve`
    : `${file} names ${quoteName(name, MAX_NAME)}, which does not exist`;
  return {
    name,
    isSaid: true,
    isElsewhere,
    why: `from the line \`vibe: ${listedName(line)}\` in ${file}`,
    whyNone,
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
