import type { Passage, SearchResult } from "./results.ts";

/** An answer is for reading: more words than this are a document. */
const MOST_WORDS = 200;
/** Of each passage, and of those after the last: the first two hold nine answers of ten. */
const MOST_CHARS = [1_600, 1_200, 900, 700, 500];
/** Of what a document says elsewhere: the first ones, as long as there is room. */
const MOST_OTHER = 600;
/** Shorter ones say too little: with less room, and with marks and escapes that take so much of it, there is none. */
const LEAST = { room: 240, chars: 160 };
/** The next passage may take its share of the room that is left, or all that the others do not need. */
const SHARES = 5;

const NONE: Passage = { text: "", heading: null };

/**
 * The passages of the results in `room` characters of JSON; from where it is used up, none. What is left is for what the first
 * documents say elsewhere: first in the same chunk, then in one with other words of the query.
 */
export function fitPassages(results: readonly SearchResult[], room: number): Passage[] {
  let left = room;
  const passages = results.map((result, at) => {
    if (left < LEAST.room) return NONE;
    const share = Math.floor(left / Math.min(SHARES, results.length - at));
    const [most = 0, ...others] = results.slice(at).map((_, after) => mostChars(at + after));
    const rest = left - others.reduce((sum, one) => sum + one, 0);
    const passage = fitPassage(result.passage, Math.max(share, rest, LEAST.room), most);
    left -= passage.text === "" ? left : sentChars(passage);
    return passage;
  });
  const addTo = (passage: Passage, other: SearchResult["other"] | undefined) => {
    if (passage.text === "" || !other || left < LEAST.room) return passage;
    const both = joined(passage, fitPassage(other, left - JOIN, MOST_OTHER));
    left -= sentChars(both) - sentChars(passage);
    return both;
  };
  return passages
    .map((passage) => addTo(passage, passage.elsewhere))
    .map((passage, at) => addTo(passage, results[at]?.other));
}

function mostChars(at: number): number {
  return MOST_CHARS[at] ?? MOST_CHARS.at(-1) ?? 0;
}

/** What marks and escapes add to a text is known only afterwards. */
function fitPassage(passageOf: SearchResult["passage"], room: number, most: number): Passage {
  let chars = Math.min(most, room);
  while (chars >= LEAST.chars) {
    const passage = passageOf({ words: MOST_WORDS, chars });
    const over = sentChars(passage) - room;
    if (over <= 0) return passage;
    chars -= over;
  }
  return NONE;
}

const CUT = "...";
const JOIN = 2 * CUT.length + 4;

function joined(first: Passage, other: Passage): Passage {
  if (other.text === "") return first;
  const before = first.text.endsWith(CUT) ? first.text : `${first.text} ${CUT}`;
  const heading = other.heading === null ? "" : `${other.heading}: `;
  return { ...first, text: `${before} ${heading}${other.text}` };
}

/** Without the quotes, which stand around an empty text too. */
function sentChars({ text, heading }: Passage): number {
  return JSON.stringify(text).length + (heading === null ? 0 : JSON.stringify(heading).length);
}
