import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { findProjectMarker, MARKER_FILES } from "../notes/project-marker.ts";
import { foldersUpwards, realPath, repositoryName, repositoryOf } from "../storage/folders.ts";
import { listFolder } from "../storage/list.ts";
import { isInside } from "../storage/path-gate.ts";
import { readSmall } from "../storage/read.ts";
import { matchProject } from "./locate.ts";

/**
 * The likely name of a folder's project, which may not exist: its place in the workspace decides, else a `vibe: <name>` line
 * in CLAUDE.md or AGENTS.md of the folder or one above it (`file`), else the name of the repository or of the folder.
 * Folder and file are absolute.
 */
export function projectNameOf(root: string, folder: string): { name: string; file: string | undefined } {
  const [realRoot, place] = [realPath(root), realPath(folder)];
  const [inside = ""] = isInside(realRoot, place) ? relative(realRoot, place).split(sep) : [];
  if (inside !== "") return { name: inside, file: undefined };
  for (const above of foldersUpwards(folder)) {
    for (const file of MARKER_FILES.map((name) => join(above, name))) {
      const link = findProjectMarker(readSmall(file) ?? "");
      if (link !== null) return { name: link.name, file };
    }
  }
  const repository = repositoryOf(folder);
  return {
    name: repository === undefined ? basename(folder) : repositoryName(repository),
    file: undefined,
  };
}

/** The name on disk of the project that a folder belongs to; undefined if there is none of the likely name. */
export function projectOf(root: string, folder: string): string | undefined {
  const { name } = projectNameOf(root, folder);
  try {
    return matchProject(listFolder(root, "").folders, name);
  } catch {
    return undefined; // The call that needs the root reports why it cannot be read.
  }
}

export type CurrentProject = ReturnType<typeof createCurrentProject>;

/** The project that a client most likely works on: by the server's folder until the client names its own. */
export function createCurrentProject(root: string, folder: string | undefined) {
  let project = folder === undefined ? undefined : projectOf(root, folder);
  return {
    /** Undefined if it is unclear. */
    project: () => project,
    /** Takes over the client's own folders, as URIs: the first that belongs to a project decides. */
    follow: (uris: readonly string[]) => {
      const folders = uris.flatMap(folderOf);
      const found = folders.map((place) => projectOf(root, place)).find((name) => name !== undefined);
      if (folders.length > 0) project = found;
    },
  };
}

/** Empty for a URI that names no local folder. */
function folderOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
