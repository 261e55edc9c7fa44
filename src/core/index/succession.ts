import {
  directSuccessors,
  laterThan,
  type SourcedRelation,
  type Successors,
} from "../notes/standing/successors.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { documentPaths, indexLookup } from "./links.ts";
import { readJson } from "./postings.ts";
import { cached } from "./query-cache.ts";

const RELATIONS = `SELECT json_group_array(json_object('source', d.path, 'field', r.field, 'kind', r.kind, 'path', r.path))
  FROM relations r JOIN documents d ON d.id = r.document_id`;
/** As many take as much room as other cached values. */
const MANY = 1_000;

/** What came after each indexed document; cached until the index changes. */
export function indexedSuccessors(db: SqlDatabase): Successors {
  const read = () => {
    const relations = readJson<SourcedRelation[]>(db, RELATIONS, []);
    return laterThan(directSuccessors(relations, indexLookup(db), () => documentPaths(db)));
  };
  return cached(db, "successors", read, ({ size }) => size / MANY);
}
