import { listFolders } from "../../index/catalog.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { nearest } from "../../lib/text.ts";
import { ARCHIVE, STANDARD_FOLDERS, standardFolder } from "../../notes/names.ts";
import type { SqlDatabase } from "../../sqlite/types.ts";
import { listFolder } from "../../storage/list.ts";
import { matchName, matchNames } from "./entries.ts";

/**
 * A folder in a project or in one of its folders, which may be named with a `/` at its end, as it is spelled on the disk, else as it
 * would be made. Throws INVALID_FOLDER if several are alike.
 */
export function findFolder(root: string, parent: string, given: string): string {
  const name = given.replace(/\/$/, "");
  const [match, ...others] = matchNames(listFolder(root, parent).folders, name);
  if (match === undefined) return standardFolder(name);
  if (others.length === 0) return match;
  const alike = [match, ...others];
  const message = `Several folders of ${quoteName(parent)} go by the name ${quoteName(name)}: ${listNames(alike)}. Spell the one that you mean.`;
  const details = { folder: escapeName(name), suggestions: alike };
  throw new UserError("INVALID_FOLDER", message, { details });
}

/** The path of a new document, in the folders that exist. Throws as findFolder does. */
export function newPathOnDisk(root: string, path: string): string {
  const [project = "", ...folders] = path.split("/");
  const name = folders.pop() ?? "";
  return `${folders.reduce((at, folder) => `${at}/${findFolder(root, at, folder)}`, project)}/${name}`;
}

/**
 * The folder of a filter as the index has it. Throws INVALID_FOLDER unless it is a standard one, `""`, the archive, or one that holds
 * documents.
 */
export function indexedFolder(db: SqlDatabase, given: string, project: string | undefined): string {
  const name = given.replace(/\/$/, "");
  const folders = [...new Set([...STANDARD_FOLDERS, ...listFolders(db, project)])];
  const match = matchName([...folders, "", ARCHIVE], standardFolder(name));
  if (match !== undefined) return match;
  const known = folders.filter((folder) => folder !== "");
  const message = `There is no folder ${quoteName(name)}${project === undefined ? "" : ` in ${quoteName(project)}`}. Folders: ${listNames(known, 30)}.`;
  throw new UserError("INVALID_FOLDER", message, {
    details: { folder: escapeName(name), suggestions: nearest(name, known) },
  });
}
