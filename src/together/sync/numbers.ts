import { remember } from "../../core/lib/collections.ts";
import { taskKey } from "../../core/notes/document.ts";
import { baseName, formatTaskNumber, withTaskNumber } from "../../core/notes/names.ts";
import { nextTaskNumber } from "../../core/notes/task/file.ts";

/** Gives paths that no file has: a task gets the next number of its project, any other file a number behind its name. */
export function pathGiver(paths: Iterable<string>): (path: string) => string {
  const taken = new Set(paths);
  const tasks = remember((project: string) =>
    [...taken].filter((path) => path.startsWith(`${project}/`) && taskKey(path) !== undefined).map(baseName),
  );
  return (path) => {
    const key = taskKey(path);
    if (key === undefined) return take(taken, path);
    const names = tasks(key.slice(0, key.lastIndexOf("/")));
    const name = withTaskNumber(baseName(path), formatTaskNumber(nextTaskNumber(names)));
    names.push(name);
    return path.slice(0, -baseName(path).length) + name;
  };
}

function take(taken: Set<string>, path: string): string {
  const stem = path.replace(/\.[^./]*$/, "");
  for (let number = 2; ; number++) {
    const free = `${stem}-${number}${path.slice(stem.length)}`;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}
