import { groupBy } from "../../lib/collections.ts";
import { taskKey } from "../document.ts";
import { withoutCopies } from "./copies.ts";

/** Tasks of one project with one number, archived ones too, without copies: no call finds any of them by it. */
export function sharedNumbers<T extends { path: string }>(documents: readonly T[]): T[][] {
  const groups = groupBy(withoutCopies(documents), ({ path }) => taskKey(path));
  return [...groups].flatMap(([key, group]) => (key === undefined || group.length === 1 ? [] : [group]));
}
