import { formatTaskNumber } from "../domain/names.ts";
import type { TaskStatus } from "../domain/status.ts";
import { setTaskStatus } from "../domain/status-edit.ts";
import { type NewTask, nextTaskNumber, renderTask, taskFilename } from "../domain/task-file.ts";
import { UserError } from "../lib/errors.ts";
import { MAX_OUTLINE_CHARS } from "../markdown/headings.ts";
import { findTaskFile, listTaskFiles } from "./tasks.ts";
import type { Workspace } from "./workspace.ts";
import { createDocument, replaceDocument, type Saved } from "./write.ts";

/** A task that was just created; `number` is as its name carries it, `"004"`. */
export interface CreatedTask extends Saved {
  number: string;
  filename: string;
}

/** Creates a task under the next number, which no two processes get; `project` must be as findProject gives it. */
export function createTask(workspace: Workspace, project: string, task: NewTask): Promise<CreatedTask> {
  return workspace.locked(project, async (lock) => {
    const number = nextTaskNumber(listTaskFiles(workspace.root, project));
    const filename = taskFilename(number, task.title);
    const name = { project, folder: "tasks", filename };
    const text = renderTask(task);
    if (text.length > MAX_OUTLINE_CHARS) throw tooLong();
    const saved = await createDocument(workspace, name, text, lock);
    return { ...saved, filename, number: formatTaskNumber(number) };
  });
}

function tooLong(): UserError {
  const message =
    "The task has over two million characters, and its steps would not be read that far. Put long texts into a document, and name it in related_files.";
  return new UserError("INVALID_ARGUMENT", message);
}

/** A task whose status was just set; `previous` is null when it had none. */
export interface UpdatedTask extends Saved {
  filename: string;
  previous: string | null;
}

/** Sets the status of the task that a number or file name means. Throws as findTaskFile does. */
export function updateTaskStatus(
  workspace: Workspace,
  project: string,
  { task, status }: { task: string; status: TaskStatus },
): Promise<UpdatedTask> {
  return workspace.locked(project, async (lock) => {
    const filename = findTaskFile(workspace.root, project, task);
    const document = workspace.read({ project, folder: "tasks", filename });
    const text = setTaskStatus(document.text, status);
    const saved = await replaceDocument(workspace, document, { text, lock });
    return { ...saved, filename: document.filename, previous: document.facts.status };
  });
}
