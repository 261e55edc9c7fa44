import { groupBy } from "../lib/collections.ts";
import { isTask, locateDocument } from "./document.ts";
import { parseTaskNumber } from "./names.ts";

/** Tasks of one project with one number, archived ones too: no call finds any of them by it. */
export function sharedNumbers<T extends { path: string }>(documents: readonly T[]): T[][] {
  const numbered = documents.flatMap((document) => {
    const location = locateDocument(document.path);
    const number = location !== null && isTask(location) ? parseTaskNumber(location.filename) : null;
    return number === null ? [] : [{ document, key: `${location?.project}/${Number(number)}` }];
  });
  const groups = [...groupBy(numbered, ({ key }) => key).values()].filter((group) => group.length > 1);
  return groups.map((group) => group.map(({ document }) => document));
}
