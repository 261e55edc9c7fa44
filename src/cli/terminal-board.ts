import { padColumns, wrapColumns } from "../core/lib/width.ts";
import { formatTaskNumber, taskName } from "../core/notes/names.ts";
import { taskKeys } from "../core/notes/task/dependencies.ts";
import { isOverdue, saidFields } from "../core/notes/task/fields.ts";
import { isClosed, isTaskStatus, type TaskStatus } from "../core/notes/task/statuses.ts";
import type { WorkspaceTask } from "../core/workspace/tasks.ts";
import { oneLine, type Paint } from "./terminal.ts";

export interface Layout {
  /** Width of the terminal. */
  columns: number;
  /** Maximum number of tasks per status. */
  cards: number;
  /** The statuses that a filter leaves. */
  statuses: readonly TaskStatus[];
  paint: Paint;
  /** `YYYY-MM-DD` */
  today: string;
}

/** The tasks of one project, status by status. */
export function renderBoard(tasks: readonly WorkspaceTask[], layout: Layout): string {
  const { columns, statuses, paint } = layout;
  const groups = statuses.map((status) => group(tasks, status, layout));
  const others = tasks.filter(({ status }) => !isTaskStatus(status));
  const rest = others.map((task) =>
    hanging(task, paint("dim", oneLine(task.status ?? "(no status)")), columns),
  );
  const all = rest.length > 0 ? [...groups, [`OTHER (${others.length})`, ...rest]] : groups;
  return `${all.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** One line per task: status, path, title and note, for pipes. */
export function renderList(
  tasks: readonly WorkspaceTask[],
  { paint, today }: Pick<Layout, "paint" | "today">,
): string {
  const lines = tasks.map((task) => {
    const status = padColumns(oneLine(task.status ?? "-"), 11);
    return `${status}  ${paint("bold", oneLine(task.path))}  ${oneLine(task.title)}  ${note(task, today)}`.trimEnd();
  });
  return lines.map((line) => `${line}\n`).join("");
}

function group(tasks: readonly WorkspaceTask[], status: TaskStatus, layout: Layout): string[] {
  const { columns, cards, paint, today } = layout;
  const own = tasks.filter((task) => task.status === status);
  const more = own.length - cards;
  return [
    paint("bold", `${status.replace("-", " ").toUpperCase()} (${own.length})`),
    ...own
      .slice(0, cards)
      .map((task) => hanging(task, paint(formatOf(task, today), note(task, today)), columns)),
    ...(more > 0 ? [paint("dim", `+ ${more} more`)] : []),
  ];
}

/** A task and a note, which go on under the first word of its title. */
function hanging(task: WorkspaceTask, text: string, columns: number): string {
  const indent = task.number === null ? 2 : task.number.length + 1;
  return wrapColumns(`${label(task)}  ${text}`, columns, indent).join("\n");
}

function label(task: WorkspaceTask): string {
  const name = taskName(task);
  return oneLine(task.number === null ? `${name} (${task.filename})` : name);
}

function formatOf(task: WorkspaceTask, today: string): "red" | "green" | "dim" {
  if (!isClosed(task.status) && isOverdue(task, today)) return "red";
  return task.ready ? "green" : "dim";
}

/** Its progress, then `ready` or what it waits for, its fields and its owner. */
function note(task: WorkspaceTask, today: string): string {
  const { status, ready, progress, open_dependencies: open, owner } = task;
  const steps = progress.total === 0 ? "" : `${progress.done}/${progress.total}`;
  const waits = isClosed(status) || open.length === 0 ? "" : `waits for ${open.map(reference).join(", ")}`;
  const fields = isClosed(status) ? [] : saidFields(task, today, "note");
  return [steps, ready ? "ready" : waits, ...fields, oneLine(owner ?? "")].filter(Boolean).join(" · ");
}

/** A task by its number, if it has one. */
function reference(task: string): string {
  const [, number] = taskKeys(task);
  return number === undefined ? oneLine(task) : formatTaskNumber(Number(number.slice(1)));
}
