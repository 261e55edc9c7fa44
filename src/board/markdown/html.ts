import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { eachMarkdownLine } from "../../core/markdown/blocks.ts";
import { conflictSides } from "../../core/markdown/conflicts.ts";

type Extension = ReturnType<typeof gfm>;
type HtmlExtension = ReturnType<typeof gfmHtml>;
type Tokenizer = Exclude<NonNullable<NonNullable<Extension["text"]>[number]>, unknown[]>["tokenize"];
type State = ReturnType<Tokenizer>;
type TokenType = Parameters<Parameters<Tokenizer>[0]["enter"]>[0];

/** The labels of footnotes, which are part of the HTML. */
export interface FootnoteWords {
  footnotes: string;
  back: string;
}

/**
 * Markdown as HTML without any HTML of its own. `[[…]]` becomes `<a data-wiki>`, `![[…]]` `<a data-wiki data-embed>`; a checkbox has the place of its mark in `text`
 * as `data-at`.
 */
export function toHtml(text: string, words: FootnoteWords): string {
  const shown = fenceConflicts(text);
  return piecesOf(shown)
    .map(({ start, end }) => pieceToHtml(shown.slice(start, end), start, words))
    .join("\n");
}

function pieceToHtml(text: string, start: number, { footnotes, back }: FootnoteWords): string {
  const footnoteHtml = { label: footnotes, backLabel: (at: number) => `${back} ${at + 1}` };
  return micromark(text, {
    extensions: [gfm({ singleTilde: false }), { text: { 33: WIKI_LINK, 91: WIKI_LINK } }],
    htmlExtensions: [gfmHtml(footnoteHtml), ownHtml(start)],
  });
}

/** The time for a text grows with the square of its length, so long ones are cut between blocks. */
const PIECE_CHARS = 20_000;
/** These are valid in the whole text. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

/** Exported for its test. */
export function piecesOf(text: string): { start: number; end: number }[] {
  const cuts = [0];
  let isAfterBlank = false;
  const isCut = text.length > PIECE_CHARS && !DEFINITION.test(text);
  for (const { start, kind, depth } of isCut ? eachMarkdownLine(text) : []) {
    const begins = isAfterBlank && depth === 0 && (kind === "paragraph" || kind === "atx");
    if (begins && start - (cuts.at(-1) ?? 0) > PIECE_CHARS) cuts.push(start);
    isAfterBlank = kind === "blank";
  }
  return cuts.map((start, at) => ({ start, end: cuts[at + 1] ?? text.length }));
}

const WIKI = "wikiLink" as TokenType;
const MAX_WIKI_CHARS = 1000;
const [BANG, OPEN, CLOSE] = [33, 91, 93];

const WIKI_LINK = { name: "wikiLink", tokenize: tokenizeWiki };

/** `[[name]]` or `![[name]]`, on one line. */
function tokenizeWiki(...[effects, ok, nok]: Parameters<Tokenizer>): State {
  let size = 0;
  const take = (wanted: number, next: State): State => {
    return (code) => {
      if (code !== wanted) return nok(code);
      effects.consume(code);
      return next;
    };
  };
  const end: State = (code) => {
    effects.exit(WIKI);
    return ok(code);
  };
  const inside: State = (code) => {
    if (code === CLOSE && size > 0) return take(CLOSE, take(CLOSE, end))(code);
    // Negative codes are line endings and tabs.
    if (code === null || code < 0 || code === OPEN || code === CLOSE || ++size > MAX_WIKI_CHARS)
      return nok(code);
    effects.consume(code);
    return inside;
  };
  const open = take(OPEN, take(OPEN, inside));
  return (code) => {
    effects.enter(WIKI);
    return code === BANG ? take(BANG, open)(code) : open(code);
  };
}

interface Token {
  start: { offset: number };
}

interface Compiler {
  tag(html: string): void;
  raw(html: string): void;
  encode(text: string): string;
  buffer(): undefined;
  resume(): string;
  sliceSerialize(token: Token): string;
}

function exitWiki(this: Compiler, token: Token): void {
  const written = this.sliceSerialize(token);
  const inner = this.encode(written.replace(/^!?\[\[|\]\]$/g, ""));
  this.tag(`<a data-wiki="${inner}"${written.startsWith("!") ? " data-embed" : ""}>`);
  this.raw(inner);
  this.tag("</a>");
}

function enterHtml(this: Compiler): void {
  this.buffer();
}

/** HTML is shown as text, comments are not. */
function exitHtmlText(this: Compiler, token: Token): void {
  const shown = this.resume();
  if (!isComment(this.sliceSerialize(token))) this.raw(shown);
}

function exitHtmlFlow(this: Compiler, token: Token): void {
  const shown = this.resume();
  if (isComment(this.sliceSerialize(token))) return;
  this.tag("<p>");
  this.raw(shown);
  this.tag("</p>");
}

const isComment = (html: string) => html.trimStart().startsWith("<!--");

/** Its types know only the tokens of Markdown itself. */
function ownHtml(from: number): HtmlExtension {
  function taskListCheck(this: Compiler, { start }: Token): void {
    this.tag(`<input type="checkbox" data-at="${from + start.offset + 1}" `);
  }
  return {
    enter: { taskListCheck, htmlFlow: enterHtml, htmlText: enterHtml },
    exit: { [WIKI]: exitWiki, htmlFlow: exitHtmlFlow, htmlText: exitHtmlText },
  } as HtmlExtension;
}

/**
 * The text with fences in place of the outer markers of each conflict, which would be headings and quotes. Places in the text
 * stay the same.
 */
function fenceConflicts(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of conflictSides(text)) {
    const lines = text.slice(start, end).split(/(\r?\n)/);
    const last = lines.findLastIndex((line) => line.startsWith(">"));
    parts.push(text.slice(from, start));
    parts.push(...lines.map((line, at) => (at === 0 || at === last ? fenceOf(line) : line)));
    from = end;
  }
  return parts.join("") + text.slice(from);
}

function fenceOf(marker: string): string {
  return marker
    .replace(/^[<>]+/, (signs) => "~".repeat(signs.length))
    .replace(/ .*/, (label) => " ".repeat(label.length));
}
