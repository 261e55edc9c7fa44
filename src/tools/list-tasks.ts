import * as z from "zod";
import { shorten } from "../domain/words.ts";
import { defineTool } from "../tool.ts";
import { listTasks, type WorkspaceTask } from "../workspace/tasks.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { limit, params } from "./params.ts";

/** A list shows what a task is about; read_doc gives the rest. */
const MAX_OBJECTIVE = 300;

export const listTasksTool = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description: "List tasks with status, objective, progress and dependencies. Then read_doc.",
  access: "read",
  input: () =>
    z.strictObject({
      project: params.projectFilter(),
      status: params.status().describe("Only these"),
      ready: z.boolean().default(false).describe("Only what can be started"),
      include_content: z.boolean().default(false).describe("Add their whole text"),
      limit: limit(50, 500).describe("Most tasks"),
      offset: params.offset().describe("Tasks to skip"),
    }),
  output: () =>
    z.object({
      project: z.string().nullable(),
      filter: z.object({ status: z.string().nullable(), ready: z.boolean().optional() }),
      total: z.number().int(),
      tasks: z.array(
        z.object({
          project: z.string(),
          path: z.string(),
          filename: z.string(),
          number: z.string().nullable(),
          title: z.string(),
          status: z.string().nullable(),
          updated: z.string(),
          owner: z.string().nullable(),
          tags: z.array(z.string()),
          objective: z.string().nullable(),
          progress: z.object({ done: z.number().int(), total: z.number().int() }),
          dependencies: z.array(z.string()),
          open_dependencies: z.array(z.string()),
          content: z.string().optional(),
        }),
      ),
    }),
  handle: async ({ project: given, include_content, limit, offset, ...rest }, { workspace }) => {
    const filter = { ...rest, project: given === undefined ? undefined : workspace.findProject(given) };
    const wanted = await findTasks(workspace, filter);
    const answer = describeTasks(filter, wanted.slice(offset, offset + limit));
    const tasks = include_content ? answer.tasks.map((task) => withContent(workspace, task)) : answer.tasks;
    return { ...answer, total: wanted.length, tasks };
  },
});

interface TaskFilter {
  /** As findProject gives it. */
  project: string | undefined;
  status?: string | undefined;
  ready: boolean;
}

export async function findTasks(workspace: Workspace, filter: TaskFilter): Promise<WorkspaceTask[]> {
  const { project, status, ready } = filter;
  const all = await listTasks(workspace, project);
  return all.filter((task) => (!ready || task.ready) && (status === undefined || task.status === status));
}

/** The answer that lists these tasks and no others. */
export function describeTasks({ project, status, ready }: TaskFilter, tasks: readonly WorkspaceTask[]) {
  const filter = { status: status ?? null, ...(ready && { ready }) };
  return { project: project ?? null, filter, total: tasks.length, tasks: tasks.map(listed) };
}

function listed(task: WorkspaceTask) {
  const { project, path, filename, number, title, status, updated, owner, tags } = task;
  const { objective, progress, dependencies, open_dependencies } = task;
  return {
    ...{ project, path, filename, number, title, status, updated, owner, tags },
    ...{ progress, dependencies, open_dependencies },
    objective: objective === null ? null : shorten(objective, MAX_OBJECTIVE),
  };
}

/** A task that vanished since it was listed is given without its content. */
function withContent<T extends { project: string; filename: string }>(workspace: Workspace, task: T) {
  try {
    return { ...task, content: workspace.read({ ...task, folder: "tasks" }).text };
  } catch {
    return task;
  }
}
