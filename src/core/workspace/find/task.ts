import { UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { nearest } from "../../lib/text.ts";
import { isTaskPath, locateDocument } from "../../notes/document.ts";
import { finderIn } from "./names.ts";
import { namesIn, withoutHeading } from "./own-path.ts";
import { listTaskFiles } from "./task-files.ts";

/**
 * The path of a task, by its number, name or path: a present one before an archived one. Throws FILE_NOT_FOUND, or INVALID_ARGUMENT
 * if several have the number.
 */
export function findTask(root: string, project: string, task: string): string {
  return taskFinder(root, project)(task);
}

/** `findTask` for many tasks of a project, whose folders are listed once. */
export function taskFinder(root: string, project: string): (task: string) => string {
  const find = finderIn(root, project);
  const reading = { isShort: true, isMeant: isTaskPath };
  return (task) => {
    const [name] = namesIn(root, project, task.trim());
    const found = find(name, reading) ?? find(withoutHeading(name), reading);
    if (found !== undefined) return found;
    throw taskNotFound(root, project, task);
  };
}

export function taskNotFound(root: string, project: string, task: string): UserError {
  const names = listTaskFiles(root, project).map(
    (path) => locateDocument(path)?.filename.replace(/^tasks\//i, "") ?? path,
  );
  const message = `Task ${quoteName(task)} not found in project ${quoteName(project)}.`;
  const suggestions = nearest(namesIn(root, project, task)[0].replace(/^tasks\//i, ""), names);
  return new UserError("FILE_NOT_FOUND", message, {
    details: { project, task: escapeName(task), suggestions },
    next: "list-tasks",
  });
}
