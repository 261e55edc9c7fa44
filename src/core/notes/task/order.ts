import { compareText } from "../../lib/text.ts";
import { isAssigned, isSameOwner } from "./claim.ts";
import { fieldKey, type TaskFields, type TaskOrder } from "./fields.ts";
import { factsOf, isClosed, isTaskStatus } from "./statuses.ts";

/** The part of a task that its place in a list depends on. */
export interface OrderedTask extends TaskFields {
  project: string;
  path: string;
  number: string | null;
  status: string | null;
  owner: string | null;
  /** Whether work on it can start. */
  ready?: boolean | undefined;
  /** Whether it is open, and its day has passed. */
  overdue?: boolean | undefined;
  /** `YYYY-MM-DD` */
  updated: string;
}

/** A status that is none comes just before the closed ones. */
export const OTHER_RANK = factsOf("done").rank - 0.5;

/**
 * The tasks to work on first, as briefing, list_tasks and claim_task name them: open ones by status, pending ones that `agent` can start
 * before the others, then as in byUrgency; then those of unknown status, then done and cancelled ones, the latest first.
 */
export function inWorkOrder<T extends OrderedTask>(tasks: readonly T[], agent = ""): T[] {
  return sortTasks(tasks, (task) => {
    const { status } = task;
    const rank = isTaskStatus(status) ? factsOf(status).rank : OTHER_RANK;
    return status === "pending" ? rank + waitRank(task, agent) : rank;
  });
}

/** Less than the distance of two statuses. */
function waitRank({ ready = true, ...task }: OrderedTask, agent: string): number {
  if (!ready) return 0.2;
  return isAssigned(task) && !isSameOwner(agent, task.owner) ? 0.1 : 0;
}

/**
 * Tasks whatever their status: those that a person put in order, then overdue ones, then the others by priority (medium if it has none),
 * due date and number.
 */
export function byUrgency<T extends OrderedTask>(tasks: readonly T[]): T[] {
  return sortTasks(tasks, () => 0);
}

/** Open tasks by a field, or all by number or the latest change; in work order where these are the same. */
export function sortedBy<T extends OrderedTask>(tasks: readonly T[], order: TaskOrder): T[] {
  const sign = order === "updated" ? -1 : 1;
  const keyed = inWorkOrder(tasks).map((task) => ({ task, key: orderKey(task, order) }));
  return keyed.sort((a, b) => sign * compareText(a.key, b.key)).map(({ task }) => task);
}

const LAST = "~";

function orderKey(task: OrderedTask, order: TaskOrder): string {
  if (order === "number") return task.number?.padStart(9, "0") ?? LAST;
  if (order === "updated") return task.updated;
  return isClosed(task.status) ? LAST : fieldKey(task, order);
}

function sortTasks<T extends OrderedTask>(tasks: readonly T[], rankOf: (task: T) => number): T[] {
  const keyed = tasks.map((task) => {
    const rank = rankOf(task);
    const isDone = isClosed(task.status);
    const number = task.number === null ? Number.POSITIVE_INFINITY : Number(task.number) * (isDone ? -1 : 1);
    const order = (isDone ? undefined : task.order) ?? Number.MAX_VALUE;
    const urgency = isDone ? "" : urgencyKey(task);
    return { task, rank, order, urgency, number, finished: isDone ? task.updated : "" };
  });
  keyed.sort(
    (a, b) =>
      a.rank - b.rank ||
      a.order - b.order ||
      compareText(a.urgency, b.urgency) ||
      compareText(b.finished, a.finished) ||
      compareText(a.task.project, b.task.project) ||
      (a.number === b.number ? 0 : a.number - b.number) ||
      compareText(a.task.path, b.task.path),
  );
  return keyed.map(({ task }) => task);
}

function urgencyKey(task: OrderedTask): string {
  return [task.overdue ? "0" : "1", fieldKey(task, "priority"), fieldKey(task, "due")].join(" ");
}
