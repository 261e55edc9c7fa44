import { groupBy } from "../../lib/collections.ts";
import { isTask, locateDocument } from "../document.ts";
import { parseTaskNumber } from "../names.ts";

/** The project and the number of a task, archived or not; undefined for what has none. */
export function taskKey(path: string): string | undefined {
  const location = locateDocument(path);
  if (location === null || !isTask(location)) return undefined;
  const number = parseTaskNumber(location.filename);
  return number === null ? undefined : `${location.project}/${Number(number)}`;
}

/** Tasks of one project with one number, archived ones too: no call finds any of them by it. */
export function sharedNumbers<T extends { path: string }>(documents: readonly T[]): T[][] {
  const groups = groupBy(documents, ({ path }) => taskKey(path));
  return [...groups].flatMap(([key, group]) => (key === undefined || group.length === 1 ? [] : [group]));
}
