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
  const done = doneByKey(tasks);
  return tasks.map((task) => {
    const own = keysOf(task.filename);
    const open = task.dependencies.filter((reference) => {
      const [name, number] = keysOf(reference);
      if (own.includes(name) || (number !== undefined && own.includes(number))) return false;
      return !(done.get(name) ?? done.get(number ?? "") ?? false);
    });
    return { open_dependencies: open, ready: task.status === "pending" && open.length === 0 };
  });
}

/** Whether all tasks of a name or number are done: a number that two files carry needs both. */
function doneByKey(tasks: readonly DependentTask[]): Map<string, boolean> {
  const done = new Map<string, boolean>();
  for (const task of tasks) {
    for (const key of keysOf(task.filename)) {
      done.set(key, (done.get(key) ?? true) && task.status === "done");
    }
  }
  return done;
}

/** `["003-setup", "#3"]`: the name, and the number when there is one, by which a task is referred to. */
function keysOf(reference: string): [name: string, ...number: string[]] {
  const name = withoutMarkdownExtension(baseName(reference)).replace(/^#/, "").normalize("NFC").toLowerCase();
  const number = parseTaskNumber(name);
  return number === null ? [name] : [name, `#${Number(number)}`];
}
