import { groupBy } from "../../lib/collections.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { byReference, type NamedTask, taskKeys, tasksByKey } from "../task/dependencies.ts";
import { isTaskStatus, TASK_STATUSES } from "../task/statuses.ts";
import { plannedReference, type StatusLine, statusLines } from "./plan.ts";

interface TaskState extends NamedTask {
  number: string | null;
  status: string | null;
  /** A plan may name and count such a task, or leave it out. */
  archived?: boolean;
}

/** Several if they share a number. */
interface NamedTasks {
  tasks: readonly TaskState[];
  statuses: ReadonlySet<string | null>;
}

/** A reference under Current Status and the tasks it means. */
interface Listed {
  status: string;
  reference: string;
  named: NamedTasks | undefined;
}

interface Difference {
  what: string;
  /** The task that differs. */
  name: string;
}

const MAX_NAMES = 10;
const MAX_DRIFT = 20;

/** What a plan says under Current Status and its tasks do not, one difference per text; none without such a section. */
export function planDrift(text: string, bodyOffset: number, tasks: readonly TaskState[]): string[] {
  const lines = statusLines(text, bodyOffset);
  const listed = listedTasks(lines, tasks);
  const named = inWords([...misplaced(listed), ...unlisted(lines, listed, tasks)]);
  const drift = [...named, ...wrongCounts(lines, tasks)];
  const more = drift.length - MAX_DRIFT;
  return more > 0 ? [...drift.slice(0, MAX_DRIFT), `and ${more} more`] : drift;
}

/** The same by line: where each wrong line ends and what is wrong with it; `unlisted` belongs to no line. */
export function driftByLine(text: string, bodyOffset: number, tasks: readonly TaskState[]) {
  const lines = statusLines(text, bodyOffset);
  const wrong = lines.map(({ next, ...line }) => {
    const counts = lines.filter(({ status }) => status === line.status);
    const own = inWords(misplaced(listedTasks([{ next, ...line }], tasks)));
    return { next, what: line.count === null ? own : wrongCounts(counts, tasks) };
  });
  return {
    lines: wrong.filter(({ what }) => what.length > 0),
    unlisted: inWords(unlisted(lines, listedTasks(lines, tasks), tasks)),
  };
}

function inWords(differences: readonly Difference[]): string[] {
  return [...groupBy(differences, ({ what }) => what)].map(([what, items]) => {
    const names = new Set(items.map(({ name }) => name));
    return `${what}: ${listNames([...names], MAX_NAMES)}`;
  });
}

function listedTasks(lines: readonly StatusLine[], tasks: readonly TaskState[]): Listed[] {
  const byKey = tasksByKey(tasks);
  const named = new Map([...byKey].map(([key, own]) => [key, namedTasks(own)]));
  return lines.flatMap(({ status, tasks: items }) =>
    items.map((item) => {
      const reference = plannedReference(item);
      return { status, reference, named: byReference(named, reference) };
    }),
  );
}

function namedTasks(tasks: readonly TaskState[]): NamedTasks {
  return { tasks, statuses: new Set(tasks.map(({ status }) => status)) };
}

function misplaced(listed: readonly Listed[]): Difference[] {
  return listed.flatMap(({ status, reference, named }) => {
    const [task] = named?.tasks ?? [];
    if (named?.statuses.has(status)) return [];
    if (task !== undefined)
      return [{ what: `listed under ${status}, but ${stateOf(task)}`, name: nameOf(task) }];
    // Without a number it may be free text.
    const isTask = taskKeys(reference).length > 1;
    return isTask ? [{ what: `listed under ${status}, but no such task`, name: reference }] : [];
  });
}

/** Tasks that no line lists or counts. A plan without lists leaves out what it likes. */
function unlisted(
  lines: readonly StatusLine[],
  listed: readonly Listed[],
  tasks: readonly TaskState[],
): Difference[] {
  if (lines.every(({ count }) => count !== null)) return [];
  const named = new Set(listed.map((each) => each.named));
  const known = new Set([...named].flatMap((each) => each?.tasks ?? []));
  const counted = new Set<string>(lines.filter(({ count }) => count !== null).map(({ status }) => status));
  return tasks.flatMap((task) => {
    const { status } = task;
    if (task.archived || !isTaskStatus(status) || counted.has(status) || known.has(task)) return [];
    return [{ what: `${status}, but not listed`, name: nameOf(task) }];
  });
}

function wrongCounts(lines: readonly StatusLine[], tasks: readonly TaskState[]): string[] {
  return TASK_STATUSES.flatMap((status) => {
    const own = lines.filter((line) => line.status === status);
    if (own.every(({ count }) => count === null)) return [];
    const planned = own.reduce((sum, { count, tasks }) => sum + (count ?? tasks.length), 0);
    const all = tasks.filter((task) => task.status === status);
    const actual = all.filter((task) => !task.archived).length;
    return planned === actual || planned === all.length
      ? []
      : [`${status}: ${planned} in the plan, ${actual} in fact`];
  });
}

function nameOf({ number, filename }: TaskState): string {
  return number ?? withoutMarkdownExtension(filename);
}

function stateOf({ status }: TaskState): string {
  if (status === null) return "without a status";
  return isTaskStatus(status) ? status : quoteName(status);
}
