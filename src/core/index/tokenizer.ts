import { once } from "../lib/collections.ts";
import { fold, unaccent } from "../lib/text.ts";

// Scripts written without spaces between words: each letter becomes a word, and a run of them a phrase. Characters before Thai
// are shared with other scripts (`ʼ` is written in Thai too) and stay in their word.
const LETTER =
  "(?=\\p{L})(?![\\0-\\u0dff])[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}〆〱-〵〼ーｰﾞﾟ]";
// Decomposed text spells a Korean syllable with two or three letters.
const SYLLABLE = "[\\u1100-\\u1112][\\u1161-\\u1175][\\u11a8-\\u11c2]?";
// The voicing marks of half-width kana are letters by name.
const UNSPACED = `(?:${SYLLABLE}|${LETTER})[\\p{M}\\uff9e\\uff9f]*`;
// Nothing below Thai is unspaced: most text needs only this test.
const MAYBE_UNSPACED = /[\u0e00-\uffff]/;
// SQLite has the tables of Unicode 6.1 and takes every later sign for a letter, most emoji included. Variation selectors
// are marks by category, but belong to no word.
const APART = `(${UNSPACED})|[\\ufe00-\\ufe0f]|[^\\p{L}\\p{N}\\p{Co}\\p{M}\\0-\\u036f]`;
// Latin, Greek and Cyrillic text without such signs needs only this test.
const MAYBE_SET_APART = /[\u0378-\u038d\u03a2\u0528-\uffff]/;
/** A word as the tokenizer sees it: letters, numbers and the marks on them. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;
/** Finds one word at a time: its `lastIndex` must not move the start of other searches. */
const nextWord = once(() => new RegExp(WORD, "gu"));
const SEPARATOR = "\u200b";

/** Compiled on first use: such large classes take milliseconds. */
const patterns = once(() => ({ letter: new RegExp(UNSPACED, "gu"), apart: new RegExp(APART, "gu") }));

/** The form that is indexed and queried: no accents or signs, a zero-width space around each unspaced letter. */
export function segment(text: string): string {
  const normal = unaccent(text);
  if (!MAYBE_SET_APART.test(normal)) return normal;
  return normal.replace(patterns().apart, `${SEPARATOR}$1${SEPARATOR}`);
}

/** A word of a text and its position (UTF-16 offsets). */
export interface Token {
  text: string;
  start: number;
  end: number;
  /** Whether it is one letter (with its marks) of an unspaced script, which forms words with its neighbours. */
  unspaced: boolean;
}

function tokenAt(whole: string, start: number, end: number, unspaced = false): Token {
  return { text: whole.slice(start, end), start, end, unspaced };
}

/** The words of a text as the index sees them. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const end = endOfAscii(text, at);
    const isLetter = isUnspacedLetter(text, end);
    if (text.charCodeAt(end) >= 0x80 && !isLetter) at = tokenizeUnicode(text, at, tokens);
    else {
      if (end > at) tokens.push(tokenAt(text, at, end));
      if (isLetter) tokens.push(tokenAt(text, end, end + 1, true));
      at = end + 1;
    }
  }
  return tokens;
}

/** The end of the ASCII letters and digits at `at`: the regular expression below takes ten times as long. */
function endOfAscii(text: string, at: number): number {
  let end = at;
  while (isAsciiWord(text.charCodeAt(end))) end++;
  return end;
}

function isAsciiWord(unit: number): boolean {
  // This bit makes letters lower-case.
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Whether there is an unspaced letter without marks at `at`: most have none, and patterns handle the others. */
function isUnspacedLetter(text: string, at: number): boolean {
  if (!isPlainUnspaced(text.charCodeAt(at))) return false;
  const next = text.charCodeAt(at + 1);
  if (!(next >= 0x300)) return true;
  // Followed by punctuation or full-width signs.
  return isPlainUnspaced(next) || (next >= 0x3000 && next < 0x302a) || (next > 0xff00 && next < 0xff61);
}

/** Hiragana, katakana, Chinese characters, Korean syllables. */
function isPlainUnspaced(unit: number): boolean {
  if (!(unit > 0x3040)) return false;
  if (unit < 0x30fd) return unit < 0x3097 || (unit > 0x30a0 && unit !== 0x30fb);
  return (unit > 0x4dff && unit < 0xa000) || (unit > 0xabff && unit < 0xd7a4);
}

/** Adds the next word at or after `at`, in any script; returns its end. */
function tokenizeUnicode(text: string, at: number, tokens: Token[]): number {
  const pattern = nextWord();
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return text.length;
  const { index, 0: word } = match;
  let from = index;
  if (MAYBE_UNSPACED.test(word)) {
    for (const letter of word.matchAll(patterns().letter)) {
      const start = index + letter.index;
      if (start > from) tokens.push(tokenAt(text, from, start));
      from = start + letter[0].length;
      tokens.push(tokenAt(text, start, from, true));
    }
  }
  if (from < pattern.lastIndex) tokens.push(tokenAt(text, from, pattern.lastIndex));
  return pattern.lastIndex;
}

const ASCII = /^[\0-\x7f]*$/;

/** The words of a text as the index has them, folded. */
export function foldedWords(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return tokenize(text).map((token) => fold(token.text));
}

/** A word inside a name. */
export const namePart = once(() => /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu);

/** Words hidden in names: `getUserProfile` gives `get User Profile`, `HTTPServer2` gives `HTTP Server 2`; "" if none. */
export function nameParts(text: string): string {
  if (ASCII.test(text) && !/[a-z0-9][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]|[0-9][a-z]/.test(text)) return "";
  const parts = new Set<string>();
  for (const [word] of unaccent(text).matchAll(WORD)) {
    const pieces = word.match(namePart()) ?? [];
    if (pieces.length > 1) parts.add(pieces.join(" "));
  }
  return [...parts].join(" ");
}

/** What tells a name in a text from other words: `iPhone`, `getUser`, `HTTPServer`. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/** The names of a text that have capitals inside, as in code. */
export function namesIn(text: string): string {
  if (!INNER_CAPITAL.test(text)) return "";
  return (text.match(WORD) ?? []).filter((word) => INNER_CAPITAL.test(word)).join(" ");
}

/** The same words, those with capitals inside taken apart. */
export function splitNames(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) =>
    INNER_CAPITAL.test(token.text)
      ? [...token.text.matchAll(namePart())].map(({ index, 0: part }) => {
          const start = token.start + index;
          return { ...token, text: part, start, end: start + part.length };
        })
      : [token],
  );
}
