import { type Claimed, directSuccessors, laterThan, type Successors } from "../notes/standing/successors.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { documentPaths, indexLookup } from "./links.ts";
import { readJson } from "./postings.ts";
import { cached } from "./query-cache.ts";

const CLAIMS = `SELECT json_group_array(json_object('source', d.path, 'field', c.field, 'kind', c.kind, 'path', c.path))
  FROM claims c JOIN documents d ON d.id = c.document_id`;
/** As many take as much room as other cached values. */
const MANY = 1_000;

/** What came after each indexed document; cached until the index changes. */
export function indexedSuccessors(db: SqlDatabase): Successors {
  const read = () => {
    const claims = readJson<Claimed[]>(db, CLAIMS, []);
    return laterThan(directSuccessors(claims, indexLookup(db), () => documentPaths(db)));
  };
  return cached(db, "successors", read, ({ size }) => size / MANY);
}
