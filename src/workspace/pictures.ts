import { UserError } from "../lib/errors.ts";
import { type DocumentLocation, documentPath } from "../notes/document.ts";
import { standardFolder } from "../notes/names.ts";
import { pictureType } from "../notes/picture/pictures.ts";
import { pixelProblem } from "../notes/picture/size.ts";
import { svgProblem } from "../notes/picture/svg.ts";
import { plainNames } from "../storage/list.ts";
import { gateOf } from "../storage/path-gate.ts";
import { readFile } from "../storage/read.ts";
import { pathOnDisk } from "./find/entries.ts";
import type { Workspace } from "./workspace.ts";

const MAX_BYTES = 5 * 1024 * 1024;

interface Picture {
  /** Its media type. */
  type: string;
  bytes: Buffer;
}

/** The picture of this name; null if there is none. Throws PROJECT_NOT_FOUND, FILESYSTEM_ERROR above 5 MB, and INVALID_ARGUMENT for what could freeze a program that shows it. */
export function readPicture(workspace: Workspace, location: DocumentLocation): Picture | null {
  const { root } = workspace;
  const type = pictureType(documentPath({ ...location, folder: standardFolder(location.folder) }));
  if (type === null) return null;
  const project = workspace.findProject(location.project);
  const path = pathOnDisk(root, documentPath({ ...location, project }), plainNames(gateOf(root)));
  const read = path === undefined ? undefined : readFile(gateOf(root), path, MAX_BYTES);
  if (read === undefined) return null;
  const problem = type === "image/svg+xml" ? svgProblem(read.bytes) : pixelProblem(read.bytes);
  if (problem === undefined) return { type, bytes: read.bytes };
  throw new UserError(
    "INVALID_ARGUMENT",
    `This picture is not shown: ${problem}. Save it in a simpler form.`,
  );
}
