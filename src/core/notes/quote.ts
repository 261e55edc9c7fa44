import { escapeLine, escapeName } from "../lib/escape.ts";
import { codeSpan } from "../markdown/embed.ts";
import { isBlank } from "../markdown/lines.ts";
import { shorten } from "./short-text.ts";

// All characters that a reader may take for a line break.
const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;
// Control characters, and those that change the direction of the text after them, could disguise a text.
const DISGUISE = /(?!\t)\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

const MAX_NAME_CHARS = 160;
const MAX_PATH_CHARS = 1000;

/** The text with `>` before every line, so that no part of it passes for the text around it. */
export function quoteBlock(text: string): string {
  const lines = text.split(LINE_BREAK).map((line) => line.replace(DISGUISE, "").trimEnd());
  const first = lines.findIndex((line) => !isBlank(line));
  if (first === -1) return "(empty)";
  const last = lines.findLastIndex((line) => !isBlank(line));
  return lines
    .slice(first, last + 1)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A title or a phrase inside a line: `“Add login”`, shortened, on one line, without these quotes inside. */
export function quoteInline(text: string): string {
  const line = escapeLine(text.slice(0, MAX_NAME_CHARS * 4), Number.POSITIVE_INFINITY).replace(/[“”]/g, '"');
  return `“${shorten(line, MAX_NAME_CHARS)}”`;
}

/** A path or name of a file inside a line, in backticks. */
export function quotePath(path: string): string {
  return codeSpan(escapeName(path, MAX_PATH_CHARS));
}
