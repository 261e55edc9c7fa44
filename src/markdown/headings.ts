import { eachMarkdownLine, indentation, isBlank, type Line, type MarkdownLine } from "./lines.ts";

export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** `[start, end)` covers the heading's line or lines with their terminator. */
export interface Heading {
  level: HeadingLevel;
  text: string;
  start: number;
  end: number;
}

/** The block still open after the lines so far: only a paragraph can become a setext heading. */
interface Block {
  kind: "none" | "paragraph" | "other";
  start: number;
  inList: boolean;
}

// Longer ones are text: a heading is repeated on each of its chunks, so it must stay small.
const MAX_HEADING_CHARS = 1_000;

const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const OTHER_BLOCK = /^(?:[>|]|<[a-z/])/i;

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

/** The same, one at a time. */
export function* trackedHeadings(text: string, from = 0): Generator<Heading> {
  let count = 0;
  for (const heading of eachHeading(outlineText(text), from)) {
    yield heading;
    if (++count === MAX_HEADINGS) return;
  }
}

/** All ATX and setext headings outside code fences and HTML comments: an edit must see where its section ends. */
export function* eachHeading(text: string, from = 0): Generator<Heading> {
  let block: Block = { kind: "none", start: from, inList: false };
  for (const line of eachMarkdownLine(text, from)) {
    const heading = line.region === "text" ? headingAt(text, line, block) : null;
    if (heading !== null) yield heading;
    block = heading === null ? blockAfter(block, line) : { kind: "none", start: line.next, inList: false };
  }
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

function headingAt(text: string, line: Line, block: Block): Heading | null {
  const atx = parseAtxHeading(line.text);
  if (atx !== null) return { level: atx.level, text: atx.text, start: line.start, end: line.next };
  if (block.kind !== "paragraph" || line.start - block.start > MAX_HEADING_CHARS) return null;
  const level = underlineLevel(line.text);
  if (level === null) return null;
  const lines = text.slice(block.start, line.start).split("\n");
  const title = lines.map((part) => part.trim()).join(" ");
  return { level, text: title.trim(), start: block.start, end: line.next };
}

/** The level that a line such as `===` gives to the paragraph above it. */
export function underlineLevel(line: string): 1 | 2 | null {
  const indent = indentation(line);
  const mark = line[indent];
  if (indent > 3 || (mark !== "=" && mark !== "-")) return null;
  let end = indent;
  while (line[end] === mark) end++;
  if (!isBlank(line.slice(end))) return null;
  return mark === "=" ? 1 : 2;
}

function blockAfter(block: Block, line: MarkdownLine): Block {
  const { inList } = block;
  if (line.region !== "text" || isBlank(line.text)) return { kind: "none", start: line.next, inList };
  const indent = indentation(line.text);
  if (indent > 3) return block.kind === "none" && inList ? { ...block, kind: "other" } : block;
  if (isRuler(line.text)) return { kind: "none", start: line.next, inList: false };
  const content = line.text.slice(indent);
  if (LIST_ITEM.test(content)) return { kind: "other", start: line.start, inList: true };
  const stillInList = inList && (indent >= 2 || block.kind !== "none");
  if (OTHER_BLOCK.test(content) || isTableDelimiter(content)) {
    return { kind: "other", start: line.start, inList: stillInList };
  }
  if (block.kind !== "none") return block;
  return { kind: stillInList ? "other" : "paragraph", start: line.start, inList: stillInList };
}

/** `***`, `- - -`, `___`: a thematic break. */
function isRuler(line: string): boolean {
  const mark = line[indentation(line)];
  if (mark !== "*" && mark !== "-" && mark !== "_") return false;
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === mark) count++;
    else if (!isSpace(line[at])) return false;
  }
  return count >= 3;
}

/** `--- | :---:`: the lines after it are a table, until a blank line. */
function isTableDelimiter(content: string): boolean {
  let pipes = 0;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === "|") pipes++;
    else if (!" \t-:".includes(content[at] ?? "")) return false;
  }
  return pipes > 0;
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
