import { compareText, fold } from "../../../lib/text.ts";
import { TASK_ORDERS } from "../../../notes/task/fields.ts";
import { inWorkOrder, sortedBy } from "../../../notes/task/order.ts";
import type { Task } from "../../model.ts";

/** The columns of the table. */
export const TABLE_COLUMNS = [
  "number",
  "title",
  "project",
  "status",
  "priority",
  "due",
  "owner",
  "tags",
  "progress",
  "updated",
] as const;
export type TableColumn = (typeof TABLE_COLUMNS)[number];

/** `due` and `-due` in an address. */
export interface TableSort {
  by: TableColumn;
  isReversed: boolean;
}

export function tableSortOf(text = ""): TableSort | undefined {
  const isReversed = text.startsWith("-");
  const by = TABLE_COLUMNS.find((one) => one === text.slice(isReversed ? 1 : 0));
  return by && { by, isReversed };
}

/** The tasks by a column, in work order where it is the same or without one; those that have nothing there come last, always. */
export function sortTable(tasks: readonly Task[], sort: TableSort | undefined): Task[] {
  if (sort === undefined) return inWorkOrder(tasks);
  const { by, isReversed } = sort;
  const sorted = sortedByColumn(tasks, by);
  const isFilled = (task: Task) => !isEmpty(task, by);
  const filled = sorted.filter(isFilled);
  return [...(isReversed ? filled.reverse() : filled), ...sorted.filter((task) => isEmpty(task, by))];
}

function sortedByColumn(tasks: readonly Task[], by: TableColumn): Task[] {
  const order = TASK_ORDERS.find((one) => one === by);
  if (order !== undefined) return sortedBy(tasks, order);
  const keyed = inWorkOrder(tasks).map((task) => ({ task, key: keyOf(task, by) }));
  return keyed.sort((a, b) => compareText(a.key, b.key)).map(({ task }) => task);
}

/** Tasks in work order have that of their status. */
function keyOf({ title, project, owner, tags, progress }: Task, by: TableColumn): string {
  const texts: Partial<Record<TableColumn, string>> = {
    title,
    project,
    owner: owner ?? "",
    tags: tags.join(" "),
    progress: (progress.done / Math.max(progress.total, 1)).toFixed(3),
  };
  return fold(texts[by] ?? "");
}

function isEmpty({ number, due, owner, priority, tags, progress, status }: Task, by: TableColumn): boolean {
  if (by === "number") return number === null;
  if (by === "due") return due === undefined || status === "done";
  if (by === "owner") return owner === null;
  if (by === "priority") return priority === undefined || status === "done";
  if (by === "tags") return tags.length === 0;
  return by === "progress" && progress.total === 0;
}
