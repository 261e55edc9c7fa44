import { editDistance } from "../lib/text.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { knownWords, wordsFrom } from "./vocabulary.ts";

/** Shorter words have too many neighbours to choose from, and longer ones are not words. */
const MIN_LETTERS = 4;
const MAX_LETTERS = 40;
const MANY_LETTERS = 7;
const LETTERS = "abcdefghijklmnopqrstuvwxyzñß";
const LATIN = new RegExp(`^[${LETTERS}]+$`);

/** Whether a word may be a mistyped one: finding the right one reads many words. */
export function mayBeMistyped(word: string): boolean {
  const { length } = [...word];
  return length >= MIN_LETTERS && length <= MAX_LETTERS && !/\p{N}/u.test(word);
}

/** A known word near an unknown one. */
export interface Neighbour {
  term: string;
  /** Chunks that hold it. */
  count: number;
  /** Edits. */
  distance: number;
}

interface NeighbourOptions {
  /** How many edits the words may be away (default: 2 for a long word, else 1). */
  edits?: number;
  /** Which words may replace it (default: all). */
  isEligible?: (term: string) => boolean;
}

/** How many edits may be between a word and the right one: two for a long one. */
export function mostEdits(word: string): number {
  return [...word].length >= MANY_LETTERS ? 2 : 1;
}

/**
 * The known words nearest to an unknown one, best first; none for short words. Words with the same first letter come first: few
 * typing errors are in it.
 */
export function neighbours(
  db: SqlDatabase,
  word: string,
  { edits = mostEdits(word), isEligible = () => true }: NeighbourOptions = {},
): Neighbour[] {
  if (!mayBeMistyped(word)) return [];
  const near = LATIN.test(word)
    ? [...sameStart(db, word, { letters: 2, edits }), ...otherLetter(db, word, 1)]
    : sameStart(db, word, { letters: 1, edits });
  const eligible = distinct(near).filter(({ term }) => isEligible(term));
  const rows =
    eligible.length > 0
      ? eligible
      : distinct(otherLetter(db, word, 0)).filter(({ term }) => isEligible(term));
  return rows.sort((a, b) => a.distance - b.distance || b.count - a.count);
}

function distinct(rows: Neighbour[]): Neighbour[] {
  return [...new Map(rows.map((row) => [row.term, row])).values()];
}

/** Words that begin with the same letters: the fewer letters, the longer it takes. */
function sameStart(
  db: SqlDatabase,
  word: string,
  { letters, edits: limit }: { letters: number; edits: number },
): Neighbour[] {
  const start = [...word].slice(0, letters).join("");
  return wordsFrom(db, start, { least: word.length - limit, most: word.length + limit })
    .map(({ term, count }) => ({ term, count, distance: editDistance(word, term, limit) }))
    .filter(({ distance }) => distance > 0 && distance <= limit);
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
  return knownWords(
    db,
    guesses.filter((guess) => guess !== word),
  ).map((row) => ({ ...row, distance: 1 }));
}
