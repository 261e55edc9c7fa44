import { groupBy } from "../../../lib/collections.ts";
import { compareText, fold } from "../../../lib/text.ts";
import { BOARD_STATUSES, isTaskStatus, shownStatuses, type TaskStatus } from "../../../notes/statuses.ts";
import { byUrgency } from "../../../notes/task-order.ts";
import type { Task } from "../../model.ts";

/** What the board shows; a field that is empty or missing filters nothing. */
export type Filter = Readonly<Partial<Record<"project" | "text" | "tag" | "owner", string | undefined>>>;

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => !!value);
}

/** Tasks of no known status are in `other`. */
export interface Column {
  status: TaskStatus | "other";
  tasks: readonly Task[];
}

export function filterTasks(tasks: readonly Task[], { project, text, tag, owner }: Filter): Task[] {
  const words = fold(text ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  return tasks.filter(
    (task) =>
      (!project || task.project === project) &&
      (!tag || task.tags.includes(tag)) &&
      (!owner || task.owner === owner) &&
      (words.length === 0 || hasAll(task, words)),
  );
}

function hasAll(task: Task, words: readonly string[]): boolean {
  const { number, title, objective, owner, tags, filename } = task;
  const text = fold([number, title, objective, owner, ...tags.map((tag) => `#${tag}`), filename].join("\n"));
  return words.every((word) => text.includes(word));
}

/**
 * The columns, with those that are asked for, and one for other statuses if a task has one; each in the order of list_tasks. Done starts with the tasks of
 * `finished`, whose last path is the latest.
 */
export function columnsOf(
  tasks: readonly Task[],
  finished: readonly string[] = [],
  asked: readonly TaskStatus[] = [],
): Column[] {
  const byColumn = groupBy(byUrgency(tasks), columnOf);
  const columns = [...shownStatuses(tasks, asked), "other" as const].map((status) => {
    const own = byColumn.get(status) ?? [];
    return { status, tasks: status === "done" ? lastFirst(own, finished) : own };
  });
  return columns.filter(({ status, tasks: own }) => status !== "other" || own.length > 0);
}

export function columnOf({ status }: Pick<Task, "status">): Column["status"] {
  return isTaskStatus(status) ? status : "other";
}

function lastFirst(tasks: readonly Task[], finished: readonly string[]): Task[] {
  return [...tasks].sort((a, b) => finished.indexOf(b.path) - finished.indexOf(a.path));
}

/** The status of the shown column `step` to the right (-1: to the left); a task of another status is right of all. */
export function neighbour(
  status: Column["status"],
  step: 1 | -1,
  isShown: (status: TaskStatus) => boolean,
): TaskStatus | undefined {
  const shown = BOARD_STATUSES.filter((one) => one === status || isShown(one));
  const at = status === "other" ? shown.length : shown.indexOf(status);
  return shown[at + step];
}

/** The tasks as they are shown while the server is asked to move some; `moves` gives statuses by path. */
export function withMoves(
  tasks: readonly Task[],
  moves: Readonly<Record<string, TaskStatus>>,
): readonly Task[] {
  if (Object.keys(moves).length === 0) return tasks;
  return tasks.map((task) => {
    const status = moves[task.path];
    return status === undefined || status === task.status
      ? task
      : { ...task, status, ready: task.ready && status === "pending" };
  });
}

/** The tags and owners to choose from. */
export function choicesOf(tasks: readonly Task[]): { tags: string[]; owners: string[] } {
  const tags = new Set(tasks.flatMap((task) => task.tags));
  const owners = new Set(tasks.flatMap(({ owner }) => owner ?? []));
  return { tags: [...tags].sort(compareText), owners: [...owners].sort(compareText) };
}

/** The paths of tasks by their project. */
export function pathsByProject(tasks: readonly Task[]): Map<string, string[]> {
  const groups = groupBy(tasks, ({ project }) => project);
  return new Map([...groups].map(([project, own]) => [project, own.map(({ path }) => path)]));
}
