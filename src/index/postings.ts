import type { BindParams, SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { cached } from "./query-cache.ts";

/** The chunks that match FTS5 expressions, for as long as one query is answered. */
export interface Postings {
  /** The highest chunk number given out: about how many there are, which costs no scan. */
  readonly size: number;
  /** The chunks that match an FTS5 expression, ascending; each is looked up once. A wrong one throws SqliteError of kind `syntax`. */
  of(match: string): Int32Array;
}

/** Longer lists are of words that many queries hold: they are cached. */
const LONG = 2000;
const MATCHING = "SELECT group_concat(rowid) FROM chunks_fts WHERE chunks_fts MATCH ?";

export function openPostings(db: SqlDatabase): Postings {
  const found = new Map<string, Int32Array>();
  const lookUp = (match: string) => {
    const read = () => readNumbers(db, MATCHING, [match]);
    const chunks = cached(db, `chunks of ${match}`, read, ({ length }) => length > LONG);
    found.set(match, chunks);
    return chunks;
  };
  return { size: highestId(db, "chunks"), of: (match) => found.get(match) ?? lookUp(match) };
}

/** The highest number given out; 0 without any. */
export function highestId(db: SqlDatabase, table: "documents" | "chunks"): number {
  return readNumbers(db, `SELECT max(id) FROM ${table}`)[0] ?? 0;
}

/**
 * For FROM: the chunks of a JSON list of their numbers, as `c`. `id IN (SELECT value …)` makes a table of the list first,
 * and takes up to three times as long.
 */
export const LISTED_CHUNKS = "json_each(?) listed CROSS JOIN chunks c ON c.id = listed.value";

/** The JSON that a statement gives, by `json_group_array`: one text is far cheaper than every column of each row. */
export function readJson<T>(db: SqlDatabase, sql: string, params: BindParams): T {
  return JSON.parse(String(firstValue(db, sql, params))) as T;
}

/** The whole numbers that a statement gives, by `group_concat`; none for NULL. */
export function readNumbers(db: SqlDatabase, sql: string, params: BindParams = []): Int32Array {
  return new Int32Array(JSON.parse(`[${firstValue(db, sql, params) ?? ""}]`));
}

function firstValue(db: SqlDatabase, sql: string, params: BindParams): SqlValue | undefined {
  return db.exec(sql, params)[0]?.values[0]?.[0];
}
