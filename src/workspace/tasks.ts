import { resolveDependencies } from "../domain/dependencies.ts";
import { parseTaskNumber } from "../domain/names.ts";
import { listFolder } from "../files/list.ts";
import { type DocumentRow, listDocuments } from "../index/catalog.ts";
import { UserError } from "../lib/errors.ts";
import { groupBy } from "../lib/group.ts";
import { nearest } from "../lib/text.ts";
import { updatedDate } from "./updated-date.ts";
import type { Workspace } from "./workspace.ts";

const MAX_DEPTH = 8;

export interface WorkspaceTask {
  project: string;
  path: string;
  filename: string;
  /** As the file name carries it, `"004"`; null for a task without one. */
  number: string | null;
  title: string;
  /** A standard status, another text as it stands in the file, or null. */
  status: string | null;
  /** `YYYY-MM-DD` */
  updated: string;
  owner: string | null;
  tags: string[];
  objective: string | null;
  progress: { done: number; total: number };
  dependencies: string[];
  /** Those that are not done; one that names no task counts as open. */
  open_dependencies: string[];
  /** Pending, and nothing open before it. */
  ready: boolean;
}

/** The tasks of one project, or of all, by project and file name. */
export async function listTasks(workspace: Workspace, project: string | undefined): Promise<WorkspaceTask[]> {
  const rows = await workspace.query((db) => listDocuments(db, { project, folder: "tasks" }));
  return [...groupBy(rows, (row) => row.project).values()].flatMap(projectTasks);
}

function projectTasks(rows: DocumentRow[]): WorkspaceTask[] {
  const tasks = rows.flatMap(({ task, ...row }) => (task === null ? [] : [{ ...row, ...task }]));
  const readiness = resolveDependencies(tasks);
  return tasks.map((task, at) => {
    const { project, path, filename, number, title, status, owner, tags } = task;
    const { objective, progress, dependencies } = task;
    const { open_dependencies = [], ready = false } = readiness[at] ?? {};
    const updated = updatedDate(task);
    return {
      ...{ project, path, filename, number, title, status, updated, owner, tags },
      ...{ objective, progress, dependencies, open_dependencies, ready },
    };
  });
}

/** The files of a project's tasks on disk, as `filename` of the folder `tasks` names them, deeper ones included. */
export function listTaskFiles(root: string, project: string): string[] {
  const files: string[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const listing = listFolder(root, `${project}/tasks/${folder}`.replace(/\/$/, ""));
    files.push(...listing.files.map((name) => folder + name));
    if (folder.split("/").length < MAX_DEPTH)
      pending.push(...listing.folders.map((name) => `${folder}${name}/`));
  }
  return files.sort();
}

/** The file that a task's number or name means. Throws FILE_NOT_FOUND, or INVALID_ARGUMENT when several carry the number. */
export function findTaskFile(root: string, project: string, task: string): string {
  const files = listTaskFiles(root, project);
  const wanted = task.trim().replace(/^tasks\//, "");
  const exact = files.find((file) => file === wanted || file === `${wanted}.md`);
  if (exact !== undefined) return exact;
  const number = /^#?(\d{1,9})$/.exec(wanted)?.[1];
  const numbered = files.filter(
    (file) => number !== undefined && Number(parseTaskNumber(file) ?? -1) === Number(number),
  );
  if (numbered.length === 1 && numbered[0] !== undefined) return numbered[0];
  if (numbered.length > 1) {
    const message = `Number ${number} is carried by ${numbered.length} files: ${numbered.join(", ")}. Give the file name.`;
    throw new UserError("INVALID_ARGUMENT", message, { details: { project, suggestions: numbered } });
  }
  const message = `Task '${task.slice(0, 200)}' not found in project '${project}'. Call list_tasks to see its tasks.`;
  const suggestions = nearest(wanted, files);
  throw new UserError("FILE_NOT_FOUND", message, {
    details: { project, task: task.slice(0, 200), suggestions },
  });
}
