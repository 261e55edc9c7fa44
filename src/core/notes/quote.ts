import { escapeLine, escapeName } from "../lib/escape.ts";
import { codeSpan } from "../markdown/embed.ts";
import { parseAtxHeading } from "../markdown/headings.ts";
import { isBlank } from "../markdown/lines.ts";
import { dayOfLine, fall } from "./days.ts";
import { shorten } from "./short-text.ts";
import { isNamed, SECTION_NAMES } from "./words/section-names.ts";

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

/** With less room a line is left out. */
const MIN_CUT_CHARS = 40;

/** A text with quotes in it, in at most `limit` characters: lists under Notes keep the end to which people add, the rest its beginning. */
export function shortenQuoted(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const lines = text.split("\n");
  const log = listedNotes(lines);
  const logged = new Set(log);
  const prose = [...lines.keys()].filter((at) => !logged.has(at));
  if (!fall(log.map((at) => dayOfLine(unquoted(lines[at]))))) log.reverse();
  const sizeOf = (places: readonly number[]) =>
    places.reduce((sum, at) => sum + (lines[at]?.length ?? 0) + 1, 0);
  const forLog = Math.min(sizeOf(log), Math.max(limit / 2, limit - sizeOf(prose)));
  const kept = [...fitting(lines, prose, limit - forLog), ...fitting(lines, log, forLog)];
  const inOrder = kept.sort(([a], [b]) => a - b).map(([, line]) => line);
  return inOrder.join("\n").trimEnd();
}

/** The first of the lines at `places` that fit, with their places; a quoted one is cut where the room ends. */
function fitting(lines: readonly string[], places: readonly number[], limit: number): [number, string][] {
  const kept: [number, string][] = [];
  let room = limit;
  for (const at of places) {
    const line = lines[at] ?? "";
    if (line.length < room) kept.push([at, line]);
    else if (line.startsWith(">") && room > MIN_CUT_CHARS) kept.push([at, shorten(line, room - 1)]);
    if (line.length >= room) break;
    room -= line.length + 1;
  }
  return kept;
}

/** The places of the lines in lists under Notes. */
function listedNotes(lines: readonly string[]): number[] {
  let [isUnder, isList] = [false, false];
  return [...lines.keys()].filter((at) => {
    const text = unquoted(lines[at]);
    const heading = parseAtxHeading(text);
    if (heading !== null || text === lines[at]) {
      isUnder = heading !== null && isNamed(heading, SECTION_NAMES.notes);
      isList = false;
    }
    isList ||= isUnder && LIST_ITEM.test(text);
    return isList;
  });
}

const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

function unquoted(line = ""): string {
  return line.replace(/^> ?/, "");
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
