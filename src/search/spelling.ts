import { editDistance } from "../lib/text.ts";
import type { BindValue, SqlDatabase } from "../sqlite/types.ts";

const MAX_NEIGHBOURS = 2;
/** Shorter words have too many neighbours to choose from, and longer ones are not words. */
const MIN_LETTERS = 4;
const MAX_LETTERS = 40;
const MANY_LETTERS = 7;
const LETTERS = "abcdefghijklmnopqrstuvwxyzñß";
const LATIN = new RegExp(`^[${LETTERS}]+$`);

/** A table that lists the words of the full text, only for this connection. */
const TABLE = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab('main', 'chunks_fts', 'row')";

/** Whether a word may be a mistyped one: finding the right one reads many words. */
export function mayBeMistyped(word: string): boolean {
  const { length } = [...word];
  return length >= MIN_LETTERS && length <= MAX_LETTERS && !/\p{N}/u.test(word);
}

/**
 * The known words nearest to an unknown one, best first; none for short words. Words with the same first letter come first: few
 * typing errors are in it.
 */
export function neighbours(db: SqlDatabase, word: string): string[] {
  if (!mayBeMistyped(word)) return [];
  db.run(TABLE);
  const near = LATIN.test(word)
    ? [...sameStart(db, word, 2), ...otherLetter(db, word, 1)]
    : sameStart(db, word, 1);
  const rows = near.length > 0 ? near : otherLetter(db, word, 0);
  const ordered = rows.sort((a, b) => a.distance - b.distance || b.count - a.count);
  return [...new Set(ordered.map(({ term }) => term))].slice(0, MAX_NEIGHBOURS);
}

interface Neighbour {
  term: string;
  count: number;
  /** Edits. */
  distance: number;
}

/** Words that begin with the same letters: the fewer letters, the longer it takes. */
function sameStart(db: SqlDatabase, word: string, letters: number): Neighbour[] {
  const limit = [...word].length >= MANY_LETTERS ? 2 : 1;
  const start = [...word].slice(0, letters).join("");
  const sql =
    "SELECT term, doc FROM temp.words WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?";
  const range = [start, `${start}\u{10ffff}`, word.length - limit, word.length + limit];
  return rowsOf(db, sql, range)
    .map(({ term, count }) => ({ term, count, distance: editDistance(word, term, limit) }))
    .filter(({ distance }) => distance <= limit);
}

/** Words one edit away at a position, by looking up every possibility: a scan of all words would take too long. */
function otherLetter(db: SqlDatabase, word: string, at: number): Neighbour[] {
  const letters = [...word];
  const start = letters.slice(0, at).join("");
  const [first = "", second = "", ...others] = letters.slice(at);
  const rest = others.join("");
  const guesses = [
    second + rest,
    second + first + rest,
    ...[...LETTERS].flatMap((letter) => [letter + second + rest, letter + first + second + rest]),
  ].map((end) => start + end);
  const sql = `SELECT term, doc FROM temp.words WHERE term IN (${guesses.map(() => "?").join(", ")})`;
  return rowsOf(db, sql, guesses).map((row) => ({ ...row, distance: 1 }));
}

function rowsOf(db: SqlDatabase, sql: string, params: BindValue[]): { term: string; count: number }[] {
  const rows = db.exec(sql, params)[0]?.values ?? [];
  return rows.map(([term, count]) => ({ term: String(term), count: Number(count) }));
}
