import { remember } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { isMarkdown } from "../../lib/file-names.ts";
import { isTaskPath } from "../../notes/document.ts";
import { TASK_FOLDERS } from "../../notes/names.ts";
import { pathsWithoutCopies } from "../../notes/task/copies.ts";
import { namesBelow } from "../../storage/walk.ts";
import { documents, foldersAlike, type Names } from "./entries.ts";

export type TaskFolder = (typeof TASK_FOLDERS)[number];

/**
 * The paths of a project's tasks on disk, without copies, including subfolders, and under any spelling of the folder. Throws
 * FILESYSTEM_ERROR if a folder cannot be listed: a number that seems free could be taken there.
 */
export function listTaskFiles(
  root: string,
  project: string,
  places: readonly TaskFolder[] = TASK_FOLDERS,
  names = documents(root),
): string[] {
  const listed = remember((place: TaskFolder) => filesIn(root, project, place, names));
  return pathsWithoutCopies(places.flatMap(listed), () => TASK_FOLDERS.flatMap(listed));
}

function filesIn(root: string, project: string, place: TaskFolder, names: Names): string[] {
  const folders = foldersAlike(root, project, place, names);
  const found = folders.map((folder) => namesBelow(root, folder));
  // Each file once, also if a link leads to its folder.
  const files = new Map(found.flatMap((each) => each.files.map(({ file, path }) => [file, path])));
  const failed = found.flatMap((each) => each.failed);
  // A link that cannot be followed still has a name.
  const unread = failed.filter((path) => !folders.includes(path) && isMarkdown(path));
  const closed = failed.find((path) => !unread.includes(path));
  if (closed !== undefined) throw notListed(closed);
  return [...files.values(), ...unread].filter(isTaskPath).sort();
}

function notListed(path: string): UserError {
  const message = `Could not list ${quoteName(path)}, where tasks may be. Try again; \`vibe-mcp doctor\` shows which files cannot be read.`;
  return new UserError("FILESYSTEM_ERROR", message, { details: { path } });
}
