import { splitNames, type Token, tokenize } from "../index/tokenizer.ts";
import { groupBy } from "../lib/collections.ts";
import { CLOSE, OPEN } from "../lib/marks.ts";
import { fold } from "../lib/text.ts";
import { pairsOf, type Term } from "./query.ts";

const MAX_WORDS = 64;
const CUT = "...";

/** A range of the text, in UTF-16 code units. */
interface Span {
  start: number;
  end: number;
}

/** An occurrence of a term: its first and last token. */
interface Match {
  from: number;
  to: number;
  term: number;
}

/**
 * Makes snippets of `text`: the passage that holds most of the terms, at most 64 words and about `budget` characters, with
 * matches marked `>>>…<<<`, `...` for omitted text, and white space folded. A text without a match, also inside its names, gives
 * its beginning, after the first of `names` (heading, title, path) that has one.
 */
export function snippetMaker(text: string, terms: Term[], names: string[] = []): (budget: number) => string {
  const tokens = tokenize(text);
  const ofText = passagesOf(text, tokens, terms);
  if (ofText.hasMatch) return ofText.cut;
  const insideNames = passagesOf(text, splitNames(tokens), terms);
  if (insideNames.hasMatch) return insideNames.cut;
  for (const name of names) {
    const ofName = passagesOf(name, tokenize(name), terms);
    if (ofName.hasMatch) return (budget) => nameBeforeText(ofName.cut(budget), budget, ofText.cut);
  }
  return ofText.cut;
}

function passagesOf(text: string, tokens: Token[], terms: Term[]) {
  const matches = findMatches(text, tokens, terms);
  const spans = joinSpans(matches.map(({ from, to }) => spanOf(tokens, from, to)));
  const cut = (budget: number): string => {
    const passage = passageAround(text, tokens, bestStretch(tokens, matches, budget), budget);
    const inside = spans.filter(({ start, end }) => end > passage.start && start < passage.end);
    const cutEnd = text.slice(passage.end).trim() === "" ? "" : CUT;
    const cutStart = text.slice(0, passage.start).trim() === "" ? "" : CUT;
    return `${cutStart}${mark(text, passage, inside)}${cutEnd}`;
  };
  return { hasMatch: matches.length > 0, cut };
}

/** The beginning of the text is worth showing from so many characters on. */
const LEAST_TEXT = 40;

function nameBeforeText(name: string, budget: number, cutText: (budget: number) => string): string {
  const rest = budget - name.length;
  const text = rest < LEAST_TEXT ? "" : cutText(rest);
  return text === "" ? name : `${name}: ${text}`;
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

/** The stretch of tokens from match to match with most different terms; among equals most matches, then the first. */
function bestStretch(tokens: Token[], matches: Match[], budget: number): { from: number; to: number } {
  let best = { from: 0, to: 0, worth: 0 };
  for (const [at, { from }] of matches.entries()) {
    const limit = lastToken(tokens, from, budget);
    const inside = matches.slice(at, at + MAX_WORDS).filter(({ to }) => to <= limit);
    const worth = new Set(inside.map(({ term }) => term)).size * MAX_WORDS + inside.length;
    if (worth > best.worth) best = { from, to: Math.max(...inside.map(({ to }) => to)), worth };
  }
  return best;
}

/** The last token of a passage that starts at `from` and fills words and budget. */
function lastToken(tokens: Token[], from: number, budget: number): number {
  const limit = (tokens[from]?.start ?? 0) + budget;
  let last = from;
  while (last + 1 < Math.min(tokens.length, from + MAX_WORDS) && (tokens[last + 1]?.end ?? 0) <= limit)
    last++;
  return last;
}

/** The passage around a stretch: a third of the remaining budget goes before it, the rest after it. */
function passageAround(
  text: string,
  tokens: Token[],
  stretch: { from: number; to: number },
  budget: number,
): Span {
  if (tokens.length === 0) return { start: 0, end: cutPoint(text, Math.min(text.length, budget)) };
  const { start, end } = spanOf(tokens, stretch.from, stretch.to);
  const words = (MAX_WORDS - (stretch.to - stretch.from + 1)) / 3;
  const chars = (budget - (end - start)) / 3;
  let from = stretch.from;
  while (from > 0 && stretch.from - from < words && start - (tokens[from - 1]?.start ?? 0) <= chars) from--;
  const first = from === 0 ? 0 : sentenceStart(text, tokens, from, stretch.from);
  const last = lastToken(tokens, first, budget);
  const passage = spanOf(tokens, first, last);
  // A long line of signs before the first word is not worth showing.
  const begin = first === 0 && passage.start <= budget / 4 ? 0 : passage.start;
  return { start: begin, end: cutPoint(text, Math.min(tailOf(text, tokens, last), begin + 2 * budget)) };
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
