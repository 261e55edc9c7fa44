import { listFolders, listFoldersBelow } from "../../index/catalog.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { isTypo, nearest } from "../../lib/text.ts";
import {
  ARCHIVE,
  isStandardFolder,
  projectOf,
  ROOT_PROJECT,
  STANDARD_FOLDERS,
  standardFolder,
} from "../../notes/names.ts";
import { REPOSITORY_FOLDER } from "../../notes/repository-path.ts";
import type { SqlDatabase } from "../../sqlite/types.ts";
import { aliasOfFolder, aliasTarget } from "../../storage/aliases.ts";
import { listFolder } from "../../storage/list.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { matchNames, only } from "./entries.ts";

/** Whether a project has a folder of that name, or would make it. */
export function isFolder(root: string, project: string, name: string): boolean {
  if (isStandardFolder(name) || matchNames(listFolder(root, project).folders, name).length > 0) return true;
  return aliasOfFolder(gateOf(root), `${project}/${name}`) !== undefined;
}

/** The path of a new document, in the folders that exist, as they are spelled on the disk. Throws INVALID_FOLDER if several are alike. */
export function newPathOnDisk(root: string, path: string): string {
  if (projectOf(path) === ROOT_PROJECT) return path;
  const [project = "", ...folders] = path.split("/");
  const name = folders.pop() ?? "";
  const place = folders.reduce((at, folder) => {
    const match = only(matchNames(listFolder(root, at).folders, folder), `${at}/${folder}`, "INVALID_FOLDER");
    return `${at}/${match ?? (at === project ? standardFolder(folder) : folder)}`;
  }, project);
  return `${folders.length === 0 ? place : (aliasTarget(gateOf(root), place) ?? place)}/${name}`;
}

/** A folder as it is given, in the form of an index: `repo:/docs` for `repo:docs/`. */
export function folderName(given: string): string {
  return given
    .replace(/^repo:(?=[^/])/i, `${REPOSITORY_FOLDER}/`)
    .replaceAll("\\", "/")
    .replace(/\/$/, "");
}

/**
 * The folder of a filter as the index has it, `references/deep` for one inside of another. Throws INVALID_FOLDER unless it is a standard
 * one, `""`, the archive, or one that holds documents.
 */
export function indexedFolder(db: SqlDatabase, given: string, project: string | undefined): string {
  const name = folderName(given);
  const folders = [...new Set([...STANDARD_FOLDERS, ...listFolders(db, project)])];
  const below = name.includes("/") ? listFoldersBelow(db, project) : [];
  const alike = matchNames([...folders, ...below, "", ARCHIVE], standardFolder(name));
  const match = only(alike, name, "INVALID_FOLDER");
  if (match !== undefined) return match;
  const known = folders.filter((folder) => folder !== "");
  const message = `There is no folder ${quoteName(given.replace(/\/$/, ""))}${project === undefined ? "" : ` in ${quoteName(project)}`}. Folders: ${listNames(known, 30)}.`;
  throw new UserError("INVALID_FOLDER", message, {
    details: {
      folder: escapeName(name),
      suggestions: nearest(name, known).filter((one) => isTypo(name, one)),
    },
  });
}
