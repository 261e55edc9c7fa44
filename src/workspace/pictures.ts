import { UserError } from "../lib/errors.ts";
import { type DocumentLocation, documentPath } from "../notes/document.ts";
import { standardFolder } from "../notes/names.ts";
import { pictureType } from "../notes/picture/pictures.ts";
import { pixelProblem } from "../notes/picture/size.ts";
import { svgProblem } from "../notes/picture/svg.ts";
import { gateOf } from "../storage/path-gate.ts";
import { readFile } from "../storage/read.ts";
import { findFolder } from "./find/folder.ts";
import type { Workspace } from "./workspace.ts";

const MAX_BYTES = 5 * 1024 * 1024;

interface Picture {
  /** Its media type. */
  type: string;
  bytes: Buffer;
}

/** The picture of this name; null if there is none. Throws PROJECT_NOT_FOUND, FILESYSTEM_ERROR above 5 MB, and INVALID_ARGUMENT for what could freeze a program that shows it. */
export function readPicture(workspace: Workspace, location: DocumentLocation): Picture | null {
  const folder = standardFolder(location.folder);
  const type = pictureType(documentPath({ ...location, folder }));
  if (type === null) return null;
  const project = workspace.findProject(location.project);
  const path = documentPath({
    ...location,
    project,
    folder: findFolder(workspace.root, project, location.folder),
  });
  const read = readFile(gateOf(workspace.root), path, MAX_BYTES);
  if (read === undefined) return null;
  const problem = type === "image/svg+xml" ? svgProblem(read.bytes) : pixelProblem(read.bytes);
  if (problem === undefined) return { type, bytes: read.bytes };
  throw new UserError(
    "INVALID_ARGUMENT",
    `This picture is not shown: ${problem}. Save it in a simpler form.`,
  );
}
