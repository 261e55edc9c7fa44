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

/** A known word near an unknown one, and how many edits away. */
interface Neighbour {
  term: string;
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

/** The known words nearest to an unknown one; none for short words. Few typing errors are in the first letter. */
export function neighbours(
  db: SqlDatabase,
  word: string,
  { edits = mostEdits(word), isEligible = () => true }: NeighbourOptions = {},
): string[] {
  if (!mayBeMistyped(word)) return [];
  const near = LATIN.test(word)
    ? [...sameStart(db, word, { letters: 2, edits }), ...otherLetter(db, word, 1)]
    : sameStart(db, word, { letters: 1, edits });
  const found = closest(near, isEligible);
  return found.length > 0 ? found : closest(otherLetter(db, word, 0), isEligible);
}

/** The eligible words with the fewest edits, each once. */
function closest(near: Neighbour[], isEligible: (term: string) => boolean): string[] {
  const terms = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  for (const { term, distance } of near.sort((a, b) => a.distance - b.distance)) {
    if (distance > least) break;
    if (terms.has(term) || !isEligible(term)) continue;
    least = distance;
    terms.add(term);
  }
  return [...terms];
}

/** Words that begin with the same letters: the fewer letters, the longer it takes. */
function sameStart(
  db: SqlDatabase,
  word: string,
  { letters, edits: limit }: { letters: number; edits: number },
): Neighbour[] {
  const start = [...word].slice(0, letters).join("");
  return wordsFrom(db, start, { least: word.length - limit, most: word.length + limit })
    .map((term) => ({ term, distance: editDistance(word, term, limit) }))
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
  ).map((term) => ({ term, distance: 1 }));
}
