import { withoutMarkdownExtension } from "../lib/file-names.ts";
import { lineEnding } from "../markdown/line-endings.ts";
import { eachLine, isBlank, type Line } from "../markdown/lines.ts";
import { byReference, taskKeys, tasksByKey } from "./dependencies.ts";
import { parseTaskNumber } from "./names.ts";
import { isCount, plannedReference, type StatusLine, statusLines } from "./plan.ts";
import { listItems } from "./short-text.ts";
import { TASK_STATUSES, type TaskStatus } from "./statuses.ts";

interface TaskState {
  filename: string;
  status: string | null;
}

type TasksByKey = ReturnType<typeof tasksByKey<TaskState>>;

const MARKER = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/;
const VALUE = /[:：][*_`]*[ \t]*/;

/**
 * The plan with the lists and counts under Current Status as the tasks are. Items stay as written, and items that are no task
 * stay in their line; all other text stays byte for byte.
 */
export function fixPlan(text: string, bodyOffset: number, tasks: readonly TaskState[]): string {
  const lines = statusLines(text, bodyOffset);
  const byKey = tasksByKey(tasks, ({ filename }) => filename);
  const namesOf = namesByStatus(itemsIn(text, lines), tasks, byKey);
  const firstLines = new Map([...lines].reverse().map((line) => [line.status, line]));
  let fixed = "";
  let from = 0;
  for (const line of lines) {
    const own = firstLines.get(line.status) === line ? namesOf(line.status) : [];
    const free = itemsOf(text, line).filter((item) => isFreeText(item.text, byKey));
    const wanted = line.count === null ? listOf(own, free) : String(own.length);
    const { start, end } = valueIn(text, line);
    const value = text.slice(start, end);
    const gap = /[ \t*_`]/.test(text[start - 1] ?? "") ? "" : " ";
    const isKept = isSameList(value, wanted) || hasListBelow(text, line);
    fixed += text.slice(from, start) + (isKept ? value : gap + wanted);
    from = end;
  }
  const end = endOfLists(text, lines.at(-1));
  return fixed + text.slice(from, end) + missingLines(text, lines, namesOf) + text.slice(end);
}

interface Name {
  /** As the plan writes it, else the number. */
  short: string;
  file: string;
}

/** The names of the tasks with a status. */
function namesByStatus(items: readonly Item[], tasks: readonly TaskState[], byKey: TasksByKey) {
  const written = new Map<string, string>();
  for (const item of items) {
    const named = byReference(byKey, plannedReference(item.text)) ?? [];
    const [task] = named;
    if (task !== undefined && named.length === 1) written.set(task.filename, item.written);
  }
  return (status: TaskStatus): Name[] =>
    tasks
      .filter((task) => task.status === status)
      .map(({ filename }) => {
        const file = withoutMarkdownExtension(filename);
        return { short: written.get(filename) ?? parseTaskNumber(filename) ?? file, file };
      });
}

/** A lone `100` would be read as a number of tasks. */
function listOf(names: readonly Name[], free: readonly Item[]): string {
  const list = [...names.map(({ short }) => short), ...free.map(({ written }) => written)].join(", ");
  return (isCount(list) ? names[0]?.file : list) || "-";
}

/** Behind the last line: those of statuses that tasks have and no line lists. A plan of counts may leave them out. */
function missingLines(text: string, lines: readonly StatusLine[], namesOf: ReturnType<typeof namesByStatus>) {
  const last = lines.at(-1);
  if (last === undefined || lines.every(({ count }) => count !== null)) return "";
  const marker = MARKER.exec(text.slice(last.start, last.next))?.[0] ?? "";
  return TASK_STATUSES.filter((status) => lines.every((line) => line.status !== status))
    .filter((status) => namesOf(status).length > 0)
    .map((status) => `${lineEnding(text)}${marker}${status}: ${listOf(namesOf(status), [])}`)
    .join("");
}

/** True for a label without a value above a nested list, which is for a person to change. */
function hasListBelow(text: string, line: StatusLine): boolean {
  const { start, end } = valueIn(text, line);
  return start === end && nestedLines(text, line).length > 0;
}

/** Where the last line ends, before its line break, with the list nested under it. */
function endOfLists(text: string, last: StatusLine | undefined): number {
  if (last === undefined) return text.length;
  const end = nestedLines(text, last).at(-1)?.end ?? last.next;
  return last.start + text.slice(last.start, end).trimEnd().length;
}

function nestedLines(text: string, { start, next }: StatusLine): Line[] {
  const indent = widthOf(text.slice(start, next));
  const nested: Line[] = [];
  for (const line of eachLine(text, next)) {
    if (isBlank(line.text) || widthOf(line.text) <= indent) break;
    nested.push(line);
  }
  return nested;
}

function widthOf(line: string): number {
  return line.length - line.trimStart().length;
}

type Item = Pick<ReturnType<typeof listItems>[number], "text" | "written">;

function itemsIn(text: string, lines: readonly StatusLine[]): Item[] {
  return lines.flatMap((line) => itemsOf(text, line));
}

function itemsOf(text: string, line: StatusLine): Item[] {
  if (line.count !== null) return [];
  const { start, end } = valueIn(text, line);
  return listItems(text.slice(start, end));
}

/** What stands behind the colon, without the line break. */
function valueIn(text: string, { start, next }: StatusLine): { start: number; end: number } {
  const line = text.slice(start, next).trimEnd();
  const label = VALUE.exec(line);
  const at = label === null ? line.length : label.index + label[0].length;
  return { start: start + at, end: start + line.length };
}

/** Not a task, and without the number of one. */
function isFreeText(item: string, byKey: TasksByKey): boolean {
  const reference = plannedReference(item);
  return taskKeys(reference).length === 1 && byReference(byKey, reference) === undefined;
}

/** Whether both lists have the same items, in whatever order and with whatever remarks. */
function isSameList(before: string, after: string): boolean {
  const key = (value: string) =>
    listItems(value)
      .map((item) => item.text)
      .sort()
      .join("\n");
  return key(before) === key(after);
}
