import * as z from "zod";
import { definedOf } from "../../lib/collections.ts";
import { listedName } from "../../lib/escape.ts";
import { shorten } from "../../notes/short-text.ts";
import { FILTERS, type FieldFilters, hasValue, ownFields } from "../../notes/task/fields.ts";
import type { LeftOut } from "../../notes/task/left-out.ts";
import { inWorkOrder } from "../../notes/task/order.ts";
import { ownNames } from "../../workspace/change/claim.ts";
import { readNamed } from "../../workspace/read.ts";
import { listAmongTasks, namedParent, type WorkspaceTask } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defineTool } from "../tool.ts";
import { count, params, problems } from "./params.ts";
import { filterFields, shownFields } from "./task-fields.ts";

/** Doctor names all. */
const MAX_LEFT_OUT = 10;
/** read_doc shows the rest. */
const MAX_OBJECTIVE = 300;
const TASKS = 50;
/** The tasks of an answer to an agent, as JSON; the first task is always listed. With what surrounds them, 8,000 and 40,000. */
const PAGE_CHARS = { usual: 7_500, large: 39_500 };
/** What goes, the first first, before fewer tasks are listed than were asked for. */
const SPARE = ["objective", "tags", "dependencies", "progress", "open_dependencies", "filename"] as const;
export type SpareField = (typeof SPARE)[number];

export const listTasksTool = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "List tasks, the current project's first, in work order. owner: me lists yours. More: next_offset. Next: claim_task.",
  access: "read",
  alwaysLoad: true,
  listsAnswer: true,
  longAnswers: true,
  input: () =>
    z.strictObject({
      project: params.projectFilter(),
      status: params.status().optional(),
      ready: z.boolean().default(false).describe("Can start now"),
      archived: z.boolean().default(false),
      ...filterFields(),
      include_content: z.boolean().default(false),
      limit: z.number().int().min(1).max(500).optional(),
      offset: params.offset(),
    }),
  output: () =>
    z.object({
      project: z.string().nullable(),
      filter: z.object({
        status: z.string().nullable(),
        ready: z.boolean().optional(),
        archived: z.boolean().optional(),
        ...filterFields(),
      }),
      total: count(),
      tasks: z.array(
        z.object({
          project: z.string(),
          path: z.string(),
          filename: z.string().optional(),
          number: z.string().nullable(),
          title: z.string(),
          status: z.string().nullable(),
          updated: z.string(),
          owner: z.string().nullable(),
          ids: z.array(z.string()).optional(),
          claimed_until: z.string().optional(),
          ready: z.boolean(),
          overdue: z.literal(true).optional(),
          held_until: z.string().optional(),
          order: z.number().optional(),
          ...shownFields(),
          tags: z.array(z.string()).optional(),
          objective: z.string().nullable().optional(),
          progress: z.object({ done: count(), total: count() }).optional(),
          dependencies: z.array(z.string()).optional(),
          open_dependencies: z.array(z.string()).optional(),
          missing_dependencies: z.array(z.string()).optional(),
          same_number: z.array(z.string()).optional().describe("Name these by file"),
          ...problems(),
          unread: z.array(z.string()).optional(),
          reason: z.string().optional(),
          content: z.string().optional(),
        }),
      ),
      next_offset: count().optional(),
      shortened: z.string().optional(),
      left_out: z.array(z.string()).optional(),
    }),
  handle: async ({ project, include_content, limit, offset, ...rest }, { workspace, current }) => {
    const filter = { ...rest, project: project === undefined ? undefined : workspace.findProject(project) };
    const { tasks: found, leftOut: none } = await findTasks(workspace, filter);
    const matches = ownFirst(found, current.project());
    const page = matches.slice(offset, offset + (limit ?? TASKS));
    const answer = describeTasks(filter, page);
    // People pay for no tokens, but wait for each call.
    const { isPerson } = workspace.history.actor();
    const described = answer.tasks.map((task, at) => ({
      ...(include_content ? withContent(workspace, task) : task),
      ...(isPerson && definedOf({ reason: page[at]?.reason })),
    }));
    const room = isPerson ? Infinity : PAGE_CHARS[limit || include_content ? "large" : "usual"];
    const { tasks, without } = fittingTasks(described, room, limit && !include_content ? SPARE : []);
    const next = offset + tasks.length;
    const fewer = `The answer has room for ${tasks.length} of these ${described.length}: offset ${next} lists the next; a status, owner, tag or project lists fewer.`;
    const shortened = [
      without.length > 0 && `Each task is listed without ${without.join(", ")}: read_doc has them.`,
      tasks.length < described.length && fewer,
    ].filter((text) => text !== false);
    return {
      ...answer,
      total: matches.length,
      tasks,
      ...(next < matches.length && { next_offset: next }),
      ...(shortened.length > 0 && { shortened: shortened.join(" ") }),
      ...(offset === 0 && none.length > 0 && { left_out: leftOutTexts(none) }),
    };
  },
});

/** The tasks of the project that the client works on, then the others. */
function ownFirst(tasks: readonly WorkspaceTask[], own: string | undefined): WorkspaceTask[] {
  const isOwn = ({ project }: WorkspaceTask) => project === own;
  return [...tasks.filter(isOwn), ...tasks.filter((task) => !isOwn(task))];
}

function leftOutTexts(all: readonly LeftOut[]): string[] {
  const texts = all.slice(0, MAX_LEFT_OUT).map(({ path, reason }) => `${listedName(path)}: ${reason}`);
  return all.length > MAX_LEFT_OUT
    ? [...texts, `and ${all.length - MAX_LEFT_OUT} more; \`doctor\` names all`]
    : texts;
}

interface TaskFilter extends FieldFilters {
  /** Must come from findProject. */
  project: string | undefined;
  status?: string | undefined;
  ready: boolean;
  archived: boolean;
}

/** The owner that stands for who asks. */
export const ME = "me";

/** In the order of inWorkOrder; and what is no task. */
export async function findTasks(workspace: Workspace, { owner, ...filter }: TaskFilter) {
  const { tasks, leftOut } = await listAmongTasks(workspace, filter.project, filter);
  const owners = owner === ME ? [ME, ...(await ownNames(workspace))] : [owner];
  const { project } = filter;
  const wanted = project === undefined ? filter : namedParent(workspace.root, project, filter);
  const isMeant = (task: WorkspaceTask) => owners.some((one) => passes(task, { ...wanted, owner: one }));
  return { tasks: inWorkOrder(tasks.filter(isMeant)), leftOut };
}

function passes(task: WorkspaceTask, { status, ready, ...filter }: TaskFilter): boolean {
  return (
    (!ready || task.ready) &&
    (status === undefined || task.status === status) &&
    FILTERS.every(({ name, flag }) => hasValue(task, name, filter[flag]))
  );
}

/** The answer of list_tasks for these tasks. */
export function describeTasks(
  { project, status, ready, archived, ...fields }: TaskFilter,
  tasks: readonly WorkspaceTask[],
) {
  const flags = { ...(ready && { ready }), ...(archived && { archived }) };
  const filter = { status: status ?? null, ...flags, ...definedOf(fields) };
  return { project: project ?? null, filter, total: tasks.length, tasks: tasks.map(listedTask) };
}

function listedTask(task: WorkspaceTask) {
  const { project, path, filename, number, title, status, updated, owner, tags } = task;
  const { objective, progress, dependencies, open_dependencies, missing_dependencies } = task;
  const { ids, claimed_until, order, ready, conflicts, problem, unread, same_number } = task;
  const held_until = task.held_until ?? undefined;
  return {
    project,
    path,
    filename,
    number,
    title,
    status,
    updated,
    owner,
    tags,
    ...definedOf({ ids, claimed_until, held_until, order, ...ownFields(task), conflicts, problem, unread }),
    ready,
    ...(task.overdue && { overdue: true as const }),
    progress,
    dependencies,
    open_dependencies,
    ...(missing_dependencies.length > 0 && { missing_dependencies }),
    ...(same_number.length > 0 && { same_number }),
    objective: objective === null ? null : shorten(objective, MAX_OBJECTIVE),
  };
}

/** All tasks without the first of the spare fields, if they then fill at most `maxChars` of JSON; else the first of them, at least one. */
function fittingTasks<T extends ReturnType<typeof listedTask>>(
  tasks: readonly T[],
  maxChars: number,
  spare: readonly SpareField[],
) {
  const shown: (Omit<T, SpareField> & Partial<Pick<T, SpareField>>)[] = tasks.map((task) => ({ ...task }));
  const without: SpareField[] = [];
  for (const field of spare) {
    if (JSON.stringify(shown).length <= maxChars) break;
    for (const task of shown) delete task[field];
    without.push(field);
  }
  let chars = 0;
  const end = shown.findIndex((task, at) => {
    chars += JSON.stringify(task).length + 1;
    return at > 0 && chars > maxChars;
  });
  return { tasks: end === -1 ? shown : shown.slice(0, end), without };
}

/** No content for a task that was deleted since it was listed. */
function withContent<T extends { path: string }>(workspace: Workspace, task: T) {
  try {
    return { ...task, content: readNamed(workspace.root, { path: task.path }).text };
  } catch {
    return task;
  }
}
