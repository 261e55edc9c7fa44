import { compareText, fold } from "../../../lib/text.ts";
import { isOwnField, TASK_FIELDS, TASK_ORDERS } from "../../../notes/task/fields.ts";
import { inWorkOrder, sortedBy } from "../../../notes/task/order.ts";
import { fieldText, isTaskField } from "../../fields.ts";
import type { Task } from "../../model.ts";

/** The columns of the table. */
export const TABLE_COLUMNS = [
  "number",
  "title",
  "project",
  "status",
  ...TASK_FIELDS,
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
function keyOf(task: Task, by: TableColumn): string {
  if (by === "title" || by === "project") return fold(task[by]);
  if (isTaskField(by)) return fold(fieldText(task, by));
  const { done, total } = task.progress;
  return by === "progress" ? (done / Math.max(total, 1)).toFixed(3) : "";
}

function isEmpty(task: Task, by: TableColumn): boolean {
  if (by === "number") return task.number === null;
  if (!isTaskField(by)) return by === "progress" && task.progress.total === 0;
  const isSettled = task.status === "done" && isOwnField(by);
  return isSettled || fieldText(task, by) === "";
}
