import { setImmediate as nextTurn } from "node:timers/promises";
import { fill } from "./read.ts";

/** A position where decoding can start; `char` counts UTF-16 code units, `breaks` the line breaks before it. */
export interface Mark {
  byte: number;
  char: number;
  breaks: number;
}

/** An index of one version of a file: sparse marks in order, and its end once the whole file was read. */
export interface PageIndex {
  marks: Mark[];
  end: (Mark & { lines: number }) | undefined;
}

/** An open file with the index of its version. */
export interface PagedFile {
  descriptor: number;
  index: PageIndex;
}

export interface Page {
  text: string;
  /** Where the text starts: at the requested offset, or at the start of the surrogate pair around it. */
  start: number;
  /** The line of the first character, from 1. */
  line: number;
  atEnd: boolean;
}

const STEP_BYTES = 32 * 1024;
// Other requests run between turns.
const STEPS_A_TURN = 64;
const START: Mark = { byte: 0, char: 0, breaks: 0 };

export function createPageIndex(): PageIndex {
  return { marks: [START], end: undefined };
}

/** Up to `most` characters from `offset`; undefined beyond the end. Invalid bytes become U+FFFD, as everywhere. */
export async function readPage(file: PagedFile, offset: number, most: number): Promise<Page | undefined> {
  const { index } = file;
  await grow(file, (last) => last.char > offset + most);
  if (index.end !== undefined && offset > index.end.char) return undefined;
  const from = index.marks.findLast((mark) => mark.char <= offset) ?? START;
  const to = index.marks.find((mark) => mark.char > offset + most);
  const text = decode(file, from, to);
  const first = wholeFrom(text, offset - from.char);
  const last = wholeFrom(text, Math.min(text.length, first + most));
  const line = from.breaks + 1 + countBreaks(text.slice(0, first));
  return {
    text: text.slice(first, last),
    start: from.char + first,
    line: index.end === undefined ? line : Math.min(line, index.end.lines),
    atEnd: from.char + last === index.end?.char,
  };
}

/** Where a line (from 1) starts; undefined if the file has fewer lines: then `index.end` has their number. */
export async function lineStart(file: PagedFile, line: number): Promise<number | undefined> {
  const { index } = file;
  const breaks = line - 1;
  if (breaks === 0) return 0;
  await grow(file, (last) => last.breaks >= breaks);
  const from = index.marks.findLast((mark) => mark.breaks < breaks) ?? START;
  const to = index.marks.find((mark) => mark.breaks >= breaks);
  const text = decode(file, from, to);
  const offset = from.char + afterBreak(text, breaks - from.breaks);
  if (index.end !== undefined && (index.end.breaks < breaks || offset >= index.end.char)) return undefined;
  return offset;
}

/** The offset after the `count`th line break; the text's length if it has fewer. */
export function afterBreak(text: string, count: number): number {
  let at = 0;
  for (let n = 0; n < count; n++) {
    const newline = text.indexOf("\n", at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}

export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Reads until the last mark is enough, or to the end. Calls that read the same version share the index. */
async function grow(file: PagedFile, isEnough: (last: Mark) => boolean): Promise<void> {
  const buffer = Buffer.allocUnsafe(STEP_BYTES + 1);
  for (let step = 1; file.index.end === undefined && !isEnough(lastOf(file.index)); step++) {
    growOnce(file, buffer);
    if (step % STEPS_A_TURN === 0) await nextTurn();
  }
}

function growOnce({ descriptor, index }: PagedFile, buffer: Buffer): void {
  const last = lastOf(index);
  const filled = fill(descriptor, buffer, last.byte);
  const isLast = filled < buffer.length;
  const bytes = buffer.subarray(0, isLast ? filled : cleanCut(buffer, STEP_BYTES));
  const text = bytes.toString("utf8");
  const mark = {
    byte: last.byte + bytes.length,
    char: last.char + text.length,
    breaks: last.breaks + countBreaks(text),
  };
  if (!isLast) {
    index.marks.push(mark);
    return;
  }
  const hasLastLine = text === "" ? last.byte === 0 : !text.endsWith("\n");
  index.end = { ...mark, lines: mark.breaks + (hasLastLine ? 1 : 0) };
}

/** A cut at or shortly before `at` that splits no UTF-8 sequence, valid or broken. */
function cleanCut(bytes: Buffer, at: number): number {
  for (let cut = at; cut > at - 4; cut--) {
    if (((bytes[cut] ?? 0) & 0xc0) !== 0x80) return cut;
  }
  // A sequence has at most three continuation bytes: these are not part of one.
  return at;
}

function decode({ descriptor, index }: PagedFile, from: Mark, to: Mark | undefined): string {
  const until = to ?? index.end ?? lastOf(index);
  const buffer = Buffer.allocUnsafe(until.byte - from.byte);
  return buffer.toString("utf8", 0, fill(descriptor, buffer, from.byte));
}

/** `at`, or one less if it would split a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  const splits = /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  return splits ? at - 1 : at;
}

function lastOf({ marks }: PageIndex): Mark {
  return marks.at(-1) ?? START;
}
