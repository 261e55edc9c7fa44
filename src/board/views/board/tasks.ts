import { groupBy } from "../../../core/lib/collections.ts";
import { fold } from "../../../core/lib/text.ts";
import { FILTERS, hasValue, isOverdue, type TaskField } from "../../../core/notes/task/fields.ts";
import { byUrgency } from "../../../core/notes/task/order.ts";
import {
  BOARD_STATUSES,
  isClosed,
  isTaskStatus,
  shownStatuses,
  type TaskStatus,
} from "../../../core/notes/task/statuses.ts";
import { isDueSoon } from "../../due.ts";
import { fieldText, isList } from "../../fields.ts";
import type { Task } from "../../model.ts";
import { sortTable, type TableColumn } from "./table-order.ts";

const FIELDS = ["project", "text", ...FILTERS.map(({ flag }) => flag), "state"] as const;

/**
 * What the board shows; a field that is empty or missing filters nothing. All but project, text and tags may hold several values
 * (`chosenIn`), of which one must fit.
 */
export type Filter = Readonly<Partial<Record<(typeof FIELDS)[number], string | undefined>>>;

export const STATES = ["ready", "waiting", "overdue", "due"] as const;

/** The value for tasks that have none. */
export const NONE = "-";

export function chosenIn(text = ""): string[] {
  return text.split(",").filter((value) => value !== "");
}

/** The filter in the parameters of an address. */
export function filterOf(parameters: Readonly<Record<string, string>>): Filter {
  return Object.fromEntries(FIELDS.map((field) => [field, parameters[field]]));
}

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => !!value);
}

/** Tasks of no known status are in `other`. */
export interface Column {
  status: TaskStatus | "other";
  tasks: readonly Task[];
}

/** `today` is YYYY-MM-DD. */
export function filterTasks(tasks: readonly Task[], filter: Filter, today = ""): Task[] {
  const { project, text } = filter;
  const words = foldedWords(text ?? "");
  return tasks.filter(
    (task) =>
      (!project || task.project === project) &&
      FILTERS.every(({ name, flag }) => isFound(task, name, filter[flag])) &&
      isOneOf(filter.state, (state) => isIn(task, state, today)) &&
      (words.length === 0 || hasAll(task, words)),
  );
}

/** Tags may hold commas. */
function isFound(task: Task, name: TaskField, wanted: string | undefined): boolean {
  if (isList(name)) return hasValue(task, name, wanted || undefined);
  return isOneOf(wanted, (value) =>
    value === NONE ? fieldText(task, name) === "" : hasValue(task, name, value),
  );
}

function isOneOf(values: string | undefined, fits: (value: string) => boolean): boolean {
  const wanted = chosenIn(values);
  return wanted.length === 0 || wanted.some(fits);
}

function isIn(task: Task, state: string, today: string): boolean {
  const isOpen = !isClosed(task.status);
  if (state === "ready") return task.ready;
  if (state === "waiting") return isOpen && task.open_dependencies.length > 0;
  if (state === "overdue") return isOpen && isOverdue(task, today);
  return state === "due" && isDueSoon(task, today);
}

function hasAll(task: Task, words: readonly string[]): boolean {
  const { number, title, objective, owner, tags, filename } = task;
  const texts = [number, title, objective, owner, ...tags.map((tag) => `#${tag}`), filename];
  return hasWords(texts.join("\n"), words);
}

/** Without case and accents, for `hasWords`. */
export function foldedWords(text: string): string[] {
  return fold(text).split(/\s+/).filter(Boolean);
}

/** Whether a text has all of these folded words, or parts of words. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

/**
 * The columns, with those that are asked for, and one for other statuses if a task has one; each by urgency or sorted. Done starts with the tasks of
 * `finished`, whose last path is the latest.
 */
export function columnsOf(
  tasks: readonly Task[],
  {
    finished = [],
    asked = [],
    sort,
  }: { finished?: readonly string[]; asked?: readonly TaskStatus[]; sort?: TableColumn | undefined } = {},
): Column[] {
  const byColumn = groupBy(sort === undefined ? byUrgency(tasks) : sortTable(tasks, sort), columnOf);
  const columns = [...shownStatuses(tasks, asked), "other" as const].map((status) => {
    const own = byColumn.get(status) ?? [];
    return { status, tasks: status === "done" && sort === undefined ? lastFirst(own, finished) : own };
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

/** What a task gets where its card is dropped: by the column and its place. */
export interface Move {
  status?: TaskStatus;
  order?: number;
}

/** By path. */
export type Moves = Readonly<Record<string, Move>>;

export function changes(fields: Move, task: Task): boolean {
  return Object.entries(fields).some(([name, value]) => task[name as keyof Move] !== value);
}

/** The tasks as they are shown while the server is asked to move some. */
export function withMoves(tasks: readonly Task[], moves: Moves): readonly Task[] {
  if (Object.keys(moves).length === 0) return tasks;
  return tasks.map((task) => {
    const move = moves[task.path];
    if (move === undefined || !changes(move, task)) return task;
    const moved = { ...task, ...move };
    return { ...moved, ready: task.ready && moved.status === "pending" };
  });
}

/** Tags are the same whatever their case. */
export function changedTags(
  before: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const known = new Set(removed.map((tag) => tag.toLowerCase()));
  return [...before, ...added].filter((tag) => {
    const isNew = !known.has(tag.toLowerCase());
    known.add(tag.toLowerCase());
    return isNew;
  });
}
