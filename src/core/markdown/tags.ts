import { once } from "../lib/collections.ts";
import { definitionsEnd } from "./block-starts.ts";
import { outlineText } from "./headings.ts";
import type { Piece } from "./links.ts";
import { eachProse, shownText } from "./prose.ts";

const MARK = /[\p{L}\p{M}\p{N}_/-]/u.source;
/** `#api`, `#area/api`, `#2026-q1`: a word behind a sign; `#123` is a number. */
export const TAG = `(?<!\\S|\\{ )#(?=[\\p{L}\\p{N}_])(?!\\p{N}+/*(?!${MARK}))${MARK}{1,100}`;
/** In comments, links and addresses of headings. */
const HIDDEN = /%%[\s\S]*?%%|\[\[[^[\]\n]*\]\]|\]\([^()\n]*\)|\{[^{}\n]*\}/;
/** Made at their first use: classes of letters take a millisecond each, and a start needs none. */
const patterns = once(() => ({
  tags: new RegExp(TAG, "gu"),
  hiddenOrTag: new RegExp(`${HIDDEN.source}|(?<tag>${TAG})`, "gu"),
}));
/** `#fff` and `#a1b2c3`, but not `#add`, `#facade` and `#e2e`. */
const COLOR =
  /^#(?:([a-f])\1\1(?:\1{3}|\1{5})?|(?![a-f]2[a-f]$)(?=.*\d)(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8}))$/i;

/** The tags in running text with their signs, in order: none in code, HTML, comments, links and addresses of headings. */
export function tagsIn(text: string, from: number): Piece[] {
  const outline = outlineText(text);
  if (![...outline.slice(from).matchAll(patterns().tags)].some(([tag]) => !COLOR.test(tag))) return [];
  return [...proseFrom(outline, from).matchAll(patterns().hiddenOrTag)].flatMap(({ groups, index }) => {
    const tag = groups?.["tag"]?.replace(/\/+$/, "");
    const start = from + index;
    return tag === undefined || COLOR.test(tag) ? [] : [{ text: tag, start, end: start + tag.length }];
  });
}

/** The text with spaces for all but prose: a comment may hold several blocks. */
function proseFrom(text: string, from: number): string {
  const parts: string[] = [];
  let last = from;
  for (const prose of eachProse(text, from)) {
    if (!/#|%%/.test(text.slice(prose.start, prose.end))) continue;
    const start = prose.isParagraph ? definitionsEnd(text, prose.start, prose.end) : prose.start;
    parts.push(" ".repeat(start - last), shownText(text, { ...prose, start }));
    last = prose.end;
  }
  return parts.join("");
}
