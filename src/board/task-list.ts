import { projectOf, type Task } from "./model.ts";

/** The new list with the old objects of tasks that did not change, so that their cards need not render; the old list if none did. */
export function keepUnchanged(before: readonly Task[], after: readonly Task[]): readonly Task[] {
  const known = new Map(before.map((task) => [task.path, task]));
  const list = after.map((task) => {
    const old = known.get(task.path);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(task) ? old : task;
  });
  const isSame = list.length === before.length && list.every((task, at) => task === before[at]);
  return isSame ? before : list;
}

/** The task whose file has this path. */
export function taskAt(tasks: ReadonlyMap<string, readonly Task[]>, path: string): Task | undefined {
  return tasks.get(projectOf(path))?.find((task) => task.path === path);
}

/** The task of a project that a dependency names, by its number or its file. */
export function taskNamed(tasks: readonly Task[], reference: string): Task | undefined {
  return tasks.find(
    ({ number, filename }) =>
      number === reference || filename.replace(/\.(?:md|markdown)$/i, "") === reference,
  );
}
