import { directSuccessors, type Successors } from "../notes/standing/successors.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { documentPaths, indexLookup } from "./links.ts";
import { readJson } from "./postings.ts";
import { cached } from "./query-cache.ts";

const SAID = `SELECT json_group_array(json_object('source', path, 'relations', standing -> 'relations'))
  FROM documents WHERE standing IS NOT NULL`;
/** As many take as much room as other cached values. */
const MANY = 1_000;

/** What takes the place of each indexed document; cached until the index changes. */
export function indexedSuccessors(db: SqlDatabase): Successors {
  const read = () => directSuccessors(readJson(db, SAID, []), indexLookup(db), () => documentPaths(db));
  return cached(db, "successors", read, ({ size }) => size / MANY);
}
