import { isTask, locateDocument } from "../notes/document.ts";
import { baseName, formatTaskNumber, parseTaskNumber } from "../notes/names.ts";
import { nextTaskNumber } from "../notes/task-file.ts";
import type { DocumentMove } from "../workspace/move-check.ts";
import { movesOf, type Sides } from "./reconcile.ts";

/**
 * New numbers for the tasks that were created here while others gave their numbers to other tasks. Without a common beginning,
 * files of the same name are the same task. Pure.
 */
export function clashingTasks({ base, ours, theirs }: Sides, hasBase: boolean): DocumentMove[] {
  const moved = new Set(movesOf(base, ours).values());
  const created = [...ours.keys()].filter((path) => !base.has(path) && !moved.has(path));
  const numbered = created.flatMap((path) => {
    const number = numberOf(path);
    return number === undefined ? [] : [{ path, ...number }];
  });
  if (numbered.length === 0) return [];
  const others = new Map<string, string[]>();
  for (const path of theirs.keys()) {
    const number = numberOf(path);
    if (number !== undefined) others.set(number.key, [...(others.get(number.key) ?? []), path]);
  }
  const clashing = numbered.filter(({ path, key }) => {
    const same = others.get(key) ?? [];
    return same.some((other) => other !== path || (hasBase && theirs.get(other) !== ours.get(path)));
  });
  const next = new Map<string, number>();
  return clashing.map(({ path, project }) => {
    const number = next.get(project) ?? nextTaskNumber(tasksOf(project, [...ours.keys(), ...theirs.keys()]));
    next.set(project, number + 1);
    const name = baseName(path).replace(/^\d+/, formatTaskNumber(number));
    return { from: path, to: path.slice(0, -baseName(path).length) + name };
  });
}

function tasksOf(project: string, paths: readonly string[]): string[] {
  return paths.filter((path) => numberOf(path)?.project === project).map(baseName);
}

/** The project of a task, and its number in it; undefined for what has none. */
function numberOf(path: string): { project: string; key: string } | undefined {
  const location = locateDocument(path);
  if (location === null || !isTask(location)) return undefined;
  const number = parseTaskNumber(location.filename);
  const { project } = location;
  return number === null ? undefined : { project, key: `${project}/${Number(number)}` };
}
