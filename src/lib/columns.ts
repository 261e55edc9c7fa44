import { once } from "./once.ts";

/** Classes as large as this take time, which a program that prints no table does not spend. */
const wide = once(
  () =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u,
);
/** Katakana and Hangul of half a width. */
const HALF = /[\uFF61-\uFFDC]/;
const NARROW = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes: Chinese, Japanese, Korean letters and pictures take two, marks none. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  return [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
}

function letterWidth(letter: string): number {
  if (/[\p{M}\p{Cf}]/u.test(letter)) return 0;
  return wide().test(letter) && !HALF.test(letter) ? 2 : 1;
}

/** The text with spaces up to `width` columns. */
export function padColumns(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Lines of at most `width` columns, broken at spaces where there are any; at most `most` of them, the last with `…`. */
export function wrapColumns(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of text.split(/(?<=\s)/u).flatMap((word) => pieces(word, width))) {
    if (textWidth(line + piece.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += piece;
  }
  lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  const last = cutColumns(`${lines[most - 1]} ${lines[most]}`, width);
  return [...lines.slice(0, most - 1), last];
}

/** The beginning of a text that is wider than `width` columns, ended by `…`. */
export function cutColumns(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  for (const letter of text) {
    if (textWidth(cut + letter) >= width) break;
    cut += letter;
  }
  return `${cut.trimEnd()}…`;
}

/** A word that fits no line, and text that is written without spaces, in parts that do. */
function pieces(word: string, width: number): string[] {
  if (textWidth(word.trimEnd()) <= width && !wide().test(word)) return [word];
  if (wide().test(word)) return [...word];
  const parts: string[] = [];
  for (const letter of word) {
    const last = parts.at(-1);
    if (last === undefined || textWidth(last + letter) > width) parts.push(letter);
    else parts[parts.length - 1] = last + letter;
  }
  return parts;
}
