import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { baseName } from "../names.ts";
import { splitList } from "../short-text.ts";
import { taskKeys } from "../task/dependencies.ts";
import { taskReference } from "../task/reference.ts";
import { normalizeStatus } from "../task/status-word.ts";
import {
  BOARD_STATUSES,
  factsOf,
  isShown,
  isTaskStatus,
  TASK_STATUSES,
  type TaskStatus,
  WORK_ORDER,
} from "../task/statuses.ts";
import { oneOf } from "../words/languages.ts";
import { findNamedSection, type Outline, outlineOf, SECTION_NAMES } from "../words/section-names.ts";

/** The counts of the lines under Current Status; `task_count` is their sum. */
export interface ParsedPlan extends Record<Bucket, number> {
  overview: string;
  task_count: number;
}

/** How many tasks have each status; `total` counts those of another status, too. */
export interface TaskCounts extends Record<Bucket, number> {
  total: number;
}

/** The name of a status in counts. */
export type Bucket<S extends TaskStatus = TaskStatus> = S extends `${infer A}-${infer B}` ? `${A}_${B}` : S;

/** A line under Current Status, at `[start, next)`: it lists tasks, or counts them. */
export interface StatusLine {
  status: TaskStatus;
  tasks: string[];
  /** Null for a list. */
  count: number | null;
  start: number;
  next: number;
}

const LIST_MARKER = /^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]/;
// `003` is a task number, `3` is a count.
const COUNT = new RegExp(`^(0|[1-9]\\d{0,8})(?: ?${oneOf(({ counted }) => counted)})?\\.?$`, "i");

export function parsePlan(text: string, bodyOffset: number): ParsedPlan {
  const outline = outlineOf(text, bodyOffset);
  const overview = findNamedSection(outline, SECTION_NAMES.overview);
  const counts = noTasks();
  for (const line of linesOf(outline)) counts[bucketOf(line.status)] += line.count ?? line.tasks.length;
  return {
    overview: overview === null ? "" : text.slice(overview.bodyStart, overview.end).trim(),
    task_count: BUCKETS.reduce((sum, bucket) => sum + counts[bucket], 0),
    ...counts,
  };
}

/** The task that an item under Current Status names: a plan may name its own tasks by their path. */
export function plannedReference(item: string): string {
  return baseName(taskReference(item));
}

export function countTasks(tasks: readonly { status: string | null }[]): TaskCounts {
  const counts = noTasks();
  for (const { status } of tasks) if (isTaskStatus(status)) counts[bucketOf(status)]++;
  return { ...counts, total: tasks.length };
}

export function statusLines(text: string, bodyOffset: number): StatusLine[] {
  return [...linesOf(outlineOf(text, bodyOffset))];
}

/** Why a plan counts no tasks: it has no line in the form that is read. Null if it has one. */
export function whyUncounted(text: string, bodyOffset: number): string | null {
  if (statusLines(text, bodyOffset).length > 0) return null;
  return "The plan has no line such as '- done: 003, 004' under 'Current Status', so it is not compared with the tasks. Tables, checkboxes and lists under further headings are not counted.";
}

function* linesOf(outline: Outline): Generator<StatusLine> {
  const section = findNamedSection(outline, SECTION_NAMES.currentStatus);
  if (section === null) return;
  for (const line of eachMarkdownLine(outline.text, section.bodyStart, section.end)) {
    const colon = line.region === "text" ? line.text.search(/[:：]/) : -1;
    if (colon === -1) continue;
    const status = normalizeStatus(line.text.slice(0, colon).replace(LIST_MARKER, ""));
    if (!isTaskStatus(status)) continue;
    const list = line.text
      .slice(colon + 1)
      .replace(/[*`]/g, "")
      .trim();
    const count = COUNT.exec(list)?.[1];
    const { start, next } = line;
    const items = splitList(list);
    const tasks = items.filter(namesTask);
    if (count !== undefined) yield { status, tasks: [], count: Number(count), start, next };
    else if (tasks.length > 0 || items.length === 0) yield { status, tasks, count: null, start, next };
  }
}

const MAX_TITLE_WORDS = 3;

/** A number or a few words: `Blocked: the vendor has not answered` is a sentence. */
function namesTask(item: string): boolean {
  return taskKeys(plannedReference(item)).length > 1 || item.split(/\s+/).length <= MAX_TITLE_WORDS;
}

export function bucketOf<S extends TaskStatus>(status: S): Bucket<S> {
  return status.replace("-", "_") as Bucket<S>;
}

/** The names of all statuses in counts. */
export const BUCKETS = TASK_STATUSES.map((status) => bucketOf(status));

/** An object with a value for each of them. */
export function perBucket<T>(make: () => T): Record<Bucket, T> {
  return Object.fromEntries(BUCKETS.map((bucket) => [bucket, make()])) as Record<Bucket, T>;
}

/** The counts of a project by status, as its statistics name them. */
export type TaskStats<T = number> = Record<`${Bucket}_tasks`, T>;

export function taskStats<T>(make: (bucket: Bucket) => T): TaskStats<T> {
  const stats = BOARD_STATUSES.map((status) => [`${bucketOf(status)}_tasks`, make(bucketOf(status))]);
  return Object.fromEntries(stats) as TaskStats<T>;
}

/** How many of the tasks are open. */
export function countOpen(counts: Readonly<Record<Bucket, number>>): number {
  return openStatuses().reduce((sum, status) => sum + counts[bucketOf(status)], 0);
}

export function openStatuses(): TaskStatus[] {
  return WORK_ORDER.filter((status) => factsOf(status).isOpen);
}

/** `2 in-progress, 1 pending`. */
export function countsText(
  counts: Readonly<Record<Bucket, number>>,
  statuses: readonly TaskStatus[] = WORK_ORDER,
): string {
  return statuses
    .filter((status) => isShown(status, counts[bucketOf(status)]))
    .map((status) => `${counts[bucketOf(status)]} ${status}`)
    .join(", ");
}

function noTasks(): Record<Bucket, number> {
  return perBucket(() => 0);
}
