import { listNames } from "../../lib/escape.ts";
import { byReference, type DependentTask, tasksByKey } from "./dependencies.ts";
import { isClosed } from "./statuses.ts";

/** What speaks against archiving tasks: those that are neither done nor cancelled, and the open ones besides that wait for these. */
export interface ArchiveDoubts<T> {
  notDone: T[];
  waiting: T[];
}

/** `all` are the tasks of the project; `tasks` are some of them. */
export function archiveDoubts<T extends DependentTask>(
  tasks: readonly T[],
  all: readonly T[],
): ArchiveDoubts<T> {
  const notDone = tasks.filter(isOpen);
  if (notDone.length === 0) return { notDone, waiting: [] };
  const [open, byKey] = [new Set(notDone), tasksByKey(all)];
  const isMeant = (reference: string) => byReference(byKey, reference)?.some((task) => open.has(task));
  const waiting = all.filter((task) => isOpen(task) && !open.has(task) && task.dependencies.some(isMeant));
  return { notDone, waiting };
}

/** In words; `""` without any. */
export function doubtsInWords({ notDone, waiting }: ArchiveDoubts<Pick<DependentTask, "filename">>): string {
  if (notDone.length === 0) return "";
  const open = `Not done: ${namesOf(notDone)}.`;
  if (waiting.length === 0) return open;
  return `${open} Waiting for ${notDone.length === 1 ? "it" : "them"}: ${namesOf(waiting)}.`;
}

export function namesOf(tasks: readonly Pick<DependentTask, "filename">[]): string {
  return listNames(tasks.map(({ filename }) => filename));
}

function isOpen({ status }: DependentTask): boolean {
  return !isClosed(status);
}
