import { lineEnding } from "../markdown/line-endings.ts";
import { taskKeys } from "./dependencies.ts";
import { baseName, parseTaskNumber, withoutMarkdownExtension } from "./names.ts";
import { type StatusLine, statusLines } from "./plan.ts";
import { TASK_STATUSES, type TaskStatus } from "./status.ts";
import { taskReference } from "./task.ts";
import { listItems } from "./words.ts";

interface TaskState {
  filename: string;
  status: string | null;
}

const VALUE = /[:：][*_`]*[ \t]*/;

/**
 * The plan with the lists and counts under Current Status as the tasks are. Items stay as written, and items that are no task
 * stay in their line; all other text stays byte for byte.
 */
export function fixPlan(text: string, bodyOffset: number, tasks: readonly TaskState[]): string {
  const lines = statusLines(text, bodyOffset);
  const names = namesByStatus(itemsIn(text, lines), tasks);
  let fixed = "";
  let from = 0;
  for (const [at, line] of lines.entries()) {
    const isFirst = lines.findIndex(({ status }) => status === line.status) === at;
    const own = isFirst ? names(line.status) : [];
    const free = itemsOf(text, line).filter((item) => isFreeText(item, tasks));
    const wanted = line.count === null ? [...own, ...free].join(", ") || "-" : String(own.length);
    const { start, end } = valueIn(text, line);
    const value = text.slice(start, end);
    const gap = /[ \t*_`]/.test(text[start - 1] ?? "") ? "" : " ";
    fixed += text.slice(from, start) + (isSameList(value, wanted) ? value : gap + wanted);
    from = end;
  }
  return fixed + missingLines(text, lines, names) + text.slice(from);
}

/** The names of the tasks with a status, as the plan writes them. */
function namesByStatus(items: readonly string[], tasks: readonly TaskState[]) {
  const written = new Map<string, string>();
  for (const item of items) {
    const [task, ...others] = tasksNamed(item, tasks);
    if (task !== undefined && others.length === 0) written.set(task.filename, item);
  }
  return (status: TaskStatus) =>
    tasks
      .filter((task) => task.status === status)
      .map(
        ({ filename }) =>
          written.get(filename) ?? parseTaskNumber(filename) ?? withoutMarkdownExtension(filename),
      );
}

/** Behind the last line: those of statuses that tasks have and no line lists. A plan of counts may leave them out. */
function missingLines(
  text: string,
  lines: readonly StatusLine[],
  names: (status: TaskStatus) => string[],
): string {
  const last = lines.at(-1);
  if (last === undefined || lines.every(({ count }) => count !== null)) return "";
  const marker = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(text.slice(last.start, last.next))?.[0] ?? "";
  return TASK_STATUSES.filter((status) => lines.every((line) => line.status !== status))
    .filter((status) => names(status).length > 0)
    .map((status) => `${lineEnding(text)}${marker}${status}: ${names(status).join(", ")}`)
    .join("");
}

function itemsIn(text: string, lines: readonly StatusLine[]): string[] {
  return lines.flatMap((line) => itemsOf(text, line));
}

function itemsOf(text: string, line: StatusLine): string[] {
  if (line.count !== null) return [];
  const { start, end } = valueIn(text, line);
  return listItems(text.slice(start, end)).map((item) => item.text);
}

/** What stands behind the colon, without the line break. */
function valueIn(text: string, { start, next }: StatusLine): { start: number; end: number } {
  const line = text.slice(start, next).trimEnd();
  const label = VALUE.exec(line);
  const at = label === null ? line.length : label.index + label[0].length;
  return { start: start + at, end: start + line.length };
}

function tasksNamed(item: string, tasks: readonly TaskState[]): TaskState[] {
  const [name, number] = taskKeys(baseName(taskReference(item)));
  const by = (key: string | undefined) =>
    key === undefined ? [] : tasks.filter(({ filename }) => taskKeys(filename).includes(key));
  const named = by(name);
  return named.length > 0 ? named : by(number);
}

/** Not a task, and without the number of one. */
function isFreeText(item: string, tasks: readonly TaskState[]): boolean {
  return taskKeys(baseName(taskReference(item))).length === 1 && tasksNamed(item, tasks).length === 0;
}

/** The same items, in whatever order and with whatever remarks. */
function isSameList(before: string, after: string): boolean {
  const key = (value: string) =>
    listItems(value)
      .map((item) => item.text)
      .sort()
      .join("\n");
  return key(before) === key(after);
}
