import { fileURLToPath } from "node:url";
import { likelyProject } from "./likely.ts";

/** The project that a client most likely works on. */
export interface Nearby {
  /** Undefined while nothing tells. */
  project(): string | undefined;
  /** Takes over the client's own folders, as URIs: the first that belongs to a project decides. */
  follow(uris: readonly string[]): void;
}

/** `folder` is where the server was started (absolute); it counts until the client names its folders. */
export function createNearby(root: string, folder: string | undefined): Nearby {
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
