import type { SqlDatabase } from "../sqlite/types.ts";
import { keep } from "./kept.ts";
import { readNumbers } from "./one-text.ts";

/** Which chunks hold what, for as long as one query is answered. */
export interface Postings {
  /** The highest chunk number given out: about how many there are, which costs no scan. */
  readonly size: number;
  /** The chunks that match an FTS5 expression, ascending; each is looked up once. A wrong one throws SqliteError of kind `syntax`. */
  of(match: string): Int32Array;
}

/** Longer lists are of words that many queries hold: they are kept. */
const LONG = 2000;
const MATCHING = "SELECT group_concat(rowid) FROM chunks_fts WHERE chunks_fts MATCH ?";

export function openPostings(db: SqlDatabase): Postings {
  const size = readNumbers(db, "SELECT max(id) FROM chunks")[0] ?? 0;
  const found = new Map<string, Int32Array>();
  const look = (match: string) => {
    const read = () => readNumbers(db, MATCHING, [match]);
    const chunks = keep(db, `chunks of ${match}`, read, ({ length }) => length > LONG);
    found.set(match, chunks);
    return chunks;
  };
  return { size, of: (match) => found.get(match) ?? look(match) };
}
