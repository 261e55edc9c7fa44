import { compareText, fold } from "../../../core/lib/text.ts";
import { fieldKey, isOwnField, TASK_FIELDS } from "../../../core/notes/task/fields.ts";
import { inWorkOrder, OTHER_RANK } from "../../../core/notes/task/order.ts";
import { factsOf, isClosed, isTaskStatus } from "../../../core/notes/task/statuses.ts";
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

/** The column that an address names. */
export function tableSortOf(text: string | undefined): TableColumn | undefined {
  return TABLE_COLUMNS.find((one) => one === text);
}

/** The tasks by a column, in work order where it is the same or without one; those that have nothing there come last, always. */
export function sortTable(tasks: readonly Task[], by: TableColumn | undefined): Task[] {
  const ordered = inWorkOrder(tasks);
  if (by === undefined) return ordered;
  // The latest change comes first.
  const sign = by === "updated" ? -1 : 1;
  const keyed = ordered.map((task) => ({ task, key: keyOf(task, by) }));
  const filled = keyed.filter(({ key }) => key !== "").sort((a, b) => sign * compareText(a.key, b.key));
  return [...filled, ...keyed.filter(({ key }) => key === "")].map(({ task }) => task);
}

/** `""` if there is nothing. */
function keyOf(task: Task, by: TableColumn): string {
  const { number, status, updated } = task;
  const { done, total } = task.progress;
  if (by === "number") return number?.padStart(9, "0") ?? "";
  if (by === "progress") return total === 0 ? "" : (done / total).toFixed(3);
  if (by === "status") return isTaskStatus(status) ? `${factsOf(status).rank}` : `${OTHER_RANK}`;
  if (by === "updated") return updated;
  if (!isTaskField(by)) return fold(task[by]);
  const text = fieldText(task, by);
  if (text === "" || !isOwnField(by)) return fold(text);
  return isClosed(status) ? "" : fieldKey(task, by);
}
