import { baseName, parseTaskNumber, withoutMarkdownExtension } from "./names.ts";

/** The part of a task that the order of work depends on. */
export interface DependentTask {
  filename: string;
  status: string | null;
  dependencies: readonly string[];
}

/** For each key of a project's tasks: whether all tasks with that name or number are done. */
export function doneByKey(
  tasks: readonly Omit<DependentTask, "dependencies">[],
): ReadonlyMap<string, boolean> {
  const done = new Map<string, boolean>();
  for (const { filename, status } of tasks) {
    for (const key of taskKeys(filename)) done.set(key, (done.get(key) ?? true) && status === "done");
  }
  return done;
}

/** The dependencies of a task that are not done, missing tasks included; a task never waits for itself. */
export function openDependencies(
  { filename, dependencies }: Omit<DependentTask, "status">,
  done: ReadonlyMap<string, boolean>,
): string[] {
  const own = taskKeys(filename);
  return dependencies.filter((reference) => {
    const [name, number] = taskKeys(reference);
    if (own.includes(name) || (number !== undefined && own.includes(number))) return false;
    return !(done.get(name) ?? done.get(number ?? "") ?? false);
  });
}

/** The dependencies of a task that lead to no task. */
export function missingDependencies(
  dependencies: readonly string[],
  tasks: Pick<ReadonlyMap<string, unknown>, "has">,
): string[] {
  return dependencies.filter((reference) => !taskKeys(reference).some((key) => tasks.has(key)));
}

/** The shortest way from a task back to itself over tasks that are not done: all of these wait for each other. Null without one. */
export function waitingCircle<T extends DependentTask>(task: T, tasks: readonly T[]): T[] | null {
  const byKey = new Map(tasks.flatMap((each) => taskKeys(each.filename).map((key) => [key, each] as const)));
  const seen = new Set<T>([task]);
  const ways = [[task]];
  for (const way of ways) {
    for (const reference of way.at(-1)?.dependencies ?? []) {
      const [name, number = name] = taskKeys(reference);
      const next = byKey.get(name) ?? byKey.get(number);
      if (next === task && way.length > 1) return way;
      if (next === undefined || next.status === "done" || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

/** A path from the workspace: `api/tasks/003-setup`. */
export const IN_PROJECT = /^(?!archive\/)[^/\s.][^/]*\/(?:archive\/)?tasks\/[^/]+$/i;

/** A reference without the path of its own project: `003-setup` from `api/tasks/003-setup`. */
export function localReference(reference: string, project: string): string {
  return keyOf(reference).startsWith(`${keyOf(project)}/`) ? baseName(reference) : reference;
}

/** `["003-setup", "#3"]`: the keys that refer to a task, its name and its number, if any; for one of another project, its path. */
export function taskKeys(reference: string): [name: string, ...number: string[]] {
  if (IN_PROJECT.test(reference) && !/\.md$/i.test(reference)) return [keyOf(reference)];
  const base = baseName(reference);
  const file = withoutMarkdownExtension(base);
  const name = keyOf(file.replace(/^#/, ""));
  const number = file === base ? referredNumber(name) : parseTaskNumber(name);
  return number === null ? [name] : [name, `#${Number(number)}`];
}

/** Of `001-setup`, `001 Set up login` and `001: Set up`; null for `001 002`, `001 and 002` and `2 weeks`. */
function referredNumber(name: string): string | null {
  const labelled = /^(\d{3,9})[:：]\s/.exec(name)?.[1];
  const [first = "", ...rest] = name.split(/\s+/);
  const isNumber = rest.length > 0 && /^\d+$/.test(first);
  const isUnclear = isNumber && (first.length < 3 || rest.some((word) => /^\W*\d/.test(word)));
  return isUnclear ? null : (labelled ?? parseTaskNumber(name));
}

function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
