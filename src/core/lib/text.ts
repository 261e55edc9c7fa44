/** The part `[start, end)` of a text. */
export interface Span {
  start: number;
  end: number;
}

// ASCII, kana and Chinese characters have no accents: most texts end here.
const UNACCENTED = /^[\0-\x7f\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff]*$/;
// Only the combining diacritics of alphabets: the voicing marks of kana and the vowel signs of Indic scripts stay.
const DIACRITICS = /[\u0300-\u036f]+/g;
// Unicode decomposes none of these: letters whose mark is a stroke, the dotless i, and the sharp s, whose capitals are SS.
const UNDECOMPOSED = /[łŁøØđĐħĦŧŦıßẞ]/g;
const PLAIN: Record<string, string> = {
  ł: "l",
  Ł: "L",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ħ: "h",
  Ħ: "H",
  ŧ: "t",
  Ŧ: "T",
  ı: "i",
  ß: "ss",
  ẞ: "SS",
};
// Sorting marks takes quadratic time; Unicode's stream-safe format has 30 at most.
const MARKS = /(\p{M}{30})\p{M}+/gu;

/** Width and accents removed, case kept: `Ｓesión` gives `Sesion`. */
export function unaccent(text: string): string {
  if (UNACCENTED.test(text)) return text;
  const bare = text.replace(MARKS, "$1").normalize("NFKD").replace(DIACRITICS, "").normalize("NFKC");
  return bare.replace(UNDECOMPOSED, (letter) => PLAIN[letter] ?? letter);
}

/** Case, width and accents removed: `Sesión` and `SESION` fold to the same text. */
export function fold(text: string): string {
  return unaccent(text).toLowerCase();
}

// The table of distances is quadratic, and clients choose the names.
const MAX_COMPARED = 200;
const MAX_CANDIDATES = 500;

/** One row of the distance table: `rows` holds the two rows above it, the older one first. */
function distanceRow(a: string, b: string, i: number, [older, last]: [number[], number[]]): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const cost = a[i - 1] === b[j - 1] ? 0 : 1;
    const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const steps = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost];
    if (swapped) steps.push(at(older, j - 2) + 1);
    row.push(Math.min(...steps));
  }
  return row;
}

const at = (row: number[], column: number) => row[column] ?? 0;

/** Edits (insert, delete, replace, swap of neighbours) between two words; `limit + 1` when there are more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = distanceRow(a, b, i, [older, last]);
    if (Math.min(...row) > limit) return limit + 1;
    older = last;
    last = row;
  }
  return Math.min(at(last, b.length), limit + 1);
}

/** Edits between two folded names; a name that contains the other is one edit away. */
function nameDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  const contains = a !== "" && b !== "" && (a.includes(b) || b.includes(a));
  return contains ? 1 : editDistance(a, b, limit);
}

/** The candidates that share most letters with `key` at both ends: a distance takes far longer. */
function likeliest(key: string, candidates: Iterable<string>): { candidate: string; folded: string }[] {
  const all = [...candidates].map((candidate) => ({
    candidate,
    folded: fold(candidate.slice(0, MAX_COMPARED)),
  }));
  if (all.length <= MAX_CANDIDATES) return all;
  const scored = all.map((one) => ({ one, shared: sharedEnds(key, one.folded) }));
  scored.sort((a, b) => b.shared - a.shared);
  return scored.slice(0, MAX_CANDIDATES).map(({ one }) => one);
}

/** How many letters two names have in common at the start and at the end; more than any name has if one contains the other. */
function sharedEnds(a: string, b: string): number {
  if (a.includes(b) || b.includes(a)) return 2 * MAX_COMPARED + Math.min(a.length, b.length);
  let [start, end] = [0, 0];
  while (a[start] === b[start]) start++;
  while (a.at(-1 - end) === b.at(-1 - end)) end++;
  return start + end;
}

/** Up to `count` of `candidates` most similar to `name`, nearest first; none that share little with it. */
export function nearest(name: string, candidates: Iterable<string>, count = 3): string[] {
  const key = fold(name.slice(0, MAX_COMPARED));
  const limit = key.length < 4 ? 1 : Math.ceil(key.length / 2);
  const scored: { candidate: string; distance: number }[] = [];
  for (const { candidate, folded } of likeliest(key, candidates)) {
    const distance = nameDistance(key, folded, limit);
    // As many edits as letters: the names have nothing in common.
    if (distance <= limit && distance < Math.max(key.length, folded.length)) {
      scored.push({ candidate, distance });
    }
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, count).map((entry) => entry.candidate);
}

/** Whether one has some letters of the other wrong. */
export function isMisspelt(name: string, near: string): boolean {
  // Hardly anybody mistakes the first letter.
  const most = name[0] === near[0] ? Math.ceil(name.length / 4) : 1;
  return editDistance(name, near, most) <= most;
}

/** Whether a word may be meant for another: in short ones, half of the letters are too many to differ (`list` is not `init`). */
export function isTypo(name: string, near: string): boolean {
  return near.includes(name) || name.includes(near) || isMisspelt(name.toLowerCase(), near);
}

/** The protocol allows no more. */
const MAX_COMPLETIONS = 100;

/** The values that start with the typed text, then those that contain it; case and accents are ignored. */
export function complete(values: readonly string[], typed: string) {
  const prefix = fold(typed.trim());
  const folded = values.map((value) => ({ value, key: fold(value) }));
  const starting = folded.filter(({ key }) => key.startsWith(prefix));
  const holding = folded.filter(({ key }) => !key.startsWith(prefix) && key.includes(prefix));
  const all = [...starting, ...holding].map(({ value }) => value);
  return { values: all.slice(0, MAX_COMPLETIONS), total: all.length, hasMore: all.length > MAX_COMPLETIONS };
}

/** For `sort`: by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** In UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Of what a model reads, in the alphabets as in Japanese, Chinese and Korean; about. */
export const BYTES_PER_TOKEN = 4;

/** About how many tokens a model reads. */
export function countTokens(text: string): number {
  return byteLength(text) / BYTES_PER_TOKEN;
}

/** The text without a byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** With its first letter as a capital. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a, b or c` */
export function anyOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" or ");
}

/** The form of a word for a number of things: `is` or `are`, `criterion` or `criteria`. */
export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** `1 task`, `2 tasks`, `2 criteria` */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${plural(count, noun, nouns)}`;
}

/** Where the line that holds `at` ends, before its `\n`. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Gives the line of each offset, counted from 1, for offsets in order. */
export function lineCounter(text: string): (offset: number) => number {
  let [line, at] = [1, 0];
  return (offset) => {
    line += text.slice(at, offset).split("\n").length - 1;
    at = Math.max(at, offset);
    return line;
  };
}

export function progressText(done: number, total: number, doing = "Indexing"): string {
  return `${doing} ${done.toLocaleString("en")} of ${total.toLocaleString("en")} notes`;
}
