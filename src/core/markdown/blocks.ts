import {
  closesFence,
  definitionsEnd,
  type Fence,
  fenceAt,
  footnoteMark,
  type HtmlBlock,
  htmlAt,
  isAtxHeading,
  isDelimiterRow,
  isRuler,
  isUnderline,
  itemMarker,
  rulerEnd,
} from "./block-starts.ts";
import { eachLine, type Line } from "./lines.ts";

/** `code` covers fences with their markers, indented code and `<pre>`; `comment` HTML comments, `html` other blocks of HTML. */
export type Region = "text" | "code" | "comment" | "html";

type Kind =
  | "blank"
  | "paragraph"
  | "continuation"
  | "atx"
  | "underline"
  | "ruler"
  | "delimiter"
  | "row"
  | "raw";

/** A line of a text and the block it belongs to. */
export interface MarkdownLine extends Line {
  region: Region;
  /** `continuation` for the further lines of a paragraph, `raw` for all outside the text. */
  kind: Kind;
  /** Where its content starts in the text: behind quote marks, list markers and white space. */
  at: number;
  /** Where the first line of its block starts, if it goes on with a paragraph or underlines it. */
  blockStart: number;
  /** Whether the content of a list item begins in it. */
  beginsItem: boolean;
  /** In how many quotes, list items and footnotes it is. */
  depth: number;
}

/** A quote, list item or footnote; `indent` is how many columns its content is indented by. */
interface Container {
  indent: number;
  /** An item whose marker stands alone so far: a blank line ends it. */
  isEmpty: boolean;
}

interface Paragraph {
  kind: "paragraph";
  start: number;
  /** The content of its last line. */
  last: string;
}

type Leaf =
  | Paragraph
  | { kind: "fence"; fence: Fence }
  | { kind: "html"; html: HtmlBlock }
  | { kind: "indented" | "table" };

/** What is open behind the lines so far. */
interface Open {
  text: string;
  to: number;
  containers: Container[];
  leaf: Leaf | null;
  /** False once no comment can end any more; null if comments need no end. */
  commentsEnd: boolean | null;
}

/** A place in a line. */
interface Cursor {
  line: Line;
  at: number;
  /** Inside a tab, it is beyond that of `at`. */
  column: number;
  /** The first character from there on that is not white space, and how many columns further it is. */
  next: number;
  indent: number;
  /** How many containers were entered. */
  depth: number;
}

const TAB = 4;
const QUOTE = -1;
/** The marks of deeper quotes and items are text. */
const MAX_DEPTH = 100;

/** Lines with the block each belongs to; no block may be open at `from`. An unclosed comment hides nothing. */
export function* eachMarkdownLine(text: string, from = 0, to = text.length): Generator<MarkdownLine> {
  const open: Open = { text, to, containers: [], leaf: null, commentsEnd: true };
  for (const line of eachLine(text, from, to)) yield readLine(open, line);
}

/** The line that closes the code or HTML left open by `text`, a blank one for most HTML; null if none is open. */
export function closingLine(text: string): string | null {
  const open: Open = { text, to: text.length, containers: [], leaf: null, commentsEnd: null };
  for (const line of eachLine(text)) readLine(open, line);
  const { leaf, containers } = open;
  if (leaf?.kind !== "fence" && leaf?.kind !== "html") return null;
  const margin = containers.map(({ indent }) => (indent === QUOTE ? "> " : " ".repeat(indent))).join("");
  if (leaf.kind === "fence") return margin + leaf.fence.mark.repeat(leaf.fence.length);
  return leaf.html.end === null ? "" : margin + leaf.html.closing;
}

/** The text, and the line that closes what it leaves open. */
export function withClosingLine(text: string): string {
  const closing = closingLine(text);
  return closing === null ? text : `${text}\n${closing}`;
}

function readLine(open: Open, line: Line): MarkdownLine {
  const cursor: Cursor = { line, at: 0, column: 0, next: 0, indent: 0, depth: 0 };
  skipSpace(cursor);
  continueContainers(open.containers, cursor);
  const { leaf } = open;
  if (cursor.depth === open.containers.length) {
    if (leaf?.kind === "fence") return fenceLine(open, cursor, leaf.fence);
    if (leaf?.kind === "html") return htmlLine(open, cursor, leaf.html);
  }
  openContainers(open, cursor);
  return isAtEnd(cursor) ? blankLine(open, cursor) : leafLine(open, cursor);
}

/** Enters the containers that the line belongs to. */
function continueContainers(containers: readonly Container[], cursor: Cursor): void {
  for (const { indent, isEmpty } of containers) {
    if (indent === QUOTE) {
      if (!takeQuoteMark(cursor)) return;
    } else if (isAtEnd(cursor)) {
      if (isEmpty) return;
    } else {
      if (cursor.indent < indent) return;
      advance(cursor, indent);
    }
    cursor.depth++;
  }
}

function takeQuoteMark(cursor: Cursor): boolean {
  const { line, indent, next } = cursor;
  if (indent >= TAB || line.text[next] !== ">") return false;
  advance(cursor, indent + 1);
  if (cursor.indent > 0) advance(cursor, 1);
  return true;
}

/** Opens the containers whose marks come next. */
function openContainers(open: Open, cursor: Cursor): void {
  let isUnderParagraph = open.leaf?.kind === "paragraph" && cursor.depth === open.containers.length;
  const notRuler = { mark: "", end: -1 };
  while (cursor.depth < MAX_DEPTH && cursor.indent < TAB) {
    const container = takeContainer(cursor, isUnderParagraph, notRuler);
    if (container === null) return;
    fillItem(open.containers[cursor.depth - 1]);
    open.containers.length = cursor.depth++;
    open.containers.push(container);
    open.leaf = null;
    isUnderParagraph = false;
  }
}

/** `notRuler` is where a line was found to be no ruler, so that a line of markers is read once. */
function takeContainer(
  cursor: Cursor,
  isUnderParagraph: boolean,
  notRuler: { mark: string; end: number },
): Container | null {
  const { line, next, indent } = cursor;
  const mark = line.text[next] ?? "";
  if (mark === ">") return takeQuoteMark(cursor) ? { indent: QUOTE, isEmpty: false } : null;
  if (mark === "[") return takeFootnote(cursor);
  if (mark === "" || !"-*+0123456789".includes(mark)) return null;
  if ((mark === "-" || mark === "*") && (mark !== notRuler.mark || next > notRuler.end)) {
    const end = rulerEnd(line.text, next);
    if (end === line.text.length) return null;
    Object.assign(notRuler, { mark, end });
  }
  const length = itemMarker(line.text, next, isUnderParagraph);
  return length === 0 ? null : takeItem(cursor, indent + length);
}

function takeFootnote(cursor: Cursor): Container | null {
  const length = footnoteMark(cursor.line.text, cursor.next);
  if (length === 0) return null;
  advance(cursor, cursor.indent + length);
  advance(cursor, cursor.indent);
  return { indent: TAB, isEmpty: false };
}

/** `width` is that of the marker and the white space before it; up to four columns behind it belong to it. */
function takeItem(cursor: Cursor, width: number): Container {
  advance(cursor, width);
  const space = isAtEnd(cursor) || cursor.indent > TAB ? 1 : cursor.indent;
  advance(cursor, Math.min(space, cursor.indent));
  return { indent: width + space, isEmpty: true };
}

function fenceLine(open: Open, cursor: Cursor, fence: Fence): MarkdownLine {
  if (cursor.indent < TAB && closesFence(cursor.line.text, cursor.next, fence)) open.leaf = null;
  return lineOf(cursor, "raw", "code");
}

function htmlLine(open: Open, cursor: Cursor, { region, end }: HtmlBlock): MarkdownLine {
  const isLast = end === null ? isAtEnd(cursor) : end.test(cursor.line.text.slice(cursor.at));
  if (isLast) open.leaf = null;
  return end === null && isLast ? lineOf(cursor, "blank") : lineOf(cursor, "raw", region);
}

function blankLine(open: Open, cursor: Cursor): MarkdownLine {
  if (open.leaf?.kind !== "indented" || cursor.depth < open.containers.length) open.leaf = null;
  open.containers.length = cursor.depth;
  return lineOf(cursor, "blank");
}

/** A line that is neither blank nor inside a fence or a block of HTML. */
function leafLine(open: Open, cursor: Cursor): MarkdownLine {
  const before = open.leaf;
  const line = beginLeaf(open, cursor);
  if (line.kind === "continuation" || line.kind === "underline") {
    if (before?.kind === "paragraph") line.blockStart = before.start;
  }
  if (line.kind !== "continuation") open.containers.length = cursor.depth;
  line.beginsItem = fillItem(open.containers.at(-1));
  line.depth = open.containers.length;
  return line;
}

/** Whether it was an empty item. */
function fillItem(container: Container | undefined): boolean {
  if (!container?.isEmpty) return false;
  container.isEmpty = false;
  return true;
}

function beginLeaf(open: Open, cursor: Cursor): MarkdownLine {
  const { line, next, indent } = cursor;
  const paragraph = open.leaf?.kind === "paragraph" ? open.leaf : null;
  if (indent >= TAB) {
    if (paragraph !== null) return paragraphLine(open, cursor, paragraph);
    open.leaf = { kind: "indented" };
    return lineOf(cursor, "raw", "code");
  }
  // Most lines are words.
  const marked = "#`~<=-*_|:".includes(line.text[next] ?? "") ? beginMarked(open, cursor, paragraph) : null;
  if (marked !== null) return marked;
  if (open.leaf?.kind === "table" && cursor.depth === open.containers.length) return lineOf(cursor, "row");
  return paragraphLine(open, cursor, paragraph);
}

/** A block that is known by its first character; null for none. */
function beginMarked(open: Open, cursor: Cursor, paragraph: Paragraph | null): MarkdownLine | null {
  const { line, next } = cursor;
  const fence = fenceAt(line.text, next);
  if (fence !== null) {
    open.leaf = { kind: "fence", fence };
    return lineOf(cursor, "raw", "code");
  }
  // A line outside its quote or list item goes on with the paragraph there, but is not under it.
  const above = cursor.depth < open.containers.length ? null : paragraph;
  const html = line.text[next] === "<" ? beginHtml(open, cursor, above !== null) : null;
  if (html !== null) return html;
  const kind = above === null ? null : underParagraph(open, cursor, above);
  if (kind === "delimiter") open.leaf = { kind: "table" };
  else if (kind !== null || isAtxHeading(line.text, next) || isRuler(line.text, next)) open.leaf = null;
  else return null;
  return lineOf(cursor, kind ?? (line.text[next] === "#" ? "atx" : "ruler"));
}

function beginHtml(open: Open, cursor: Cursor, isUnderParagraph: boolean): MarkdownLine | null {
  const { line, next } = cursor;
  const html = htmlAt(line.text, next, isUnderParagraph);
  if (html === null || (html.region === "comment" && !commentEnds(open, line.start + next))) return null;
  open.leaf = html.end?.test(line.text.slice(next)) ? null : { kind: "html", html };
  return lineOf(cursor, "raw", html.region);
}

/** One failed look-ahead answers for all later comments. */
function commentEnds(open: Open, start: number): boolean {
  if (open.commentsEnd) open.commentsEnd = open.text.slice(start, open.to).includes("-->");
  return open.commentsEnd ?? true;
}

/** Whether the line underlines the paragraph, or makes its last line the head of a table. */
function underParagraph(
  { text, containers }: Open,
  { line, next }: Cursor,
  paragraph: Paragraph,
): "underline" | "delimiter" | null {
  if (isDelimiterRow(line.text.slice(next), paragraph.last)) return "delimiter";
  if (!isUnderline(line.text, next)) return null;
  if (containers.length === 0) paragraph.start = definitionsEnd(text, paragraph.start, line.start);
  return paragraph.start < line.start ? "underline" : null;
}

function paragraphLine(open: Open, cursor: Cursor, paragraph: Paragraph | null): MarkdownLine {
  const { line, next } = cursor;
  const last = line.text.slice(next);
  if (paragraph === null) open.leaf = { kind: "paragraph", start: line.start, last };
  else paragraph.last = last;
  return lineOf(cursor, paragraph === null ? "paragraph" : "continuation");
}

function lineOf({ line, next, depth }: Cursor, kind: Kind, region: Region = "text"): MarkdownLine {
  const { start, end, next: after, text } = line;
  const at = start + next;
  return { start, end, next: after, text, region, kind, at, blockStart: start, beginsItem: false, depth };
}

function isAtEnd({ line, next }: Cursor): boolean {
  return next === line.text.length;
}

/** Behind so many columns of characters and white space; a tab may be left half-way. */
function advance(cursor: Cursor, columns: number): void {
  const end = cursor.column + columns;
  while (cursor.column < end) {
    const after = cursor.line.text[cursor.at] === "\t" ? nextTab(cursor.column) : cursor.column + 1;
    if (after <= end) cursor.at++;
    cursor.column = Math.min(after, end);
  }
  skipSpace(cursor);
}

function skipSpace(cursor: Cursor): void {
  const { text } = cursor.line;
  let column = cursor.column;
  let at = cursor.at;
  for (; at < text.length; at++) {
    if (text[at] === "\t") column = nextTab(column);
    else if (text[at] === " ") column++;
    else break;
  }
  cursor.next = at;
  cursor.indent = column - cursor.column;
}

function nextTab(column: number): number {
  return column + TAB - (column % TAB);
}
