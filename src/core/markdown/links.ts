import type { Span } from "../lib/text.ts";
import { definitionAt } from "./block-starts.ts";
import { ESCAPE, eachProse, type Prose, plainText, shownText } from "./prose.ts";

export type LinkKind = "wiki" | "embed" | "inline" | "image" | "definition";

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

/** A Markdown link by its places in a block; `shown` is its destination with escapes hidden. */
interface Parts extends Span {
  kind: "inline" | "image" | "definition";
  label: Span;
  destination: Span;
  shown: string;
}

const MAY_HOLD_LINKS = /\]\((?!https?:)|\]:|\[\[/;
const BRACKETS = /!?\[\[[^[\]\n\0]{1,1000}\]\]|[[\]]/g;
const SPACE = /\s*/y;
const ANGLED = /<([^<>\n\0]{0,1000})>/y;
const INLINE_END = /(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y;
/** `repo:` is a folder. */
const URL = /^(?:(?!repo:)[a-z][a-z0-9+.-]{0,30}:|\/\/)/i;
const MAX_DESTINATION_CHARS = 1_000;
const MAX_PARENTHESES = 32;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00A0" };

/** The links of a text in order, outside code and HTML; no URLs. In a very large text, those of its outline. */
export function* eachLink(text: string, from = 0): Generator<Link> {
  if (!MAY_HOLD_LINKS.test(text)) return;
  for (const prose of eachProse(text, from)) yield* linksOf(text, prose);
}

/** The links of a piece of prose. */
export function* linksOf(text: string, prose: Prose): Generator<Link> {
  if (!MAY_HOLD_LINKS.test(text.slice(prose.start, prose.end))) return;
  const start = prose.isParagraph ? yield* definitions(text, prose) : prose.start;
  yield* inlineLinks(text, shownText(text, { ...prose, start }), start);
}

/** The links in a part of a text that is one piece of prose. */
export function linksWithin(text: string, { start, end }: Span): Generator<Link> {
  return inlineLinks(text, shownText(text, { start, end, isParagraph: false, marks: [] }), start);
}

/** The links that a paragraph defines at its start; returns where its text begins. */
function* definitions(text: string, prose: Prose): Generator<Link, number> {
  const { start } = prose;
  const paragraph = plainText(text, prose);
  let at = 0;
  for (let one = definitionAt(paragraph, 0); one !== null; one = definitionAt(paragraph, at)) {
    const { label, destination } = one;
    const end = destination.end + (paragraph[destination.start - 1] === "<" ? 1 : 0);
    const shown = paragraph
      .slice(destination.start, destination.end)
      .replace(ESCAPE, ({ length }) => "x".repeat(length));
    const link = linkAt(text, start, {
      kind: "definition",
      start: label.start - 1,
      end,
      label,
      destination,
      shown,
    });
    if (link !== null) yield link;
    at = one.next;
  }
  return start + at;
}

/** The brackets of a block that are read so far. */
interface Brackets {
  open: Span[];
  /** No link holds another one: so many of the open ones are around a link, and spent unless they are those of a picture. */
  spent: number;
  /** Where the last link ends. */
  end: number;
}

function* inlineLinks(text: string, block: string, offset: number): Generator<Link> {
  const brackets: Brackets = { open: [], spent: 0, end: 0 };
  for (const { 0: bracket, index } of block.matchAll(BRACKETS)) {
    const link =
      index < brackets.end ? null : readBracket({ text, block, offset }, brackets, { bracket, index });
    if (link !== null) yield link;
  }
}

/** The link that ends with the bracket, or with the two of a wikilink. */
function readBracket(
  { text, block, offset }: { text: string; block: string; offset: number },
  brackets: Brackets,
  { bracket, index }: { bracket: string; index: number },
): Link | null {
  if (bracket === "[") {
    brackets.open.push({ start: block[index - 1] === "!" ? index - 1 : index, end: index + 1 });
    return null;
  }
  if (bracket === "]") {
    const parts = closeBracket(block, brackets, index);
    return parts === null ? null : linkAt(text, offset, parts);
  }
  const link = wikiLink(text, offset + index, bracket);
  if (link !== null) brackets.end = index + bracket.length;
  return link;
}

function closeBracket(block: string, brackets: Brackets, at: number): Parts | null {
  const { open, spent } = brackets;
  const opener = open.pop();
  const isSpent = open.length < spent;
  brackets.spent = Math.min(spent, open.length);
  const parts = opener === undefined ? null : partsAt(block, opener, at);
  if (parts === null || (isSpent && parts.kind === "inline")) return null;
  if (parts.kind === "inline") brackets.spent = open.length;
  brackets.end = parts.end;
  return parts;
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

/** The link with the text between `opener` and the bracket at `close`; null if no destination follows. */
function partsAt(block: string, opener: Span, close: number): Parts | null {
  if (block[close + 1] !== "(") return null;
  const destination = destinationAt(block, endOf(SPACE, block, close + 2));
  const isAngled = block[destination.start - 1] === "<";
  const end = endOf(INLINE_END, block, destination.end + (isAngled ? 1 : 0));
  if (end === -1) return null;
  return {
    start: opener.start,
    end,
    label: { start: opener.end, end: close },
    kind: block[opener.start] === "!" ? "image" : "inline",
    destination,
    shown: block.slice(destination.start, destination.end),
  };
}

/** Up to white space or a parenthesis that it does not open, or between `<` and `>`. */
function destinationAt(block: string, start: number): Span {
  const angledEnd = endOf(ANGLED, block, start);
  if (angledEnd !== -1) return { start: start + 1, end: angledEnd - 1 };
  let depth = block[start] === "<" ? 1 : 0;
  let end = start;
  for (; end < block.length && end - start < MAX_DESTINATION_CHARS; end++) {
    const character = block[end] ?? "";
    if (character === "(" && ++depth > MAX_PARENTHESES) break;
    if ((character === ")" && --depth < 0) || /[\s\0]/.test(character)) break;
  }
  return { start, end: depth > 0 ? block.length : end };
}

/** The link into the workspace with these parts; null for URLs. */
function linkAt(
  text: string,
  offset: number,
  { kind, start, end, label, destination, shown }: Parts,
): Link | null {
  const written = text.slice(offset + destination.start, offset + destination.end);
  if (written === "" || URL.test(written)) return null;
  const { path, hash } = /^(?<path>[^?#]*)[^#]*(?<hash>#.*)?$/s.exec(shown)?.groups ?? {};
  const target = pieceAt(text, offset + destination.start, path?.length ?? 0);
  return {
    kind,
    start: offset + start,
    end: offset + end,
    target,
    path: decodeDestination(target.text),
    anchor: hash === undefined ? null : decodeDestination(written.slice(written.length - hash.length + 1)),
    label: text.slice(offset + label.start, offset + label.end),
  };
}

function pieceAt(text: string, start: number, length: number): Piece {
  return { start, end: start + length, text: text.slice(start, start + length) };
}

/** Where a match at `at` ends; -1 for none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Without escapes and percent-encoding; as written if that is not valid. */
export function decodeDestination(path: string): string {
  const plain = path.replace(ESCAPE, (mark) => (mark.startsWith("&") ? entity(mark) : mark.slice(1)));
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain; // `50%.md`
  }
}

function entity(reference: string): string {
  const name = reference.slice(1, -1);
  const [, hex, decimal] = /^#(?:x(.+)|(.+))$/i.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (Number.isNaN(code)) return ENTITIES[name] ?? reference;
  return code === 0 || code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
}

/** A path as a Markdown destination, percent-encoded as far as it must be, or as the old one was. */
export function encodeDestination(path: string, old = "", isAngled = false): string {
  if (isAngled) return path.replace(/[<>%#?:\\`\p{Cc}]|&(?=#?\w+;)/gu, percent);
  const hidden = /%[89a-f]/i.test(old)
    ? /[^\w./~!$&'*+,;=@-]|&(?=#?\w+;)/gu
    : /[\s\p{Cc}<>()[\]%#?:\\`]|&(?=#?\w+;)/gu;
  return path.replace(hidden, percent);
}

function percent(char: string): string {
  const bytes = [...new TextEncoder().encode(char)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

/** A text between the brackets of a link. */
export function escapeLabel(text: string): string {
  return text.replace(/[\\[\]`]/g, "\\$&");
}
