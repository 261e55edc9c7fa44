import { groupBy } from "../lib/collections.ts";
import { outlineText, parseAtxHeading } from "./headings.ts";
import { eachMarkdownLine, indentation, isBlank } from "./lines.ts";

export type LinkKind = "wiki" | "embed" | "inline" | "image" | "definition";

interface Span {
  start: number;
  end: number;
}

/** A piece of a text: `text` is what stands in `[start, end)`. */
export interface Piece extends Span {
  text: string;
}

/** A link to a place in the workspace; `[start, end)` is the whole construct, without a definition's title. */
export interface Link extends Span {
  kind: LinkKind;
  /** The path as written, without anchor, alias, title and angle brackets: the part that a move rewrites. */
  target: Piece;
  /** The path that the target means, decoded; `""` for a link inside the document. */
  path: string;
  /** Without `#`, decoded; null if there is none. */
  anchor: string | null;
  /** The alias or the text in brackets, as written. */
  label: string;
}

const MAY_HOLD_LINKS = /\]\((?!https?:)|\]:|\[\[/;
// What is hidden, as long as it is: escapes are part of a path, code is not.
const ESCAPED = "x";
const CODE = "\0";
const BRACKETS = /!?\[\[[^[\]\n\0]{1,1000}\]\]|[[\]]/g;
const DESTINATION = /\s{0,99}(?:<([^<>\n\0]{1,1000})>|(?!<)((?:[^\s()\0]|\([^\s()\0]{0,200}\)){1,1000}))/y;
const INLINE_END = /(?:\s{1,99}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,99}\)/y;
const DEFINITION_END = /[ \t]{0,99}(?=[\r\n]|$|["'(])/y;
const LINE_START = /(?:^|\n)(?: {0,3}(?:>|[-*+] |\d{1,9}[.)] ))* {0,3}$/;
const MAX_MARKS = 40;
const URL = /^(?:[a-z][a-z0-9+.-]{0,30}:|\/\/)/i;
const HIDDEN = /\\[!-/:-@[-`{}~]|`+|<!--/g;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const BLOCK_MARKS = "|#-*+0123456789";

/** The links of a text in order, outside code and comments; no URLs. In a very large text, those of its outline. */
export function* eachLink(text: string, from = 0): Generator<Link> {
  if (!MAY_HOLD_LINKS.test(text)) return;
  for (const { start, end } of eachBlock(outlineText(text), from)) {
    const block = text.slice(start, end);
    if (MAY_HOLD_LINKS.test(block)) yield* linksOfBlock(text, hideCode(block), start);
  }
}

/** What code spans and links cannot cross: paragraphs, list items, headings and table rows. */
function* eachBlock(text: string, from: number): Generator<Span> {
  let block: Span | null = null;
  for (const { start, end, isFirst } of eachProseLine(text, from)) {
    if (block !== null && isFirst) yield block;
    block = { start: block === null || isFirst ? start : block.start, end };
  }
  if (block !== null) yield block;
}

/** The lines outside code and comments; `isFirst` if they begin a block. */
function* eachProseLine(text: string, from: number): Generator<Span & { isFirst: boolean }> {
  let [isFirst, inList] = [true, false];
  for (const { start, end, text: line, region } of eachMarkdownLine(text, from)) {
    if (region !== "text" || isBlank(line)) {
      isFirst = true;
      continue;
    }
    isFirst ||= startsBlock(line);
    if (isFirst) {
      const isItem = LIST_ITEM.test(line);
      const indent = indentation(line);
      inList = isItem ? inList || indent < 4 : inList && indent >= 2;
      // Indented code.
      if (indent === 4 && !inList) continue;
    }
    yield { start, end, isFirst };
    isFirst = false;
  }
}

function startsBlock(line: string): boolean {
  const mark = line.trimStart()[0] ?? "";
  return (
    BLOCK_MARKS.includes(mark) && (mark === "|" || LIST_ITEM.test(line) || parseAtxHeading(line) !== null)
  );
}

/** Hides escapes, code spans and comments, so that offsets stay. `\|` separates an alias in tables. */
function hideCode(block: string): string {
  const runs = groupBy([...block.matchAll(/`+/g)].reverse(), ([run]) => run.length);
  const lastComment = block.lastIndexOf("-->");
  const pattern = new RegExp(HIDDEN);
  let shown = "";
  let from = 0;
  for (let match = pattern.exec(block); match !== null; match = pattern.exec(block)) {
    const [mark] = match;
    let end = match.index + mark.length;
    if (mark === "<!--") end = match.index < lastComment ? block.indexOf("-->", match.index + 2) + 3 : -1;
    else if (mark.startsWith("`")) end = endOfSpan(runs.get(mark.length) ?? [], match.index);
    if (end < 0) continue;
    shown +=
      block.slice(from, match.index) + (mark.startsWith("\\") ? ESCAPED : CODE).repeat(end - match.index);
    from = end;
    pattern.lastIndex = end;
  }
  return shown + block.slice(from);
}

/** Where the code span that opens at `start` ends; `runs` are all runs of its length that are left, the last one first. */
function endOfSpan(runs: RegExpExecArray[], start: number): number {
  while ((runs.at(-1)?.index ?? start + 1) <= start) runs.pop();
  const close = runs.at(-1);
  return close === undefined ? -1 : close.index + close[0].length;
}

function* linksOfBlock(text: string, block: string, offset: number): Generator<Link> {
  const open: number[] = [];
  let from = 0;
  for (const { 0: bracket, index } of block.matchAll(BRACKETS)) {
    if (index < from) continue;
    if (bracket === "[") {
      open.push(index);
      continue;
    }
    const link =
      bracket === "]"
        ? markdownLink(text, block, { start: open.pop() ?? -1, close: index, offset })
        : wikiLink(text, offset + index, bracket);
    if (link === null) continue;
    from = link.end - offset;
    yield link;
  }
}

/** `![[folder/name#heading|alias]]` */
function wikiLink(text: string, start: number, { length }: string): Link | null {
  const kind = text[start] === "!" ? "embed" : "wiki";
  const end = start + length;
  const from = start + (kind === "embed" ? 3 : 2);
  const inner = text.slice(from, end - 2);
  const [, path = "", anchor, alias = ""] = /^([^#|]*?)(?:#([^|]*?))?(?:\\?\|(.*))?$/s.exec(inner) ?? [];
  const target = pieceAt(text, from + path.length - path.trimStart().length, path.trim().length);
  if (target.text === "" && anchor === undefined) return null;
  return { kind, start, end, target, path: target.text, anchor: anchor?.trim() ?? null, label: alias };
}

/** Places of the brackets in the block, and of the block in the text. */
interface Brackets {
  start: number;
  close: number;
  offset: number;
}

/** What `[…]` begins; null for anything but a link into the workspace. */
function markdownLink(text: string, block: string, { start, close, offset }: Brackets): Link | null {
  const kind = start === -1 ? null : kindOf(block, start, close);
  const place = kind === null ? null : destinationAt(block, close + 2, kind);
  if (kind === null || place === null) return null;
  const written = text.slice(offset + place.start, offset + place.start + place.shown.length);
  if (URL.test(written)) return null;
  const { path, hash } = /^(?<path>[^?#]*)[^#]*(?<hash>#.*)?$/s.exec(place.shown)?.groups ?? {};
  const target = pieceAt(text, offset + place.start, path?.length ?? 0);
  return {
    kind,
    start: offset + start - (kind === "image" ? 1 : 0),
    end: offset + place.end,
    target,
    path: decode(target.text),
    anchor: hash === undefined ? null : decode(written.slice(1 - hash.length)),
    label: text.slice(offset + start + 1, offset + close),
  };
}

function kindOf(block: string, start: number, close: number): "inline" | "image" | "definition" | null {
  if (block[close + 1] === "(") return block[start - 1] === "!" ? "image" : "inline";
  return block[close + 1] === ":" && startsLine(block, start) ? "definition" : null;
}

/** The destination behind `](` or `]:`, and where the link ends: before the title of a definition. */
function destinationAt(block: string, at: number, kind: LinkKind): (Span & { shown: string }) | null {
  const destination = matchAt(DESTINATION, block, at);
  if (destination === null) return null;
  const [whole, angled, shown = angled ?? ""] = destination;
  const end = at + whole.length;
  const tail = matchAt(kind === "definition" ? DEFINITION_END : INLINE_END, block, end);
  if (tail === null) return null;
  const start = end - shown.length - (angled === undefined ? 0 : 1);
  return { start, end: kind === "definition" ? end : end + tail[0].length, shown };
}

function pieceAt(text: string, start: number, length: number): Piece {
  return { start, end: start + length, text: text.slice(start, start + length) };
}

/** Whether the bracket at `at` can open a definition, also in a quote or a list item; `[^1]:` is a footnote. */
function startsLine(block: string, at: number): boolean {
  return LINE_START.test(block.slice(Math.max(at - MAX_MARKS, 0), at)) && block[at + 1] !== "^";
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Without backslash escapes and percent-encoding; as written if that is not valid. */
function decode(path: string): string {
  const plain = path.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain; // `50%.md`
  }
}
