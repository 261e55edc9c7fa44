import type { SqlDatabase } from "../sqlite/types.ts";

/** Which chunks hold what; open while one query is answered. */
export interface Postings {
  /** The highest chunk number given out: about how many there are, which costs no scan. */
  readonly size: number;
  /** The chunks that match an FTS5 expression, ascending; each is looked up once. A wrong one throws SqliteError of kind `syntax`. */
  of(match: string): Int32Array;
  close(): void;
}

export function openPostings(db: SqlDatabase): Postings {
  const size = Number(db.exec("SELECT max(id) FROM chunks")[0]?.values[0]?.[0] ?? 0);
  const statement = db.prepare("SELECT group_concat(rowid) FROM chunks_fts WHERE chunks_fts MATCH ?");
  const found = new Map<string, Int32Array>();
  const look = (match: string) => {
    const chunks = parseNumbers(statement.get([match])[0]);
    found.set(match, chunks);
    return chunks;
  };
  return {
    size,
    of: (match) => found.get(match) ?? look(match),
    close: () => void statement.free(),
  };
}

/** What `group_concat` made of whole numbers: one text is far cheaper to fetch than a row for each of them. */
export function parseNumbers(text: unknown): Int32Array {
  if (typeof text !== "string" || text === "") return new Int32Array(0);
  const numbers = new Int32Array((text.length >> 1) + 1);
  let count = 0;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      numbers[count++] = number;
      number = 0;
    } else number = number * 10 + code - ZERO;
  }
  numbers[count++] = number;
  return numbers.subarray(0, count);
}

const COMMA = 44;
const ZERO = 48;
