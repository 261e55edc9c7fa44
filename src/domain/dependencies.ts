import { baseName, parseTaskNumber, withoutMarkdownExtension } from "./names.ts";

/** The part of a task that the order of work depends on. */
export interface DependentTask {
  filename: string;
  status: string | null;
  dependencies: readonly string[];
}

export interface TaskReadiness {
  /** Those of its dependencies that are not done; a missing task counts as not done. */
  open_dependencies: string[];
  /** Pending, with nothing open before it. */
  ready: boolean;
}

/** For each of the tasks of one project, in the same order. */
export function resolveDependencies(tasks: readonly DependentTask[]): TaskReadiness[] {
  const keyed = tasks.map((task) => ({ task, own: taskKeys(task.filename) }));
  const done = doneByKey(keyed);
  return keyed.map(({ task, own }) => {
    const open = task.dependencies.filter((reference) => {
      const [name, number] = taskKeys(reference);
      if (own.includes(name) || (number !== undefined && own.includes(number))) return false;
      return !(done.get(name) ?? done.get(number ?? "") ?? false);
    });
    return { open_dependencies: open, ready: task.status === "pending" && open.length === 0 };
  });
}

/** Whether all tasks of a name or number are done: a number that two files carry needs both. */
function doneByKey(keyed: readonly { task: DependentTask; own: string[] }[]): Map<string, boolean> {
  const done = new Map<string, boolean>();
  for (const { task, own } of keyed) {
    for (const key of own) done.set(key, (done.get(key) ?? true) && task.status === "done");
  }
  return done;
}

/** `["003-setup", "#3"]`: the name, and the number when there is one, by which a task is referred to. */
export function taskKeys(reference: string): [name: string, ...number: string[]] {
  const name = withoutMarkdownExtension(baseName(reference)).replace(/^#/, "").normalize("NFC").toLowerCase();
  // `001 002` or `001 and 002` is no reference to 001 alone: it stays open until somebody says what is meant.
  const number = /^\d+\s/.test(name) ? null : parseTaskNumber(name);
  return number === null ? [name] : [name, `#${Number(number)}`];
}
