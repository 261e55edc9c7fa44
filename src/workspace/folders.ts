import { STANDARD_FOLDERS } from "../domain/names.ts";
import { listFolders } from "../index/catalog.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

/** Throws INVALID_FOLDER unless the folder is a standard one, `""`, or one that holds documents. */
export function checkFolder(db: SqlDatabase, folder: string, project: string | undefined): void {
  const standard: readonly string[] = STANDARD_FOLDERS;
  if (folder === "" || standard.includes(folder)) return;
  const existing = listFolders(db, project);
  if (existing.includes(folder)) return;
  const folders = [...new Set([...standard, ...existing])].filter((name) => name !== "");
  const message = `There is no folder ${quoteName(folder)}${project === undefined ? "" : ` in ${quoteName(project)}`}. Folders: ${listNames(folders, 30)}.`;
  throw new UserError("INVALID_FOLDER", message, {
    details: { folder: escapeName(folder), suggestions: nearest(folder, folders) },
  });
}
