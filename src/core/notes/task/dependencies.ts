import { isMarkdown, pathKey, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { baseName, parseTaskNumber } from "../names.ts";
import { idKeys } from "./ids.ts";
import { isClosed } from "./statuses.ts";

/** What references call a task. */
export interface NamedTask {
  filename: string;
  /** Its names elsewhere: `BACK-12`. */
  ids?: string[] | undefined;
}

/** The part of a task that the order of work depends on. */
export interface DependentTask extends NamedTask {
  status: string | null;
  dependencies: readonly string[];
}

/** The tasks of a project by all keys that refer to them. */
export function tasksByKey<T extends NamedTask>(tasks: Iterable<T>): ReadonlyMap<string, readonly T[]> {
  const byKey = new Map<string, T[]>();
  for (const task of tasks) {
    for (const key of keysOf(task)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [task]);
      else known.push(task);
    }
  }
  return byKey;
}

/** What is known, by key, of the task that a reference names: that of its name, else that of its number. */
export function byReference<V>(known: ReadonlyMap<string, V>, reference: string): V | undefined {
  const [name, number = name] = taskKeys(reference);
  return known.get(known.has(name) ? name : number);
}

/** For each key of a project's tasks: whether all tasks with that name or number are closed. */
export function closedByKey(
  tasks: readonly Omit<DependentTask, "dependencies">[],
): ReadonlyMap<string, boolean> {
  const closed = new Map<string, boolean>();
  for (const task of tasks) {
    for (const key of keysOf(task)) closed.set(key, (closed.get(key) ?? true) && isClosed(task.status));
  }
  return closed;
}

/** The dependencies of a task that are not closed, missing tasks included; a task never waits for itself. */
export function openDependencies(
  { dependencies, ...task }: Omit<DependentTask, "status">,
  closed: ReadonlyMap<string, boolean>,
): string[] {
  const isOwn = referringTo(task);
  return dependencies.filter((reference) => !isOwn(reference) && !(byReference(closed, reference) ?? false));
}

/** Whether a reference may mean a task: it has its name, its number or an id. */
export function referringTo(task: NamedTask): (reference: string) => boolean {
  const own = keysOf(task);
  return (reference) => taskKeys(reference).some((key) => own.includes(key));
}

/** The dependencies of a task that lead to no task. */
export function missingDependencies(
  dependencies: readonly string[],
  tasks: ReadonlyMap<string, unknown>,
): string[] {
  return dependencies.filter((reference) => byReference(tasks, reference) === undefined);
}

/** The shortest way from a task back to itself over tasks that are open: all of these wait for each other. Null without one. */
export function waitingCircle<T extends DependentTask>(task: T, tasks: readonly T[]): T[] | null {
  const byKey = tasksByKey(tasks);
  const openByKey = new Map(
    [...byKey].map(([key, own]) => [key, own.find(({ status }) => !isClosed(status))]),
  );
  /** Each task that was reached, and the one that waits for it. */
  const reachedFrom = new Map<T, T | null>([[task, null]]);
  for (const [waiting] of reachedFrom) {
    for (const reference of waiting.dependencies) {
      const next = byReference(openByKey, reference);
      if (next === task && waiting !== task) return wayTo(waiting, reachedFrom);
      if (next !== undefined && !reachedFrom.has(next)) reachedFrom.set(next, waiting);
    }
  }
  return null;
}

function wayTo<T>(last: T, reachedFrom: ReadonlyMap<T, T | null>): T[] {
  const way: T[] = [];
  for (let at: T | null = last; at !== null; at = reachedFrom.get(at) ?? null) way.push(at);
  return way.reverse();
}

/** A path from the workspace: `api/tasks/003-setup`. */
export const IN_PROJECT = /^(?!archive\/)[^/\s.][^/]*\/(?:archive\/)?tasks\/[^/]+$/i;

/** A reference without the path of its own project: `003-setup` from `api/tasks/003-setup`. */
export function localReference(reference: string, project: string): string {
  return pathKey(reference).startsWith(`${pathKey(project)}/`) ? baseName(reference) : reference;
}

/** The keys that refer to a task: those of its file, and its names elsewhere. */
export function keysOf({ filename, ids }: NamedTask): string[] {
  return [...new Set([...taskKeys(filename), ...idKeys(filename, ids)])];
}

/** `["003-setup", "#3"]`: the keys that refer to a task by its file, its name and its number, if any; for one of another project, its path. */
export function taskKeys(reference: string): [name: string, ...number: string[]] {
  if (IN_PROJECT.test(reference) && !isMarkdown(reference)) return [pathKey(reference)];
  const base = baseName(reference);
  const file = withoutMarkdownExtension(base);
  const name = pathKey(file.replace(/^#/, ""));
  const number = file === base ? referredNumber(name) : parseTaskNumber(name);
  return number === null ? [name] : [name, `#${Number(number)}`];
}

/** The number in `001-setup`, `001 Set up login` and `001: Set up`; null for `001 002`, `001 and 002` and `2 weeks`. */
function referredNumber(name: string): string | null {
  const labelled = /^(\d{3,9})[:：]\s/.exec(name)?.[1] ?? /^task[-_](\d{1,9})$/.exec(name)?.[1];
  const [first = "", ...rest] = name.split(/\s+/);
  const isNumber = rest.length > 0 && /^\d+$/.test(first);
  const isUnclear = isNumber && (first.length < 3 || rest.some((word) => /^\W*\d/.test(word)));
  return isUnclear ? null : (labelled ?? parseTaskNumber(name));
}
