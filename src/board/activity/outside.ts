import { TASK_FIELDS } from "../../core/notes/task/fields.ts";
import type { Task } from "../model.ts";
import type { Entry } from "./model.ts";

type Tasks = ReadonlyMap<string, readonly Task[]>;

/** The tasks whose files changed between two reads of the same projects; those that are gone are left out. */
export function changedTasks(before: Tasks, after: Tasks): { path: string; isNew: boolean }[] {
  return [...after].flatMap(([project, tasks]) => {
    const old = before.get(project);
    if (old === undefined || old === tasks) return [];
    const known = new Map(old.map((task) => [task.path, task]));
    return tasks.flatMap((task) => {
      const last = known.get(task.path);
      if (last !== undefined && (last === task || written(last) === written(task))) return [];
      return [{ path: task.path, isNew: last === undefined }];
    });
  });
}

/** What the file itself says: the rest follows from other tasks and the time. */
function written({ title, status, claimed_until, ...task }: Task): string {
  const { objective, progress, dependencies } = task;
  return JSON.stringify([
    [title, status, claimed_until, ...TASK_FIELDS.map((name) => task[name])],
    [objective, progress, dependencies],
  ]);
}

/** As the feed shows an edit that no tool of this server made. */
export function outsideEntry({ path, isNew }: { path: string; isNew: boolean }, now: Date): Entry {
  const time = now.toISOString();
  const common = { path, time, tool: "", client: "", isOutside: true } as const;
  return { ...common, change: `outside ${time} ${path}`, kind: isNew ? "created" : "replaced" };
}
