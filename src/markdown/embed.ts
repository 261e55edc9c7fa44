import { withoutMark } from "../lib/text.ts";
import { eachHeading, type Heading, MAX_HEADINGS, parseAtxHeading, underlineLevel } from "./headings.ts";
import { closingLine, eachLine, eachMarkdownLine, indentation, isBlank, trimBlankLines } from "./lines.ts";

/** With more headings, those of the surrounding text would no longer be tracked. */
const MAX_HEADINGS_INSIDE = MAX_HEADINGS / 2;

/**
 * Makes a text safe under a heading of another text: a backslash turns each heading that `isReserved` into text, no code fence
 * or comment stays open, lines end in `\n`.
 */
export function embedText(text: string, isReserved: (heading: Heading) => boolean): string {
  const body = trimBlankLines(withoutMark(text).replace(/\r\n?/g, "\n"));
  const closing = closingLine(body);
  const closed = closing === null ? body : `${body}\n${closing}`;
  const marked = new Set<number>();
  let kept = 0;
  for (const heading of eachHeading(closed)) {
    if (isReserved(heading) || ++kept > MAX_HEADINGS_INSIDE) marked.add(markStart(closed, heading));
  }
  return marked.size === 0 ? closed : escapeLines(closed, marked);
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

function escapeLines(text: string, marked: ReadonlySet<number>): string {
  let escaped = "";
  let inParagraph = false;
  for (const line of eachMarkdownLine(text)) {
    const isText = line.region === "text" && !isBlank(line.text);
    // An escaped line is a paragraph, which the underlines after it would turn into a heading again.
    const isMark: boolean = marked.has(line.start) || (inParagraph && underlineLevel(line.text) !== null);
    const indent = isText && isMark ? indentation(line.text) : -1;
    escaped +=
      indent === -1 ? text.slice(line.start, line.next) : withBackslash(text, line.start + indent, line);
    inParagraph = isText && (inParagraph || isMark);
  }
  return escaped;
}

function withBackslash(text: string, at: number, { start, next }: { start: number; next: number }): string {
  return `${text.slice(start, at)}\\${text.slice(at, next)}`;
}

/** The text on one line: white space and control characters folded to single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
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
