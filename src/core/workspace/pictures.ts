import { UserError } from "../lib/errors.ts";
import { type DocumentLocation, documentPath } from "../notes/document.ts";
import { hyphenate, standardFolder } from "../notes/names.ts";
import { ASSETS, MAX_PICTURE_BYTES, pictureExtension, pictureType } from "../notes/pictures.ts";
import { plainNames } from "../storage/list.ts";
import { gateOf } from "../storage/path-gate.ts";
import { contentOf, readFile } from "../storage/read.ts";
import { change } from "./change/change.ts";
import { pathOnDisk } from "./find/entries.ts";
import { newPathOnDisk } from "./find/folder.ts";
import type { Workspace } from "./workspace.ts";

interface Picture {
  /** Its media type. */
  type: string;
  bytes: Buffer;
}

/** The picture of this name; null if there is none. Throws PROJECT_NOT_FOUND and FILESYSTEM_ERROR above 5 MB. */
export function readPicture(workspace: Workspace, location: DocumentLocation): Picture | null {
  const { root } = workspace;
  const type = pictureType(documentPath({ ...location, folder: standardFolder(location.folder) }));
  if (type === null) return null;
  const project = workspace.findProject(location.project);
  const path = pathOnDisk(root, documentPath({ ...location, project }), plainNames(gateOf(root)));
  const read = path === undefined ? undefined : readFile(gateOf(root), path, MAX_PICTURE_BYTES);
  return read === undefined ? null : { type, bytes: read.bytes };
}

const MOST_ALIKE = 1000;

/**
 * Adds a picture to the `assets` of a project, under a free name like the one wanted; its bytes say what it is. Returns its path.
 * Throws PROJECT_NOT_FOUND, and INVALID_ARGUMENT for what is no picture.
 */
export async function addPicture(
  workspace: Workspace,
  given: string,
  { name, bytes }: { name: string; bytes: Buffer },
) {
  const project = workspace.findProject(given);
  const extension = pictureExtension(bytes);
  if (extension === undefined)
    throw new UserError("INVALID_ARGUMENT", "This is no picture: use PNG, JPEG, GIF, WebP, AVIF or SVG.");
  const stem = hyphenate(name.replace(/\.[^.]*$/, "")) || "picture";
  for (let at = 1; ; at++) {
    const path = newPathOnDisk(
      workspace.root,
      `${project}/${ASSETS}/${stem}${at === 1 ? "" : `-${at}`}.${extension}`,
    );
    try {
      await change(workspace, {}, [{ path, before: null, after: contentOf(bytes) }]);
      return path;
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== "FILE_EXISTS" || at === MOST_ALIKE) throw error;
    }
  }
}
