import type { BindParams, SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { cached } from "./query-cache.ts";

/** Looks up the chunks that match FTS5 expressions, for one query. */
export interface Postings {
  /** The highest chunk number. */
  readonly size: number;
  /** How many chunks there are. */
  readonly count: number;
  /**
   * The chunks that match an FTS5 expression, ascending; each is looked up once. Throws SqliteError of kind `syntax` for an
   * invalid one.
   */
  of(match: string): Int32Array;
}

/** So many numbers take as much room as other cached values; the text that they are found by counts, too. */
const NUMBERS = 131_072;
const OF_TEXT = 64;
const MATCHING = "SELECT group_concat(rowid) FROM chunks_fts WHERE chunks_fts MATCH ?";

export function openPostings(db: SqlDatabase): Postings {
  const lists = new Map<string, Int32Array>();
  const lookUp = (match: string) => {
    const read = () => readNumbers(db, MATCHING, [match]);
    const chunks = cached(db, `chunks of ${match}`, read, ({ length }) => (length + OF_TEXT) / NUMBERS);
    lists.set(match, chunks);
    return chunks;
  };
  const count = cached(db, "count", () => readNumbers(db, "SELECT count(*) FROM chunks"))[0] ?? 0;
  return { size: highestId(db, "chunks"), count, of: (match) => lists.get(match) ?? lookUp(match) };
}

/** The highest number in a table; 0 if it is empty. */
export function highestId(db: SqlDatabase, table: "documents" | "chunks"): number {
  return readNumbers(db, `SELECT max(id) FROM ${table}`)[0] ?? 0;
}

/**
 * For FROM: the chunks of a JSON list of numbers, as `c`. `id IN (SELECT value …)` copies the list into a table first, which
 * takes up to three times as long.
 */
export const LISTED_CHUNKS = "json_each(?) listed CROSS JOIN chunks c ON c.id = listed.value";

export function jsonList(numbers: Int32Array | readonly number[]): string {
  return `[${numbers.join(",")}]`;
}

/** The result of a statement with `json_group_array`: one text is far cheaper to read than every column of each row. */
export function readJson<T>(db: SqlDatabase, sql: string, params: BindParams): T {
  return JSON.parse(String(firstValue(db, sql, params))) as T;
}

/** The whole numbers of a statement with `group_concat`; none for NULL. */
export function readNumbers(db: SqlDatabase, sql: string, params: BindParams = []): Int32Array {
  return new Int32Array(JSON.parse(`[${firstValue(db, sql, params) ?? ""}]`));
}

function firstValue(db: SqlDatabase, sql: string, params: BindParams): SqlValue | undefined {
  return db.exec(sql, params)[0]?.values[0]?.[0];
}

/** The numbers of an ascending list from `from` on and below `end`. */
export function between(list: Int32Array, from: number, end: number): Int32Array {
  return list.subarray(firstFrom(list, from), firstFrom(list, end));
}

/** Where the numbers from `number` on begin. */
function firstFrom(list: Int32Array, number: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The numbers of any of these ascending lists, ascending and each once. */
export function union(lists: readonly Int32Array[]): Int32Array {
  const [first = new Int32Array(0), ...rest] = lists;
  if (rest.length === 0) return first;
  const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all.sort().filter((number, at) => number !== all[at - 1]);
}

/** The numbers of an ascending list that are not in another one. */
export function without(list: Int32Array, others: Int32Array): Int32Array {
  let at = 0;
  return list.filter((number) => {
    while ((others[at] ?? number) < number) at++;
    return others[at] !== number;
  });
}
