import type { Span } from "../lib/text.ts";
import { isBlank } from "./lines.ts";

export interface Fence {
  mark: string;
  length: number;
}

/** The kinds of HTML blocks by what ends them: a mark on some line, or a blank line if it is null. */
export interface HtmlBlock {
  region: "code" | "comment" | "html";
  end: RegExp | null;
  /** What a text ends the block with. */
  closing: string;
}

const ITEM = /(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/y;
const FOOTNOTE = /\[\^(?:[^\s\\[\]]|\\[\\[\]]){1,999}\]:[ \t]*/y;
const UNDERLINE = /(?:=+|-+)[ \t]*$/y;
const ATX = /#{1,6}(?:[ \t]|$)/y;
const DEFINITION =
  /([ \t]*\[)(?!\^|\s*\])((?:[^\\[\]]|\\[\s\S]){1,999})(\]:\s*)(?:<((?:[^\\<>\n]|\\.)*)>|(?!<)((?:[^\s()\\]|\\\S|\\(?!\S)|\((?:[^\s()\\]|\\\S)*\))+))(?:\s+(?:"(?:[^\\"]|\\[\s\S])*"|'(?:[^\\']|\\[\s\S])*'|\((?:[^\\()]|\\[\s\S])*\))(?=[ \t]*(?:[\r\n]|$)))?[ \t]*(?:\r?\n|$)/y;

/** How long the marker of a list item at `at` is, 0 without one; under a paragraph only a list from 1 begins, and with a text. */
export function itemMarker(line: string, at: number, isUnderParagraph: boolean): number {
  const match = matchAt(ITEM, line, at);
  if (match === null) return 0;
  const [{ length }, number = "1"] = match;
  return isUnderParagraph && (number !== "1" || isBlank(line.slice(at + length))) ? 0 : length;
}

/** How long the mark of a footnote at `at` is; 0 without one. */
export function footnoteMark(line: string, at: number): number {
  return matchAt(FOOTNOTE, line, at)?.[0].length ?? 0;
}

export function isAtxHeading(line: string, at: number): boolean {
  return matchAt(ATX, line, at) !== null;
}

export function isUnderline(line: string, at: number): boolean {
  return matchAt(UNDERLINE, line, at) !== null;
}

export function isRuler(line: string, at: number): boolean {
  return "*-_".includes(line[at] ?? " ") && rulerEnd(line, at) === line.length;
}

/** Where `***`, `- - -` or `___` at `at` ends to be a thematic break: the length of the line if it is one. */
export function rulerEnd(line: string, at: number): number {
  const mark = line[at];
  let [end, count] = [at, 0];
  for (; end < line.length; end++) {
    if (line[end] === mark) count++;
    else if (line[end] !== " " && line[end] !== "\t") return end;
  }
  return count >= 3 ? end : end - 1;
}

export function fenceAt(line: string, at: number): Fence | null {
  const mark = line[at];
  if (mark !== "`" && mark !== "~") return null;
  const length = runLength(line, at);
  if (length < 3 || (mark === "`" && line.includes("`", at + length))) return null;
  return { mark, length };
}

export function closesFence(line: string, at: number, { mark, length }: Fence): boolean {
  const run = line[at] === mark ? runLength(line, at) : 0;
  return run >= length && isBlank(line.slice(at + run));
}

/** How often the character at `at` repeats from there on. */
function runLength(line: string, at: number): number {
  let end = at;
  while (end < line.length && line[end] === line[at]) end++;
  return end - at;
}

/** A link definition: `next` is where the line after it starts. */
interface Definition {
  label: Span;
  destination: Span;
  next: number;
}

export function definitionAt(text: string, at: number): Definition | null {
  const match = matchAt(DEFINITION, text, at);
  if (match === null) return null;
  const [whole, before = "", label = "", middle = "", angled, bare = ""] = match;
  const labelStart = at + before.length;
  const start = labelStart + label.length + middle.length + (angled === undefined ? 0 : 1);
  return {
    label: { start: labelStart, end: labelStart + label.length },
    destination: { start, end: start + (angled ?? bare).length },
    next: at + whole.length,
  };
}

/** Where the text of a paragraph begins behind the link definitions at its start. */
export function definitionsEnd(text: string, start: number, end: number): number {
  const paragraph = text.slice(start, end);
  let at = 0;
  for (let one = definitionAt(paragraph, 0); one !== null; one = definitionAt(paragraph, at)) at = one.next;
  return start + at;
}

const MAX_TAG_CHARS = 10_000;
const RAW_TAG = /^<(script|pre|style|textarea)(?=[\s>]|$)/i;
const RAW_END = /<\/(?:script|pre|style|textarea)>/i;
const BLOCK_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/i;
const ANY_TAG =
  /^<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][a-z0-9_.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*)>\s*$/i;
const TO_BLANK_LINE: HtmlBlock = { region: "html", end: null, closing: "" };
const COMMENT: HtmlBlock = { region: "comment", end: /-->/, closing: "-->" };

/** The block of HTML that begins at `at`; under a paragraph, a tag of no block begins none. */
export function htmlAt(line: string, at: number, isUnderParagraph: boolean): HtmlBlock | null {
  const rest = line.slice(at, at + MAX_TAG_CHARS);
  if (rest.startsWith("<!--")) return COMMENT;
  const [, raw] = RAW_TAG.exec(rest) ?? [];
  if (raw !== undefined) return { region: "code", end: RAW_END, closing: `</${raw.toLowerCase()}>` };
  if (rest.startsWith("<?")) return { region: "html", end: /\?>/, closing: "?>" };
  if (rest.startsWith("<![CDATA[")) return { region: "code", end: /\]\]>/, closing: "]]>" };
  if (/^<![a-z]/i.test(rest)) return { region: "html", end: />/, closing: ">" };
  if (BLOCK_TAG.test(rest) || (!isUnderParagraph && ANY_TAG.test(rest))) return TO_BLANK_LINE;
  return null;
}

/** Whether `--- | :---:` makes the line above it the head of a table: it has as many cells. */
export function isDelimiterRow(line: string, head: string): boolean {
  if (!/^[ \t:|-]+$/.test(line) || !/[:|]/.test(line)) return false;
  const cells = cellsOf(line);
  return cells.length === cellsOf(head).length && cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

/** The cells of a row of a table; `\|` is a part of a cell. */
export function cellsOf(row: string): string[] {
  const cells = row.trim().split(/(?<!\\)\|/);
  if (cells.length > 1 && cells[0] === "") cells.shift();
  if (cells.length > 1 && cells.at(-1) === "") cells.pop();
  return cells;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
