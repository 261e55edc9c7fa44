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

/** A path from the workspace: `api/tasks/003-setup`. */
export const IN_PROJECT = /^(?!archive\/)[^/\s.][^/]*\/(?:archive\/)?tasks\/[^/]+$/i;

/** A reference without the path of its own project: `003-setup` from `api/tasks/003-setup`. */
export function localReference(reference: string, project: string): string {
  return keyOf(reference).startsWith(`${keyOf(project)}/`) ? baseName(reference) : reference;
}

/** `["003-setup", "#3"]`: the keys that refer to a task, its name and its number, if any; for one of another project, its path. */
export function taskKeys(reference: string): [name: string, ...number: string[]] {
  if (IN_PROJECT.test(reference) && !/\.md$/i.test(reference)) return [keyOf(reference)];
  const name = keyOf(withoutMarkdownExtension(baseName(reference)).replace(/^#/, ""));
  // `001 002` or `001 and 002` is ambiguous: it names no number.
  const number = /^\d+\s/.test(name) ? null : parseTaskNumber(name);
  return number === null ? [name] : [name, `#${Number(number)}`];
}

function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
