import type { SearchResult } from "./results.ts";

/** An answer is for reading: more words than this are a document. */
const MOST_WORDS = 128;
/** Of each passage, and of those after the last: the first two hold nine answers of ten. */
const MOST_CHARS = [1_000, 800, 600, 500];
/** Shorter ones say too little: with less room, and with marks and escapes that take so much of it, there is none. */
const LEAST = { room: 240, chars: 160 };
/** The next passage may take its share of the room that is left, so the first ones get most of it. */
const SHARES = 5;

/** The passages of the results in `room` characters of JSON; from where it is used up, `""`. */
export function fitPassages(results: readonly SearchResult[], room: number): string[] {
  let left = room;
  return results.map((result, at) => {
    if (left < LEAST.room) return "";
    const share = Math.floor(left / Math.min(SHARES, results.length - at));
    const most = MOST_CHARS[at] ?? MOST_CHARS.at(-1) ?? 0;
    const passage = fitPassage(result, Math.max(share, LEAST.room), most);
    left -= passage === "" ? left : sentChars(passage);
    return passage;
  });
}

/** What marks and escapes add to a text is known only afterwards. */
function fitPassage({ snippet }: SearchResult, room: number, most: number): string {
  let chars = Math.min(most, room);
  while (chars >= LEAST.chars) {
    const passage = snippet({ words: MOST_WORDS, chars });
    const over = sentChars(passage) - room;
    if (over <= 0) return passage;
    chars -= over;
  }
  return "";
}

/** Without the quotes, which stand around an empty text too. */
function sentChars(text: string): number {
  return JSON.stringify(text).length - 2;
}
