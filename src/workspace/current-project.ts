import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { findLink, LINK_FILES } from "../domain/link.ts";
import { isInside } from "../files/gate.ts";
import { listFolder } from "../files/list.ts";
import { foldersUpwards, readSmall, realPath, repositoryName, repositoryOf } from "../files/upwards.ts";
import { matchProject } from "./locate.ts";

/** The name of the project that a folder most likely belongs to, whether there is such a project or not. */
export interface LikelyName {
  name: string;
  /** The absolute file that says so, in a `vibe: <name>` line; undefined when only the folder's name does. */
  file: string | undefined;
}

/**
 * What names the project of a folder (absolute): its place in the workspace, a `vibe: <name>` line in CLAUDE.md or
 * AGENTS.md of the folder or one above it, the name of the repository, the name of the folder.
 */
export function likelyName(root: string, folder: string): LikelyName {
  const [realRoot, place] = [realPath(root), realPath(folder)];
  const [inside = ""] = isInside(realRoot, place) ? relative(realRoot, place).split(sep) : [];
  if (inside !== "") return { name: inside, file: undefined };
  for (const above of foldersUpwards(folder)) {
    for (const file of LINK_FILES.map((name) => join(above, name))) {
      const link = findLink(readSmall(file) ?? "");
      if (link !== null) return { name: link.name, file };
    }
  }
  const repository = repositoryOf(folder);
  return {
    name: repository === undefined ? basename(folder) : repositoryName(repository),
    file: undefined,
  };
}

/** The project that a folder belongs to, by its name on disk; undefined when there is none of the likely name. */
export function likelyProject(root: string, folder: string): string | undefined {
  const { name } = likelyName(root, folder);
  try {
    return matchProject(listFolder(root, "").folders, name);
  } catch {
    return undefined; // A root that cannot be read is told by the call that needs it.
  }
}

/** The project that a client most likely works on. */
export interface CurrentProject {
  /** Undefined while nothing tells. */
  project(): string | undefined;
  /** Takes over the client's own folders, as URIs: the first that belongs to a project decides. */
  follow(uris: readonly string[]): void;
}

/** `folder` is where the server was started (absolute); it counts until the client names its folders. */
export function createCurrentProject(root: string, folder: string | undefined): CurrentProject {
  let project = folder === undefined ? undefined : likelyProject(root, folder);
  return {
    project: () => project,
    follow: (uris) => {
      const folders = uris.flatMap(folderOf);
      const found = folders.map((place) => likelyProject(root, place)).find((name) => name !== undefined);
      if (folders.length > 0) project = found;
    },
  };
}

/** None for what is no folder of this machine. */
function folderOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
