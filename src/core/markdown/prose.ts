import { groupBy } from "../lib/collections.ts";
import { eachMarkdownLine, type MarkdownLine } from "./blocks.ts";
import { outlineText } from "./headings.ts";

/** What no code span and no link crosses: a paragraph, a heading or a cell of a table, without the marks before its lines. */
export interface Prose {
  start: number;
  end: number;
  /** Whether link definitions may stand at its start. */
  isParagraph: boolean;
  /** The marks of quotes before its further lines. */
  marks: { start: number; end: number }[];
}

// What is hidden, as long as it is: escapes are part of a path, code is not.
const ESCAPED = "x";
const HIDDEN = "\0";
/** A backslash before punctuation, and character references. */
export const ESCAPE = /\\[!-/:-@[-`{-~]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
const TAG =
  /<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|\/[a-z][a-z0-9-]*\s*|[a-z][a-z0-9-]*(?:\s+[a-z_:][a-z0-9_.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>/;
const NO_TEXT = new RegExp(`${ESCAPE.source}|\`+|<!--|${TAG.source}`, "gi");
/** Between a link's text and its destination. */
const MAX_GAP = 100;
const IN_DESTINATION = /\]\(\s*[^\s()]*$/;
const CELL = /(?:\\[\s\S]|\[\[[^[\]\n]*\]\]|[^|\\])+/g;

/** The inline texts of a text, outside code and HTML. In a very large text, those of its outline. */
export function* eachProse(text: string, from: number): Generator<Prose> {
  let block: Prose | null = null;
  let above: MarkdownLine | undefined;
  for (const line of eachMarkdownLine(outlineText(text), from)) {
    if (line.kind === "continuation" && block !== null) {
      extend(block, text, line);
    } else {
      yield* endedBy(line, text, { block, above });
      block = beginProse(line);
    }
    above = line;
  }
  if (block !== null) yield block;
}

/** The inline texts that are known to end when this line is read. */
function* endedBy(
  line: MarkdownLine,
  text: string,
  { block, above }: { block: Prose | null; above: MarkdownLine | undefined },
): Generator<Prose> {
  if (block !== null && line.kind === "delimiter") yield* aboveTable(block, text, above ?? line);
  else if (block !== null) yield block;
  if (line.kind === "row") yield* eachCell(text, line);
}

function beginProse({ kind, at, end }: MarkdownLine): Prose | null {
  if (kind !== "paragraph" && kind !== "atx") return null;
  return { start: at, end, isParagraph: kind === "paragraph", marks: [] };
}

function extend(block: Prose, text: string, { start, at, end }: MarkdownLine): void {
  block.end = end;
  if (text.slice(start, at).includes(">")) block.marks.push({ start, end: at });
}

/** The paragraph whose last line, `head`, turns out to be that of a table. */
function* aboveTable(block: Prose, text: string, head: MarkdownLine): Generator<Prose> {
  if (head.start > block.start) yield { ...block, end: head.start };
  yield* eachCell(text, head);
}

function* eachCell(text: string, { at, end }: MarkdownLine): Generator<Prose> {
  for (const { 0: cell, index } of text.slice(at, end).matchAll(CELL))
    yield { start: at + index, end: at + index + cell.length, isParagraph: false, marks: [] };
}

/** The text with escapes, code spans, tags and comments hidden, so that offsets stay. */
export function shownText(text: string, { start, end, marks }: Prose): string {
  const block = text.slice(start, end);
  const runs = groupBy([...block.matchAll(/`+/g)].reverse(), ([run]) => run.length);
  const lastComment = block.lastIndexOf("-->");
  const pattern = new RegExp(NO_TEXT);
  let shown = "";
  let from = 0;
  for (let match = pattern.exec(block); match !== null; match = pattern.exec(block)) {
    const [mark] = match;
    const hidden = mark.startsWith("`")
      ? endOfSpan(runs.get(mark.length) ?? [], match.index)
      : endOfMark(block, { from, lastComment, mark, at: match.index });
    if (hidden < 0) continue;
    const sign = /^[\\&]/.test(mark) ? ESCAPED : HIDDEN;
    shown += block.slice(from, match.index) + sign.repeat(hidden - match.index);
    from = hidden;
    pattern.lastIndex = hidden;
  }
  return withoutMarks(shown + block.slice(from), start, marks);
}

/** Where an escape, a tag or a comment at `at` ends; -1 if it is none, or part of a destination. */
function endOfMark(
  block: string,
  { from, lastComment, mark, at }: { from: number; lastComment: number; mark: string; at: number },
): number {
  if (mark === "<!--") return at < lastComment ? block.indexOf("-->", at + 2) + 3 : -1;
  const before = mark.startsWith("<") ? block.slice(Math.max(at - MAX_GAP, from), at) : "";
  return IN_DESTINATION.test(before) ? -1 : at + mark.length;
}

/** The text without quote marks before its lines. */
export function plainText(text: string, { start, end, marks }: Prose): string {
  return withoutMarks(text.slice(start, end), start, marks);
}

/** Quote marks are white space between the lines of a paragraph. */
function withoutMarks(shown: string, offset: number, marks: Prose["marks"]): string {
  let text = "";
  let from = 0;
  for (const { start, end } of marks) {
    if (start < offset) continue;
    text += shown.slice(from, start - offset) + " ".repeat(end - start);
    from = end - offset;
  }
  return text + shown.slice(from);
}

/** Where the code span that opens at `start` ends; `runs` are all runs of its length that are left, the last one first. */
function endOfSpan(runs: RegExpExecArray[], start: number): number {
  while ((runs.at(-1)?.index ?? start + 1) <= start) runs.pop();
  const close = runs.at(-1);
  return close === undefined ? -1 : close.index + close[0].length;
}
