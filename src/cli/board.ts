import { cutColumns, padColumns, wrapColumns } from "../lib/width.ts";
import { isTaskStatus, type TaskStatus } from "../notes/status.ts";
import type { WorkspaceTask } from "../workspace/tasks.ts";
import { oneLine, type Paint } from "./terminal.ts";

export interface Layout {
  /** Width of the terminal. */
  columns: number;
  /** Maximum number of cards per column. */
  cards: number;
  paint: Paint;
}

const TITLES: Record<TaskStatus, string> = {
  pending: "PENDING",
  "in-progress": "IN PROGRESS",
  blocked: "BLOCKED",
  done: "DONE",
};
const ORDER = ["pending", "in-progress", "blocked", "done"] as const;
const GAP = 2;
const TITLE_LINES = 3;

/** A line of a column, not yet padded, and its style. */
interface Line {
  text: string;
  format?: Parameters<Paint>[0];
}

/** The tasks of one project in four columns by status, ready ones first; other statuses follow below. */
export function renderBoard(tasks: readonly WorkspaceTask[], layout: Layout): string {
  const width = Math.floor((layout.columns - GAP * (ORDER.length - 1)) / ORDER.length);
  const columns = ORDER.map((status) =>
    column(tasksWith(tasks, status), { status, width, cards: layout.cards }),
  );
  const height = Math.max(...columns.map((lines) => lines.length));
  const rows = Array.from({ length: height }, (_, at) =>
    row(
      columns.map((lines) => lines[at]),
      width,
      layout.paint,
    ),
  );
  const others = tasks.filter(({ status }) => !isTaskStatus(status));
  const rest = others.map(
    (task) => `${label(task)}  ${layout.paint("dim", oneLine(task.status ?? "(no status)"))}`,
  );
  return `${[...rows, ...(rest.length > 0 ? ["", "OTHER", ...rest] : [])].join("\n")}\n`;
}

/** One line per task: status, mark, progress, path and title, for pipes and narrow terminals. */
export function renderList(tasks: readonly WorkspaceTask[], paint: Paint): string {
  const lines = tasks.map((task) => {
    const status = padColumns(oneLine(task.status ?? "-"), 11);
    return `${status}  ${paint("bold", oneLine(task.path))}  ${oneLine(task.title)}  ${note(task)}`.trimEnd();
  });
  return `${lines.join("\n")}\n`;
}

function tasksWith(tasks: readonly WorkspaceTask[], status: TaskStatus): WorkspaceTask[] {
  const own = tasks.filter((task) => task.status === status);
  return [...own.filter(({ ready }) => ready), ...own.filter(({ ready }) => !ready)];
}

function column(
  tasks: readonly WorkspaceTask[],
  { status, width, cards }: { status: TaskStatus; width: number; cards: number },
): Line[] {
  const shown = tasks.slice(0, cards);
  const more = tasks.length - shown.length;
  return [
    { text: cutColumns(`${TITLES[status]} (${tasks.length})`, width), format: "bold" },
    { text: "─".repeat(width), format: "dim" },
    ...shown.flatMap((task) => card(task, width)),
    ...(more > 0 ? [{ text: `+ ${more} more`, format: "dim" } as const] : []),
  ];
}

function card(task: WorkspaceTask, width: number): Line[] {
  const titles = wrapColumns(label(task), width, TITLE_LINES).map((text) => ({ text }));
  const text = note(task);
  const format = task.ready ? "green" : "dim";
  const notes =
    text === ""
      ? []
      : wrapColumns(text, width - 2, 2).map((line) => ({ text: `  ${line}`, format }) as const);
  return [...titles, ...notes, { text: "" }];
}

function label({ number, filename, title }: WorkspaceTask): string {
  return oneLine(number === null ? `${title} (${filename})` : `${number} ${title}`);
}

/** `ready` or what it waits for, then its progress. */
function note({ status, ready, progress, open_dependencies: open }: WorkspaceTask): string {
  const state = ready
    ? "ready"
    : status === "done" || open.length === 0
      ? ""
      : `waits for ${open.map(oneLine).join(", ")}`;
  const steps = progress.total === 0 ? "" : `${progress.done}/${progress.total}`;
  return [state, steps].filter((part) => part !== "").join(" · ");
}

function row(cells: readonly (Line | undefined)[], width: number, paint: Paint): string {
  const texts = cells.map((line = { text: "" }) => {
    const text = line.format === undefined ? line.text : paint(line.format, line.text);
    return padColumns(text, width);
  });
  return texts.join(" ".repeat(GAP)).trimEnd();
}
