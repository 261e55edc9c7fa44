import { resolveDependencies } from "../domain/dependencies.ts";
import { type DocumentRow, listDocuments } from "../index/catalog.ts";
import { groupBy } from "../lib/group.ts";
import { updatedDate } from "./updated-date.ts";
import type { Workspace } from "./workspace.ts";

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
