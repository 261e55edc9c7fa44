import { remember } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeName, listNames, quoteName } from "../../lib/escape.ts";
import { isMarkdown, pathKey, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import { parseTaskNumber, TASK_FOLDERS } from "../../notes/names.ts";
import { scanFolder } from "../../storage/walk.ts";
import { foldersAlike } from "./entries.ts";
import { ownPath, pathInProject } from "./own-path.ts";

export type TaskFolder = (typeof TASK_FOLDERS)[number];

/**
 * The paths of a project's tasks on disk, including subfolders, and under any spelling of the folder. Throws FILESYSTEM_ERROR if a
 * folder cannot be listed: a number that seems free could be taken there.
 */
export function listTaskFiles(root: string, project: string, place: TaskFolder = "tasks"): string[] {
  const { files, failed, folders } = scanTasks(root, project, place);
  // An unreadable file still has a name.
  const unread = failed.filter((path) => !folders.includes(path) && isMarkdown(path));
  const closed = failed.find((path) => !unread.includes(path));
  if (closed !== undefined) throw notListed(closed);
  return [...files, ...unread].sort();
}

/** Each file once, also if a link leads to its folder. */
export function scanTasks(root: string, project: string, place: TaskFolder) {
  const folders = foldersAlike(root, project, place.split("/"));
  const scans = folders.map((folder) => scanFolder(root, folder));
  const files = new Map(scans.flatMap((scan) => scan.files.map(({ file, path }) => [file, path])));
  return { files: [...files.values()], failed: scans.flatMap(({ failed }) => failed), folders };
}

function notListed(path: string): UserError {
  const message = `Could not list ${quoteName(path)}, where tasks may be. Try again; \`vibe-mcp doctor\` shows which files cannot be read.`;
  return new UserError("FILESYSTEM_ERROR", message, { details: { path } });
}

/**
 * The path of a task, by its number, name or path: a present one before an archived one. Throws FILE_NOT_FOUND, or INVALID_ARGUMENT
 * if several have the number.
 */
export function findTask(root: string, project: string, task: string): string {
  return taskFinder(root, project)(task);
}

/** `findTask` for many tasks of a project, whose folders are listed once. */
export function taskFinder(root: string, project: string): (task: string) => string {
  const find = tasksOf(root, project);
  return (task) => {
    const path = pathInProject(project, ownPath(root, task.trim()));
    const found = find(path) ?? find(path.replace(/(?<=.)#.*$/s, ""));
    if (found !== undefined) return found;
    throw taskNotFound(root, project, task);
  };
}

export function taskNotFound(root: string, project: string, task: string): UserError {
  const files = TASK_FOLDERS.flatMap((place) =>
    listTaskFiles(root, project, place).map((file) => nameOf(file, place)),
  );
  const name = pathInProject(project, task).replace(/^tasks\//i, "");
  const message = `Task ${quoteName(task)} not found in project ${quoteName(project)}.`;
  const details = { project, task: escapeName(task), suggestions: nearest(name, files) };
  return new UserError("FILE_NOT_FOUND", message, { details, next: "list-tasks" });
}

/** The task that a name in a project means; undefined if there is none. */
export function tasksOf(root: string, project: string): (name: string) => string | undefined {
  const filesIn = remember((place: TaskFolder) => listTaskFiles(root, project, place));
  return (given) => {
    // A number stays that of an archived task.
    const name = isTaskNumber(given) ? given.replace(/^tasks\//i, "") : given;
    for (const place of TASK_FOLDERS) {
      if (place === "tasks" && pathKey(name).startsWith("archive/")) continue;
      const found = matchTask(filesIn(place), { project, place, name });
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

interface Wanted {
  project: string;
  place: TaskFolder;
  /** Below the project, or below the folder of tasks. */
  name: string;
}

const NUMBER = /^(?:(.+)\/)?#?(\d{1,9})(?:\.md)?$/is;

export function isTaskNumber(name: string): boolean {
  return NUMBER.test(name);
}

function matchTask(files: readonly string[], { project, place, name }: Wanted): string | undefined {
  const isInside = pathKey(name).startsWith(`${place}/`);
  const inner = isInside ? name.slice(place.length + 1) : name;
  const alike = files.filter((file) => keyOf(nameOf(file, place)) === keyOf(inner));
  const spelled = (file: string) => (isInside ? file.slice(project.length + 1) : nameOf(file, place));
  const exact = alike.filter(
    (file) => withoutMarkdownExtension(spelled(file)) === withoutMarkdownExtension(name),
  );
  const named = exact.length > 0 ? exact : alike;
  const [, folder = "", number] = NUMBER.exec(inner) ?? [];
  const isNumbered = (file: string) =>
    Number(parseTaskNumber(file) ?? -1) === Number(number) &&
    (folder === "" || keyOf(nameOf(file, place)).startsWith(`${pathKey(folder)}/`));
  const numbered = number === undefined ? [] : files.filter(isNumbered);
  const found = named.length > 0 ? named : numbered;
  if (found.length < 2) return found[0];
  const short = found.map((file) => nameOf(file, place));
  const suggestions = new Set(short.map(pathKey)).size < short.length ? found : short;
  const why = named.length > 0 ? `go by the name ${quoteName(inner)}` : `have number ${number}`;
  const message = `${found.length} files ${why}: ${listNames(suggestions)}. Give the file name.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { project, suggestions } });
}

function keyOf(name: string): string {
  return pathKey(withoutMarkdownExtension(name));
}

/** Below its folder of tasks. */
function nameOf(path: string, place: TaskFolder): string {
  return path
    .split("/")
    .slice(1 + place.split("/").length)
    .join("/");
}
