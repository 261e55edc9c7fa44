import { editDistance } from "../lib/text.ts";
import type { BindValue, SqlDatabase } from "../sqlite/types.ts";

const MAX_NEIGHBOURS = 2;
/** Shorter words have too many neighbours to guess from, and longer ones are no words. */
const MIN_LETTERS = 4;
const MAX_LETTERS = 40;
const MANY_LETTERS = 7;
const LETTERS = "abcdefghijklmnopqrstuvwxyzñß";

/** A table that shows the words of the full text, made for this connection alone. */
const TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab('main', 'chunks_fts', 'row')";

/** Whether a word may be a known one with a typing error: to find out, all words of its first letter are read. */
export function mayBeMistyped(word: string): boolean {
  const { length } = [...word];
  return length >= MIN_LETTERS && length <= MAX_LETTERS && !/\p{N}/u.test(word);
}

/**
 * The known words nearest to one that the index does not know, the best first; none for short words. Words that begin
 * with the same letter come first: few typing errors are in the first one.
 */
export function neighbours(db: SqlDatabase, word: string): string[] {
  if (!mayBeMistyped(word)) return [];
  db.run(TABLE);
  const near = sameLetter(db, word);
  const rows = near.length > 0 ? near : otherLetter(db, word);
  return rows
    .sort((a, b) => a.distance - b.distance || b.count - a.count)
    .slice(0, MAX_NEIGHBOURS)
    .map(({ term }) => term);
}

interface Neighbour {
  term: string;
  count: number;
  /** Edits. */
  distance: number;
}

function sameLetter(db: SqlDatabase, word: string): Neighbour[] {
  const limit = [...word].length >= MANY_LETTERS ? 2 : 1;
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  const sql =
    "SELECT term, doc FROM temp.words WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?";
  const range = [first, `${first}\u{10ffff}`, word.length - limit, word.length + limit];
  return rowsOf(db, sql, range)
    .map(({ term, count }) => ({ term, count, distance: editDistance(word, term, limit) }))
    .filter(({ distance }) => distance <= limit);
}

/** One edit at the beginning, by looking up what it could have been: a scan of all words would take too long. */
function otherLetter(db: SqlDatabase, word: string): Neighbour[] {
  const [first = "", second = "", ...rest] = word;
  const tail = second + rest.join("");
  const guesses = [
    tail,
    second + first + rest.join(""),
    ...[...LETTERS].flatMap((letter) => [letter + tail, letter + word]),
  ];
  const sql = `SELECT term, doc FROM temp.words WHERE term IN (${guesses.map(() => "?").join(", ")})`;
  return rowsOf(db, sql, guesses).map((row) => ({ ...row, distance: 1 }));
}

function rowsOf(db: SqlDatabase, sql: string, params: BindValue[]): { term: string; count: number }[] {
  const rows = db.exec(sql, params)[0]?.values ?? [];
  return rows.map(([term, count]) => ({ term: String(term), count: Number(count) }));
}
