import { highestId, jsonList, LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { cached } from "../index/query-cache.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

const FACTS = `SELECT json_group_array(json_array(c.id, document_id, c.id - chunk_order, day, boost)) FROM ${LISTED_CHUNKS}`;
type Row = [chunk: number, document: number, first: number, day: number, boost: number];

/** Facts of each chunk, by its number; the document is 0 until they are read. */
interface Facts {
  document: Int32Array;
  first: Int32Array;
  day: Int32Array;
  boost: Float64Array;
}

/** The facts of these chunks at least. They stay until the index changes. */
export function factsOf(db: SqlDatabase, chunks: number[]): Facts {
  const facts = cached(db, "facts", () => emptyFacts(highestId(db, "chunks") + 1));
  const unread = chunks.filter((chunk) => facts.document[chunk] === 0);
  if (unread.length === 0) return facts;
  for (const [chunk, document, first, day, boost] of readJson<Row[]>(db, FACTS, [jsonList(unread)])) {
    facts.document[chunk] = document;
    facts.first[chunk] = first;
    facts.day[chunk] = day;
    facts.boost[chunk] = boost;
  }
  return facts;
}

function emptyFacts(length: number): Facts {
  return {
    document: new Int32Array(length),
    first: new Int32Array(length),
    day: new Int32Array(length),
    boost: new Float64Array(length),
  };
}
