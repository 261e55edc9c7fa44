import textWidth from "string-width";

export { textWidth };

/** Written without spaces: a line may break at any letter. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The text padded to `width` columns of a terminal; escape sequences take none. */
export function padColumns(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Lines of at most `width` columns, broken at spaces if possible; at most `most` of them, the last with `…`. */
export function wrapColumns(text: string, width: number, most: number): string[] {
  const words = text.split(/(?<=\s)/u);
  const isWhole = (word: string) => textWidth(word.trimEnd()) <= width && !UNSPACED.test(word);
  const lines = fill(
    words.flatMap((word) => (isWhole(word) ? [word] : letters(word))),
    width,
  );
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cutColumns(`${lines[most - 1]} ${lines[most]}`, width)];
}

/** The beginning of a text that is wider than `width` columns, ended by `…`. */
export function cutColumns(text: string, width: number): string {
  return textWidth(text) <= width ? text : `${fill(letters(text), width - 1)[0]}…`;
}

function fill(pieces: readonly string[], width: number): string[] {
  const lines = [""];
  for (const piece of pieces) {
    const line = `${lines.at(-1)}${piece}`;
    if (textWidth(line.trimEnd()) <= width) lines[lines.length - 1] = line;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}

/** Letters with their marks; a flag is one letter. */
function letters(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
}
