import { eachMarkdownLine, type MarkdownLine } from "./blocks.ts";
import { indentation } from "./lines.ts";

export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** `[start, end)` covers the heading's line or lines with their terminator. */
export interface Heading {
  level: HeadingLevel;
  text: string;
  start: number;
  end: number;
}

// Longer ones are text: a heading is repeated on each of its chunks, so it must stay small.
const MAX_HEADING_CHARS = 1_000;

/** How many headings of a document are tracked; later ones are text of the last section. */
export const MAX_HEADINGS = 5_000;
/** How much of a document is searched for headings, statuses, steps and so on; the rest is plain text. */
export const MAX_OUTLINE_CHARS = 2 * 1024 * 1024;

/** The whole text, or its first lines if it is longer than `MAX_OUTLINE_CHARS`. */
export function outlineText(text: string): string {
  if (text.length <= MAX_OUTLINE_CHARS) return text;
  const lines = text.lastIndexOf("\n", MAX_OUTLINE_CHARS - 1) + 1;
  const isSplit = /[\uD800-\uDBFF]/.test(text[MAX_OUTLINE_CHARS - 1] ?? "");
  return text.slice(0, lines || MAX_OUTLINE_CHARS - (isSplit ? 1 : 0));
}

/** The headings that are tracked, in order. */
export function findHeadings(text: string, from = 0): Heading[] {
  return [...trackedHeadings(text, from)];
}

/** The headings that are tracked, one at a time. */
export function* trackedHeadings(text: string, from = 0): Generator<Heading> {
  let count = 0;
  for (const heading of eachHeading(outlineText(text), from)) {
    yield heading;
    if (++count === MAX_HEADINGS) return;
  }
}

/** All headings outside quotes and lists: an edit must see where its section ends. */
export function* eachHeading(text: string, from = 0): Generator<Heading> {
  for (const line of eachMarkdownLine(text, from)) {
    const heading = line.depth === 0 ? headingAt(text, line) : null;
    if (heading !== null) yield heading;
  }
}

/** The heading that ends in a line; null for a line of anything else. */
export function headingAt(
  text: string,
  { kind, blockStart, start, at, end, next }: MarkdownLine,
): Heading | null {
  if (kind === "atx") {
    const heading = parseAtxHeading(text.slice(at, end));
    return heading && { ...heading, start, end: next };
  }
  if (kind !== "underline" || start - blockStart > MAX_HEADING_CHARS) return null;
  const lines = text.slice(blockStart, start).split("\n");
  const title = lines.map((part) => part.trim()).join(" ");
  return { level: text[at] === "=" ? 1 : 2, text: title.trim(), start: blockStart, end: next };
}

/** Reads one line as `## text`; null for any other. */
export function parseAtxHeading(line: string): { level: HeadingLevel; text: string } | null {
  const indent = indentation(line);
  if (indent > 3 || line[indent] !== "#" || line.length > MAX_HEADING_CHARS) return null;
  let end = indent;
  while (line[end] === "#") end++;
  const level = end - indent;
  if (level > 6 || (end < line.length && !isSpace(line[end]))) return null;
  return { level: level as HeadingLevel, text: withoutClosingHashes(line.slice(end).trim()) };
}

/** `Setup { #setup }` without the id (React's documentation writes it in a comment): it is an address, no word of the heading. */
export function withoutId(heading: string): string {
  return heading.replace(/(?<=[^\s#]\s*)\{(?: ?#[^{}]{1,200}|\/\*[^{}]{1,200}\*\/)\}$/, "").trimEnd();
}

function withoutClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  if (end === 0) return "";
  return isSpace(text[end - 1]) ? text.slice(0, end).trimEnd() : text;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
