import { basename, join } from "node:path";
import { backlogTask, withKnownIds } from "../imports/backlog.ts";
import { beadsTasks } from "../imports/beads.ts";
import { IMPORT_KINDS, type ImportedTasks, type ImportKind } from "../imports/imported-task.ts";
import { taskmasterTasks } from "../imports/taskmaster.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { counted } from "../lib/text.ts";
import { fileTexts } from "../storage/file-lines.ts";
import { inspectPath } from "../storage/inspect.ts";
import { filesBelow } from "../storage/list.ts";
import { readRegular, readSmall } from "../storage/read.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Where each program keeps its tasks, below a repository or in its own folder. */
const PLACES: Record<ImportKind, readonly string[]> = {
  backlog: ["backlog", ".backlog", "."],
  beads: [".beads/issues.jsonl", ".beads/beads.jsonl", "issues.jsonl", "beads.jsonl"],
  taskmaster: [".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"],
};
const TASK_FOLDERS = ["tasks", "completed", "drafts"];

/** Reads the tasks of another program below a folder (absolute). Throws FILE_NOT_FOUND if there are none, and system errors. */
export function readImport(kind: ImportKind, folder: string): ImportedTasks {
  const place = PLACES[kind].find((one) => holdsTasks(kind, join(folder, one)));
  if (place === undefined) throw notFound(kind, folder);
  const path = join(folder, place);
  if (kind === "beads") return beadsTasks(fileTexts(path, MAX_LINE_BYTES));
  if (kind === "taskmaster") return taskmasterTasks(readRegular(path, MAX_BYTES).bytes.toString("utf8"));
  return readBacklog(path);
}

/** The programs that keep tasks below a folder (absolute), in a place called like them. */
export function importsIn(folder: string): ImportKind[] {
  return IMPORT_KINDS.filter((kind) =>
    PLACES[kind].some(
      (place) => place.replace(".", "").startsWith(kind) && holdsTasks(kind, join(folder, place)),
    ),
  );
}

function holdsTasks(kind: ImportKind, path: string): boolean {
  return kind === "backlog"
    ? inspectPath(join(path, "tasks")).kind === "folder"
    : inspectPath(path).kind === "file";
}

function readBacklog(folder: string): ImportedTasks {
  const tasks: ImportedTasks["tasks"] = [];
  let unread = 0;
  for (const place of TASK_FOLDERS) {
    for (const path of filesBelow(folder, place)
      .filter((file) => /\.md$/i.test(file))
      .sort()) {
      const text = readSmall(join(folder, path));
      const task = text === undefined ? undefined : backlogTask(text, basename(path));
      if (task === undefined) unread++;
      else tasks.push(task);
    }
  }
  const archived = filesBelow(folder, "archive").filter((file) => /\.md$/i.test(file)).length;
  return {
    tasks: withKnownIds(tasks),
    skipped: [
      ...(unread > 0 ? [`${counted(unread, "file")} that are no tasks, or cannot be read`] : []),
      ...(archived > 0 ? [`${counted(archived, "file")} in its archive`] : []),
    ],
  };
}

function notFound(kind: ImportKind, folder: string): UserError {
  const places = PLACES[kind].filter((place) => place !== ".").join(", ");
  const message = `${quoteName(folder)} holds no tasks of ${kind}: looked for ${places}. Name the repository, or the program's own folder in it.`;
  return new UserError("FILE_NOT_FOUND", message);
}
