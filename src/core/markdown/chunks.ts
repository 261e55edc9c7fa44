import type { Span } from "../lib/text.ts";
import { eachMarkdownLine } from "./blocks.ts";
import { outlineText, trackedHeadings } from "./headings.ts";
import { eachLine, isBlank } from "./lines.ts";
import { headingLine } from "./sections.ts";

/** A piece of a document under one level 1 or 2 heading (level 0: before the first). */
export interface Chunk {
  heading: string | null;
  level: 0 | 1 | 2;
  content: string;
  order: number;
  /** Where `content` starts in the whole text. */
  offset: number;
}

interface Part extends Span {
  heading: string | null;
  level: 0 | 1 | 2;
}

export const MAX_CHUNK_CHARS = 6_000;

/** At least one chunk; except for white space and the headings, no character is lost or repeated. */
export function chunkMarkdown(text: string, from = 0): Chunk[] {
  const chunks: Chunk[] = [];
  const outlineEnd = Math.max(from, outlineText(text).length);
  for (const { heading, level, start, end } of eachPart(text, from)) {
    const spans = pack(text, { start, end }, outlineEnd);
    if (spans.length === 0 && heading !== null) spans.push({ start, end: start });
    for (const span of spans) {
      const content = text.slice(span.start, span.end);
      chunks.push({ heading, level, content, order: chunks.length, offset: span.start });
    }
  }
  if (chunks.length === 0) return [{ heading: null, level: 0, content: "", order: 0, offset: from }];
  return chunks;
}

function* eachPart(text: string, from: number): Generator<Part> {
  let part: Omit<Part, "end"> = { heading: null, level: 0, start: from };
  for (const { level, text: title, start, end } of trackedHeadings(text, from)) {
    if (level !== 1 && level !== 2) continue;
    yield { ...part, end: start };
    part = { heading: headingLine({ level, text: title }), level, start: end };
  }
  yield { ...part, end: text.length };
}

/** Fills each span up to the limit with whole paragraphs, else lines, else pieces of a line. */
function pack(text: string, part: Span, outlineEnd: number): Span[] {
  const spans: Span[] = [];
  let last: Span | null = null;
  for (const piece of eachPiece(text, part, outlineEnd)) {
    if (last !== null && piece.end - last.start <= MAX_CHUNK_CHARS) {
      last.end = piece.end;
    } else {
      last = { ...piece };
      spans.push(last);
    }
  }
  return spans;
}

/** Pieces within the limit; past the outline, line breaks are ignored. */
function* eachPiece(text: string, { start, end }: Span, outlineEnd: number): Generator<Span> {
  for (const paragraph of eachParagraph(text, start, Math.min(end, outlineEnd)))
    yield* cutParagraph(text, paragraph);
  if (end <= outlineEnd) return;
  const rest = text.slice(outlineEnd, end).trimStart();
  if (rest !== "") yield* cutLine(text, end - rest.length, end - rest.length + rest.trimEnd().length);
}

/** Runs of lines between blank lines, except blank lines inside a fence. */
function* eachParagraph(text: string, start: number, end: number): Generator<Span> {
  let open: Span | null = null;
  for (const line of eachMarkdownLine(text, start, end)) {
    if (!isBlank(line.text)) {
      open ??= { start: line.start, end: line.end };
      open.end = line.start + line.text.trimEnd().length;
    } else if (open !== null && line.region === "text") {
      yield open;
      open = null;
    }
  }
  if (open !== null) yield open;
}

function* cutParagraph(text: string, paragraph: Span): Generator<Span> {
  if (paragraph.end - paragraph.start <= MAX_CHUNK_CHARS) {
    yield paragraph;
    return;
  }
  for (const line of eachLine(text, paragraph.start, paragraph.end)) {
    const end = line.start + line.text.trimEnd().length;
    if (end > line.start) yield* cutLine(text, line.start, end);
  }
}

function* cutLine(text: string, lineStart: number, end: number): Generator<Span> {
  let start = lineStart;
  while (end - start > MAX_CHUNK_CHARS) {
    const cut = cutPoint(text, start);
    const length = text.slice(start, cut).trimEnd().length;
    if (length > 0) yield { start, end: start + length };
    start = cut;
    while (start < end && isBlank(text[start] ?? "")) start++;
  }
  yield { start, end };
}

/** At a space or after a full stop in the second half of the limit, if any; never inside a surrogate pair. */
function cutPoint(text: string, start: number): number {
  const limit = start + MAX_CHUNK_CHARS;
  for (let at = limit; at > limit - MAX_CHUNK_CHARS / 2; at--) {
    if (text[at - 1] === "。" || isBlank(text[at] ?? "")) return at;
  }
  return /[\uDC00-\uDFFF]/.test(text[limit] ?? "") && /[\uD800-\uDBFF]/.test(text[limit - 1] ?? "")
    ? limit - 1
    : limit;
}
