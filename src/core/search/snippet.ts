import { splitNames, type Token, tokenize } from "../index/tokenizer.ts";
import { groupBy, once } from "../lib/collections.ts";
import { CLOSE, OPEN } from "../lib/marks.ts";
import { fold, type Span } from "../lib/text.ts";
import { linksWithin } from "../markdown/links.ts";
import { eachProse, shownText } from "../markdown/prose.ts";
import { LETTERS_OF_A_WORD, pairsOf, type Term } from "./query.ts";

/** The most that a snippet shows: characters without marks, and words as people count them or tokens of the index. */
export interface SnippetSize {
  chars: number;
  words?: number;
  tokens?: number;
}

type Size = Required<SnippetSize>;

const CUT = "...";

/** An occurrence of a term: its first and last token. */
interface Match {
  from: number;
  to: number;
  term: number;
}

export interface Snippet {
  text: string;
  /** Where its matches begin in the text. */
  at: number;
  /** What the text says to the terms outside of it; undefined if nothing. */
  elsewhere(): ((size: SnippetSize) => Snippet) | undefined;
}

/**
 * Makes snippets of `text`: the passage that holds most of the terms, from the beginning of a sentence to the end of one if that
 * leaves enough of it, with matches marked `>>>…<<<`, `...` for omitted text, and white space folded. A text without a match, also
 * inside its names, gives its beginning, after the first of `namesOf` (heading, title, path) that has one.
 */
export function snippetMaker(
  text: string,
  terms: Term[],
  namesOf: () => readonly string[] = () => [],
): (size: SnippetSize) => Snippet {
  const tokens = tokenize(text);
  const ofText = passagesOf(text, tokens, terms);
  if (ofText.hasMatch) return ofText.cut;
  const insideNames = passagesOf(text, splitNames(tokens), terms);
  if (insideNames.hasMatch) return insideNames.cut;
  for (const name of namesOf()) {
    const ofName = passagesOf(name, tokenize(name), terms);
    if (ofName.hasMatch) return (size) => nameBeforeText(ofName.cut(size), size, ofText.cut);
  }
  return ofText.cut;
}

/** Whether a text holds one of the terms. */
export function holdsTerm(text: string, terms: Term[]): boolean {
  return findMatches(text, tokenize(text), terms).length > 0;
}

/** A text, or a part of it: `tokens` from `start` on. */
interface Source {
  text: string;
  start: number;
  tokens: Token[];
  /** How many words there are before each token. */
  before: number[];
  matches: Match[];
}

function passagesOf(text: string, tokens: Token[], terms: Term[]) {
  const matches = findMatches(text, tokens, terms);
  const marked = once(() =>
    joinSpans(
      markable(
        text,
        matches.map(({ from, to }) => spanOf(tokens, from, to)),
      ),
    ),
  );
  const cut = (source: Source, asked: SnippetSize): Snippet => {
    const size = { words: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY, ...asked };
    const stretch = bestStretch(source, size);
    const passage = passageAround(source, stretch, size);
    const inside = marked().filter(({ start, end }) => end > passage.start && start < passage.end);
    const cutEnd = text.slice(passage.end).trim() === "" ? "" : CUT;
    const cutStart = text.slice(0, passage.start).trim() === "" ? "" : CUT;
    const elsewhere = () => {
      const side = richerSide(source, passage);
      return side && ((size: SnippetSize) => cut(side, size));
    };
    const at = source.tokens[stretch.from]?.start ?? 0;
    return { text: `${cutStart}${mark(text, passage, inside)}${cutEnd}`, at, elsewhere };
  };
  const whole = { text, start: 0, tokens, before: countWords(text, tokens), matches };
  return { hasMatch: matches.length > 0, cut: (size: SnippetSize) => cut(whole, size) };
}

/** The part before or behind a passage, whichever holds more of the terms; undefined if neither holds any. */
function richerSide(source: Source, { start, end }: Span): Source | undefined {
  const { tokens } = source;
  const first = tokens.findIndex((token) => token.end > start);
  const next = tokens.findIndex((token) => token.start >= end);
  const sides = [partOf(source, 0, first), ...(next === -1 ? [] : [partOf(source, next, tokens.length)])];
  const held = ({ matches }: Source) => new Set(matches.map(({ term }) => term)).size;
  const [richer] = sides.sort((a, b) => held(b) - held(a));
  return richer?.matches.length === 0 ? undefined : richer;
}

function partOf({ text, start, tokens, before, matches }: Source, first: number, end: number): Source {
  const own = matches.filter(({ from, to }) => from >= first && to < end);
  return {
    text,
    start: first === 0 ? start : (tokens[first]?.start ?? text.length),
    tokens: tokens.slice(first, end),
    before: before.slice(first, end + 1),
    matches: own.map(({ from, to, term }) => ({ from: from - first, to: to - first, term })),
  };
}

/** `don't` and `node.js` are one word each, two letters of an unspaced script are about one. */
function countWords(text: string, tokens: Token[]): number[] {
  const before = [0];
  for (const [at, { start, unspaced }] of tokens.entries()) {
    const last = tokens[at - 1];
    const isNew = last === undefined || last.unspaced || /\s/.test(text.slice(last.end, start));
    before.push((before[at] ?? 0) + (unspaced ? 1 / LETTERS_OF_A_WORD : Number(isNew)));
  }
  return before;
}

/** The beginning of the text is worth showing from so many characters on. */
const LEAST_TEXT = 40;

function nameBeforeText(
  { text: name }: Snippet,
  size: SnippetSize,
  cutText: (size: SnippetSize) => Snippet,
): Snippet {
  const chars = size.chars - name.length;
  const text = chars < LEAST_TEXT ? "" : cutText({ ...size, chars }).text;
  return { text: text === "" ? name : `${name}: ${text}`, at: 0, elsewhere: () => undefined };
}

function findMatches(text: string, tokens: Token[], terms: Term[]): Match[] {
  const sequences = sequencesByFirstToken(terms);
  const prefixes = [...terms.entries()].filter(([, { prefix }]) => prefix === true);
  const initials = initialsOf(terms);
  const folded: (string | undefined)[] = [];
  const foldedAt = (at: number) => (folded[at] ??= fold(tokens[at]?.text ?? ""));
  const matches: Match[] = [];
  const addMatches = (at: number) => {
    const word = foldedAt(at);
    for (const { term, sequence } of sequences.get(word) ?? []) {
      const isThere = sequence.every((token, offset) => foldedAt(at + offset) === token);
      if (isThere) matches.push({ from: at, to: at + sequence.length - 1, term });
    }
    for (const [term, { tokens }] of prefixes)
      if (word.startsWith(tokens[0] ?? "")) matches.push({ from: at, to: at, term });
  };
  // Few words have the first letter of a term: the others are skipped without folding.
  for (let at = 0; at < tokens.length; at++)
    if (initials[letterAt(text, tokens[at]?.start ?? 0)] === 1) addMatches(at);
  return matches;
}

/** The first letters of terms. All non-ASCII letters share one entry, which is always set. */
function initialsOf(terms: Term[]): Uint8Array {
  const initials = new Uint8Array(OTHER + 1);
  initials[OTHER] = 1;
  for (const { tokens, forms = [] } of terms)
    for (const token of [...tokens, ...forms]) initials[letterAt(token, 0)] = 1;
  return initials;
}

const OTHER = 0x80;

/** This bit makes letters lower-case and leaves digits unchanged. */
function letterAt(text: string, at: number): number {
  return Math.min(text.charCodeAt(at) | 0x20, OTHER);
}

/** An unspaced run is also found by its pairs, as in the index, and a word by its forms. */
function sequencesByFirstToken(terms: Term[]) {
  const sequences = terms.flatMap((each, term) =>
    [each.tokens, ...pairsOf(each), ...(each.forms ?? []).map((form) => form.split(" "))].map((sequence) => ({
      term,
      sequence,
    })),
  );
  return groupBy(sequences, ({ sequence }) => sequence[0] ?? "");
}

/** The stretch of tokens with most different terms; among equals the shortest, then the first. */
function bestStretch(source: Source, size: Size) {
  const { matches } = source;
  let best = { from: 0, to: 0, terms: 0 };
  /** How many matches of each term begin within reach: counting them all each time would take too long. */
  const within = new Map<number, number>();
  let [limit, next] = [0, 0];
  for (const [at, { from, term }] of matches.entries()) {
    limit = lastToken(source, from, size, Math.max(from, limit));
    for (let match = matches[next]; match !== undefined && match.from <= limit; match = matches[++next])
      within.set(match.term, (within.get(match.term) ?? 0) + 1);
    if (within.size >= best.terms) {
      const stretch = stretchOf(matches.slice(at, next), limit);
      const more = stretch.terms - best.terms || best.to - best.from - (stretch.to - stretch.from);
      if (more > 0) best = stretch;
    }
    const left = (within.get(term) ?? 0) - 1;
    if (left === 0) within.delete(term);
    else within.set(term, left);
  }
  return best;
}

/** From the first match on, up to the last of those that bring another term. */
function stretchOf(matches: readonly Match[], limit: number) {
  const from = matches[0]?.from ?? 0;
  const terms = new Set<number>();
  let end = from;
  for (const { term, to } of matches) {
    if (to > limit || terms.has(term)) continue;
    terms.add(term);
    end = Math.max(end, to);
  }
  return { from, to: end, terms: terms.size };
}

function sizeOf({ tokens, before }: Source, from: number, to: number): Size {
  const { start, end } = spanOf(tokens, from, to);
  return { chars: end - start, tokens: to - from + 1, words: (before[to + 1] ?? 0) - (before[from] ?? 0) };
}

function fits(passage: Size, { chars, words, tokens }: Size): boolean {
  return passage.chars <= chars && passage.words <= words && passage.tokens <= tokens;
}

/** The last token of a passage of this size that starts at `from`, and has the tokens up to `least` in any case. */
function lastToken(source: Source, from: number, size: Size, least = from): number {
  let last = least;
  while (last + 1 < source.tokens.length && fits(sizeOf(source, from, last + 1), size)) last++;
  return last;
}

/** The first token of a passage of this size that ends at `last`. */
function firstToken(source: Source, last: number, size: Size): number {
  let first = last;
  while (first > 0 && fits(sizeOf(source, first - 1, last), size)) first--;
  return first;
}

/** The passage around a stretch: half of the remaining room goes before it, or all that the end of the text leaves. */
function passageAround(source: Source, stretch: { from: number; to: number }, size: Size): Span {
  const { text, tokens } = source;
  const { chars } = size;
  if (tokens.length === 0) return { start: 0, end: cutPoint(text, Math.min(text.length, chars)) };
  const own = sizeOf(source, stretch.from, stretch.to);
  const half = {
    chars: (own.chars + chars) / 2,
    words: (own.words + size.words) / 2,
    tokens: (own.tokens + size.tokens) / 2,
  };
  const before = firstToken(source, stretch.to, half);
  const isEnd = lastToken(source, before, size) === tokens.length - 1;
  const from = isEnd ? firstToken(source, tokens.length - 1, size) : before;
  const first = from === 0 ? 0 : sentenceStart(text, tokens, from, stretch.from);
  const last = sentenceEnd(text, tokens, stretch.to, { first, last: lastToken(source, first, size) });
  const passage = spanOf(tokens, first, last);
  // A long line of signs before the first word is not worth showing.
  const begin = first === 0 && passage.start - source.start <= chars / 4 ? source.start : passage.start;
  return { start: begin, end: cutPoint(text, Math.min(tailOf(text, tokens, last), begin + 2 * chars)) };
}

/** Whole sentences are worth this share of a passage. */
const KEPT = 0.75;

/** The last token of a passage that ends a line or a sentence, not before `to`; else its last one. */
function sentenceEnd(
  text: string,
  tokens: Token[],
  to: number,
  { first, last }: { first: number; last: number },
): number {
  const { start, end } = spanOf(tokens, first, last);
  const least = start + KEPT * (end - start);
  for (let at = last; at >= to && (tokens[at]?.end ?? 0) >= least; at--) {
    const gap = text.slice(tokens[at]?.end, tokens[at + 1]?.start);
    if (at + 1 === tokens.length || /\n|[.!?]["'”’)\]]*\s|[。！？]/.test(gap)) return at;
  }
  return last;
}

/** The first token between `from` and `to` that begins a line or a sentence, else `from`. */
function sentenceStart(text: string, tokens: Token[], from: number, to: number): number {
  for (let at = from; at <= to; at++) {
    const gap = text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start);
    if (/\n|[.!?:]\s|[。！？]/.test(gap)) return at;
  }
  return from;
}

/** The end of a word with the punctuation attached to it. */
function tailOf(text: string, tokens: Token[], last: number): number {
  const end = tokens[last]?.end ?? 0;
  const tail = end + (/^\S{1,8}(?=\s|$)/u.exec(text.slice(end, end + 16))?.[0].length ?? 0);
  // Not beyond the start of the next word.
  return tail > (tokens[last + 1]?.start ?? text.length) ? end : tail;
}

function cutPoint(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
}

function spanOf(tokens: Token[], from: number, to: number): Span {
  const start = tokens[from]?.start ?? 0;
  return { start, end: tokens[to]?.end ?? start };
}

/** Those of the spans, ascending, that stand in prose: a mark inside code or the target of a link would change it. */
function markable(text: string, spans: Span[]): Span[] {
  if (spans.length === 0) return spans;
  const isProse = new Uint8Array(text.length);
  for (const prose of eachProse(text, 0)) {
    isProse.fill(1, prose.start, prose.end);
    for (const { 0: code, index } of shownText(text, prose).matchAll(/\0+/g))
      isProse.fill(0, prose.start + index, prose.start + index + code.length);
    for (const { target } of linksWithin(text, prose)) isProse.fill(0, target.start, target.end);
  }
  return spans.filter(({ start, end }) => isProse.subarray(start, end).every((one) => one === 1));
}

function joinSpans(spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function mark(text: string, passage: Span, spans: Span[]): string {
  let marked = "";
  let at = passage.start;
  for (const span of spans) {
    const start = Math.max(span.start, passage.start);
    const stop = Math.min(span.end, passage.end);
    marked += `${text.slice(at, start)}${OPEN}${text.slice(start, stop)}${CLOSE}`;
    at = stop;
  }
  return (marked + text.slice(at, passage.end)).replaceAll(/\s{2,}|[^\S ]/g, " ").trim();
}
