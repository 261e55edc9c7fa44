import { projectOf, taskName } from "../core/notes/names.ts";
import { byReference, tasksByKey } from "../core/notes/task/dependencies.ts";
import type { Task } from "./model.ts";

/** The new list with the old objects of tasks that did not change, so that their cards need not render; the old list if none did. */
export function keepUnchanged(before: readonly Task[], after: readonly Task[]): readonly Task[] {
  const known = new Map(before.map((task) => [task.path, task]));
  const list = after.map((task) => {
    const old = known.get(task.path);
    return old !== undefined && old !== task && JSON.stringify(old) === JSON.stringify(task) ? old : task;
  });
  const isSame = list.length === before.length && list.every((task, at) => task === before[at]);
  return isSame ? before : list;
}

/** The task whose file has this path. */
export function taskAt(tasks: ReadonlyMap<string, readonly Task[]>, path: string): Task | undefined {
  return tasks.get(projectOf(path))?.find((task) => task.path === path);
}

/** What people call a document: a task by its title, else its path. */
export function nameAt(tasks: ReadonlyMap<string, readonly Task[]>, path: string): string {
  const task = taskAt(tasks, path);
  return task === undefined ? path : taskName(task);
}

/** The tasks of a project by what dependencies call them. */
export function taskFinder(tasks: readonly Task[]): (reference: string) => Task | undefined {
  const byKey = tasksByKey(tasks);
  return (reference) => byReference(byKey, reference)?.[0];
}
