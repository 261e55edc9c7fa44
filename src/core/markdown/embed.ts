import { withoutMark } from "../lib/text.ts";
import { eachMarkdownLine, withClosingLine } from "./blocks.ts";
import { eachHeading, type Heading, MAX_HEADINGS, parseAtxHeading } from "./headings.ts";
import { eachLine, isBlank, trimBlankLines } from "./lines.ts";

/** With more headings, those of the surrounding text would no longer be tracked. */
const MAX_HEADINGS_INSIDE = MAX_HEADINGS / 2;

/**
 * Makes a text safe under a heading of another text: a backslash turns each heading that `isReserved` into text, no code fence
 * or comment stays open, lines end in `\n`.
 */
export function embedText(text: string, isReserved: (heading: Heading) => boolean): string {
  const body = withClosingLine(trimBlankLines(withoutMark(text).replace(/\r\n?/g, "\n")));
  const marked = markedLines(body, isReserved);
  return marked.size === 0 ? body : escapeLines(body, marked);
}

/** The starts of the lines that make headings which may not stand in the text. */
function markedLines(text: string, isReserved: (heading: Heading) => boolean): Set<number> {
  const marked = new Set<number>();
  let kept = 0;
  for (const heading of eachHeading(text)) {
    if (isReserved(heading) || ++kept > MAX_HEADINGS_INSIDE) marked.add(markStart(text, heading));
  }
  return marked;
}

/** The start of the line that makes it a heading: its own line, or the underline. */
function markStart(text: string, { start, end }: Heading): number {
  let last = start;
  for (const line of eachLine(text, start, end)) {
    if (line.start === start && parseAtxHeading(line.text) !== null) return start;
    last = line.start;
  }
  return last;
}

/** Blank lines keep the escaped lines apart, so that all others are read as before. */
function escapeLines(text: string, marked: ReadonlySet<number>): string {
  let escaped = "";
  let [isBelowBlank, isBelowMark] = [true, false];
  for (const { start, at, next, text: line, kind } of eachMarkdownLine(text)) {
    const isMark = marked.has(start);
    const mayTouch = isBelowBlank || isBlank(line) || kind === "underline";
    if (!mayTouch && (isMark || isBelowMark)) escaped += "\n";
    escaped += isMark ? `${text.slice(start, at)}\\${text.slice(at, next)}` : text.slice(start, next);
    [isBelowBlank, isBelowMark] = [isBlank(line), isMark];
  }
  return escaped;
}

/** The text on one line: white space and control characters folded to single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** Each on one line, without empty ones. */
export function oneLines(texts: readonly string[] | null | undefined): string[] {
  return (texts ?? []).map(oneLine).filter((text) => text !== "");
}

/** `## text`, which reads back as the same text even if it ends in `#`. */
export function renderHeading(level: number, text: string): string {
  const line = `${"#".repeat(level)} ${oneLine(text)}`;
  return /\s#+$/.test(line) ? `${line} #` : line;
}

/** A text in backticks, one more of them than the longest run inside. */
export function codeSpan(text: string): string {
  const content = oneLine(text);
  const runs = content.match(/`+/g) ?? [];
  const mark = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1);
  const padding = content.startsWith("`") || content.endsWith("`") ? " " : "";
  return mark + padding + content + padding + mark;
}
