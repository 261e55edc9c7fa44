import { cutColumns, padColumns, wrapColumns } from "../lib/width.ts";
import { formatTaskNumber, taskName } from "../notes/names.ts";
import { taskKeys } from "../notes/task/dependencies.ts";
import { isOverdue, saidFields } from "../notes/task/fields.ts";
import { isTaskStatus, type TaskStatus } from "../notes/task/statuses.ts";
import type { WorkspaceTask } from "../workspace/tasks.ts";
import { oneLine, type Paint } from "./terminal.ts";

export interface Layout {
  /** Width of the terminal. */
  columns: number;
  /** Maximum number of cards per status. */
  cards: number;
  /** The statuses that a filter leaves. */
  statuses: readonly TaskStatus[];
  paint: Paint;
  /** `YYYY-MM-DD` */
  today: string;
  /** Whether the order of the tasks counts; else ready ones come first, behind those that a person put in order. */
  isSorted: boolean;
}

const GAP = 2;
const TITLE_LINES = 3;
const NOTE_LINES = 3;
/** In narrower columns, most words and counts would be cut. */
const MIN_WIDTH = 17;

/** A line of a column, not yet padded, and its style. */
interface Line {
  text: string;
  format?: Parameters<Paint>[0];
}

/** The tasks of one project by status, side by side if there is room; other statuses follow below. */
export function renderBoard(tasks: readonly WorkspaceTask[], layout: Layout): string {
  const { statuses, paint } = layout;
  const width = Math.floor((layout.columns - GAP * (statuses.length - 1)) / statuses.length);
  const isStack = statuses.length === 1 || width < MIN_WIDTH;
  const columns = statuses.map((status) => column(tasks, status, { ...layout, width, isStack }));
  const rows = isStack
    ? columns.flatMap((lines) => [...lines.map((line) => painted(line, paint)), ""]).slice(0, -1)
    : Array.from({ length: Math.max(...columns.map((lines) => lines.length)) }, (_, at) =>
        row(
          columns.map((lines) => painted(lines[at], paint)),
          width,
        ),
      );
  const others = tasks.filter(({ status }) => !isTaskStatus(status));
  const rest = others.flatMap((task) =>
    wrapColumns(
      `${label(task)}  ${paint("dim", oneLine(task.status ?? "(no status)"))}`,
      layout.columns,
      indentOf(task),
    ),
  );
  const other = rest.length > 0 ? `\n\nOTHER (${others.length})\n${rest.join("\n")}` : "";
  return `${rows.join("\n").trimEnd()}${other}\n`;
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

function tasksWith(
  tasks: readonly WorkspaceTask[],
  status: TaskStatus,
  { isSorted }: Layout,
): WorkspaceTask[] {
  const own = tasks.filter((task) => task.status === status);
  if (isSorted || status === "done") return own;
  const isFirst = ({ ready, order }: WorkspaceTask) => ready || order !== undefined;
  return [...own.filter(isFirst), ...own.filter((task) => !isFirst(task))];
}

function column(
  tasks: readonly WorkspaceTask[],
  status: TaskStatus,
  { width, isStack, ...layout }: Layout & { width: number; isStack: boolean },
): Line[] {
  const own = tasksWith(tasks, status, layout);
  const more = own.length - layout.cards;
  return [
    { text: `${status.replace("-", " ").toUpperCase()} (${own.length})`, format: "bold" },
    ...(isStack ? [] : [{ text: "─".repeat(width), format: "dim" } as const]),
    ...own
      .slice(0, layout.cards)
      .flatMap((task) => (isStack ? stackedCard(task, layout) : card(task, width, layout.today))),
    ...(more > 0 ? [{ text: `+ ${more} more`, format: "dim" } as const] : []),
  ];
}

function stackedCard(task: WorkspaceTask, { columns, paint, today }: Layout): Line[] {
  const text = `${label(task)}  ${paint(formatOf(task, today), note(task, today))}`;
  return wrapColumns(text, columns, indentOf(task)).map((line) => ({ text: line }));
}

function card(task: WorkspaceTask, width: number, today: string): Line[] {
  const indent = indentOf(task);
  const titles = cell(wrapColumns(label(task), width, indent), width, TITLE_LINES);
  const notes = cell(wrapColumns(note(task, today), width - indent), width - indent, NOTE_LINES);
  const format = formatOf(task, today);
  return [
    ...titles.map((text) => ({ text })),
    ...notes.filter(Boolean).map((line) => ({ text: " ".repeat(indent) + line, format }) as const),
    { text: "" },
  ];
}

/** Cuts words that are wider than a column, and lines after the last one. */
function cell(lines: readonly string[], width: number, most: number): string[] {
  const shown = lines.slice(0, most).map((line) => cutColumns(line, width));
  return lines.length > most ? [...shown.slice(0, -1), cutColumns(`${shown.at(-1)} …`, width)] : shown;
}

function label(task: WorkspaceTask): string {
  const name = taskName(task);
  return oneLine(task.number === null ? `${name} (${task.filename})` : name);
}

/** Where a title continues: under its first word. */
function indentOf({ number }: WorkspaceTask): number {
  return number === null ? GAP : number.length + 1;
}

function formatOf(task: WorkspaceTask, today: string): "red" | "green" | "dim" {
  if (task.status !== "done" && isOverdue(task, today)) return "red";
  return task.ready ? "green" : "dim";
}

/** Its progress, then `ready` or what it waits for, its fields and its owner. */
function note(task: WorkspaceTask, today: string): string {
  const { status, ready, progress, open_dependencies: open, owner } = task;
  const steps = progress.total === 0 ? "" : `${progress.done}/${progress.total}`;
  const waits = status === "done" || open.length === 0 ? "" : `waits for ${open.map(reference).join(", ")}`;
  const fields = status === "done" ? [] : saidFields(task, today, "note");
  return [steps, ready ? "ready" : waits, ...fields, oneLine(owner ?? "")].filter(Boolean).join(" · ");
}

/** A task by its number, if it has one. */
function reference(task: string): string {
  const [, number] = taskKeys(task);
  return number === undefined ? oneLine(task) : formatTaskNumber(Number(number.slice(1)));
}

function painted({ text, format }: Line = { text: "" }, paint: Paint): string {
  return format === undefined ? text : paint(format, text);
}

function row(cells: readonly string[], width: number): string {
  return cells
    .map((cell) => padColumns(cell, width))
    .join(" ".repeat(GAP))
    .trimEnd();
}
