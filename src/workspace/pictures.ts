import { type DocumentLocation, documentPath } from "../notes/document.ts";
import { pictureType } from "../notes/pictures.ts";
import { gateOf } from "../storage/path-gate.ts";
import { readFile } from "../storage/read.ts";
import type { Workspace } from "./workspace.ts";

const MAX_BYTES = 5 * 1024 * 1024;

interface Picture {
  /** Its media type. */
  type: string;
  bytes: Buffer;
}

/** The picture of this name; null if there is none. Throws PROJECT_NOT_FOUND, and FILESYSTEM_ERROR above 5 MB. */
export function readPicture(workspace: Workspace, location: DocumentLocation): Picture | null {
  const type = pictureType(documentPath(location));
  if (type === null) return null;
  const path = documentPath({ ...location, project: workspace.findProject(location.project) });
  const read = readFile(gateOf(workspace.root), path, MAX_BYTES);
  return read === undefined ? null : { type, bytes: read.bytes };
}
