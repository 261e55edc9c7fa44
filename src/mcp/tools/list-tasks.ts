import * as z from "zod";
import { shorten } from "../../notes/words.ts";
import { readNamed } from "../../workspace/read-named.ts";
import { inWorkOrder, listTasks, type WorkspaceTask } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defineTool } from "../tool.ts";
import { count, limit, params } from "./params.ts";

/** read_doc shows the rest. */
const MAX_OBJECTIVE = 300;
/** The tasks of an answer as JSON; the first task is always listed. */
const PAGE_CHARS = { plain: 7_500, content: 40_000 };

export const listTasksTool = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "List tasks with status, objective, progress and dependencies: in progress, blocked and pending ones first. " +
    "If there are more: pass next_offset as offset. Next: read_doc, then update_task_status.",
  access: "read",
  longAnswers: true,
  input: () =>
    z.strictObject({
      project: params.projectFilter(),
      status: params.status().describe("Only this status"),
      ready: z.boolean().default(false).describe("Only tasks that can be started"),
      archived: z.boolean().default(false).describe("Also archived tasks"),
      include_content: z.boolean().default(false).describe("Add the full text"),
      limit: limit(50, 500).describe("Maximum tasks"),
      offset: params.offset().describe("Tasks to skip"),
    }),
  output: () =>
    z.object({
      project: z.string().nullable(),
      filter: z.object({
        status: z.string().nullable(),
        ready: z.boolean().optional(),
        archived: z.boolean().optional(),
      }),
      total: count(),
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
          progress: z.object({ done: count(), total: count() }),
          dependencies: z.array(z.string()),
          open_dependencies: z.array(z.string()),
          missing_dependencies: z.array(z.string()).optional().describe("References to no task"),
          content: z.string().optional(),
        }),
      ),
      next_offset: count().optional(),
    }),
  handle: async ({ project, include_content, limit, offset, ...rest }, { workspace }) => {
    const filter = { ...rest, project: project === undefined ? undefined : workspace.findProject(project) };
    const matches = await findTasks(workspace, filter);
    const answer = describeTasks(filter, matches.slice(offset, offset + limit));
    const described = include_content
      ? answer.tasks.map((task) => withContent(workspace, task))
      : answer.tasks;
    const tasks = fittingTasks(described, include_content ? PAGE_CHARS.content : PAGE_CHARS.plain);
    const next = offset + tasks.length;
    return { ...answer, total: matches.length, tasks, ...(next < matches.length && { next_offset: next }) };
  },
});

interface TaskFilter {
  /** Must come from findProject. */
  project: string | undefined;
  status?: string | undefined;
  ready: boolean;
  archived: boolean;
}

/** In the order of inWorkOrder. */
export async function findTasks(workspace: Workspace, filter: TaskFilter): Promise<WorkspaceTask[]> {
  const { project, status, ready, archived } = filter;
  const all = await listTasks(workspace, project, { archived });
  return inWorkOrder(
    all.filter((task) => (!ready || task.ready) && (status === undefined || task.status === status)),
  );
}

/** The answer of list_tasks for these tasks. */
export function describeTasks(
  { project, status, ready, archived }: TaskFilter,
  tasks: readonly WorkspaceTask[],
) {
  const filter = { status: status ?? null, ...(ready && { ready }), ...(archived && { archived }) };
  return { project: project ?? null, filter, total: tasks.length, tasks: tasks.map(listedTask) };
}

function listedTask(task: WorkspaceTask) {
  const { project, path, filename, number, title, status, updated, owner, tags } = task;
  const { objective, progress, dependencies, open_dependencies, missing_dependencies } = task;
  return {
    ...{ project, path, filename, number, title, status, updated, owner, tags },
    ...{ progress, dependencies, open_dependencies },
    ...(missing_dependencies.length > 0 && { missing_dependencies }),
    objective: objective === null ? null : shorten(objective, MAX_OBJECTIVE),
  };
}

/** The first tasks that fill at most `maxChars` of JSON, at least one. */
function fittingTasks<T>(tasks: readonly T[], maxChars: number): T[] {
  let chars = 0;
  const end = tasks.findIndex((task, at) => {
    chars += JSON.stringify(task).length + 1;
    return at > 0 && chars > maxChars;
  });
  return tasks.slice(0, end === -1 ? tasks.length : end);
}

/** No content for a task that was deleted since it was listed. */
function withContent<T extends { path: string }>(workspace: Workspace, task: T) {
  try {
    return { ...task, content: readNamed(workspace.root, { path: task.path }).text };
  } catch {
    return task;
  }
}
