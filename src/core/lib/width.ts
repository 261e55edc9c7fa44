import textWidth from "string-width";

export { textWidth };

/** Written without spaces: a line may break at almost any letter. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}";
/** After an unspaced letter unless a closing mark follows, and before one unless an opening mark precedes. */
const BREAKS = new RegExp(
  `(?<=[${UNSPACED}]\\p{M}*)(?![\\p{M}\\p{Lm}\\p{Pe}\\p{Pf}\\p{Po} ])|(?<=[^\\p{Ps}\\p{Pi}])(?=[${UNSPACED}])(?!\\p{Lm})`,
  "u",
);
const NO_BREAK = "\u00a0";

/** The text padded to `width` columns of a terminal; escape sequences take none. */
export function padColumns(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Lines of at most `width` columns, broken between words, all but the first indented; a wider word stays whole, and so does what no-break spaces join. */
export function wrapColumns(text: string, width: number, indent = 0): string[] {
  const lines = [""];
  const words = text.split(/(?<= )(?=[^ ])/);
  for (const piece of words.flatMap((word) => (word.includes(NO_BREAK) ? [word] : word.split(BREAKS)))) {
    const before = lines.at(-1) ?? "";
    const isFirst = before.trim() === "";
    if (isFirst || textWidth(`${before}${piece}`.trimEnd()) <= width) lines[lines.length - 1] += piece;
    else lines.push(`${" ".repeat(indent)}${piece}`);
  }
  return lines.map((line) => line.trimEnd());
}

/** A text with its wide lines wrapped; the rest of a line hangs under its last column, or else `indent` further. */
export function wrapText(text: string, width: number, indent = 2): string {
  const lines = text.split("\n").flatMap((line) => {
    if (textWidth(line) <= width) return [line];
    const starts = [...line.matchAll(/^ *(?:[-*+]|\d+\.) +|^ +| {2,}/g)].map(({ index, 0: gap }) =>
      textWidth(line.slice(0, index + gap.length)),
    );
    return wrapColumns(line, width, starts.findLast((start) => start <= width / 2) ?? indent);
  });
  return lines.join("\n");
}
