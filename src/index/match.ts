import { type Analysis, pairsOf, type Term } from "./query.ts";
import { isStopWord } from "./stop-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** One thing to look for: its matches are ranked by themselves and added up per chunk. */
export interface Part {
  /** An FTS5 expression: a word, or a phrase. */
  match: string;
  /** What finding it adds to the coverage of the query: how rare it is; 0 for phrases of words that count already. */
  weight: number;
}

export interface Plan {
  parts: Part[];
  /** What to mark in snippets: the terms as they were found. */
  terms: Term[];
  /** The words that were put in the place of unknown ones. */
  corrections: Map<string, string>;
}

const MAX_PARTS = 48;
/** Unknown words that are corrected; further ones stay as they are. */
const MAX_CORRECTIONS = 4;

/** What a natural-language query looks for: any of its words, corrected where the index knows none, and their pairs. */
export function planMatch({ terms, pairs }: Analysis, vocabulary: Vocabulary): Plan {
  const corrections = new Map<string, string>();
  const wanted = withoutStopWords(terms);
  const found: Term[] = [];
  const parts: Part[] = [];
  for (const term of wanted) {
    const known = term.unspaced ? [term] : correct(term, vocabulary, corrections);
    found.push(...known);
    for (const one of known) parts.push(...partsOf(one, vocabulary));
  }
  parts.push(...pairPhrases(pairs, corrections));
  return { parts: parts.slice(0, MAX_PARTS), terms: found, corrections };
}

/** Articles and the like go, unless they are all there is, stand beside a number, or are written in capitals. */
function withoutStopWords(terms: Term[]): Term[] {
  const kept = terms.filter((term, at) => {
    if (term.unspaced || term.shouted === true || !isStopWord(term.tokens[0] ?? "")) return true;
    return [terms[at - 1], terms[at + 1]].some((beside) => /^\d/.test(beside?.tokens[0] ?? ""));
  });
  return kept.length > 0 ? kept : terms;
}

function correct(term: Term, vocabulary: Vocabulary, corrections: Map<string, string>): Term[] {
  const word = term.tokens[0] ?? "";
  const isUnknown = !/\d/.test(word) && vocabulary.frequency(word) === 0;
  if (!isUnknown || corrections.size >= MAX_CORRECTIONS) return [term];
  const near = vocabulary.neighbours(word);
  if (near[0] === undefined) return [term];
  corrections.set(word, near[0]);
  return near.map((text) => ({ tokens: [text], unspaced: false }));
}

function partsOf(term: Term, vocabulary: Vocabulary): Part[] {
  const pairs = pairsOf(term);
  const weigh = (tokens: string[]) => rarity(tokens, vocabulary);
  if (pairs.length === 0) return [{ match: phrase(term.tokens), weight: weigh(term.tokens) }];
  const whole = { match: phrase(term.tokens), weight: 0 };
  return [whole, ...pairs.map((pair) => ({ match: phrase(pair), weight: weigh(pair) }))];
}

/** Inverse document frequency, as bm25 has it, of the rarest of some tokens. */
function rarity(tokens: string[], { chunks, frequency }: Vocabulary): number {
  const rarest = Math.min(...tokens.map(frequency));
  return Math.log(1 + (chunks - rarest + 0.5) / (rarest + 0.5));
}

/** Neighbouring words as phrases, unless both are stop words. */
function pairPhrases(pairs: Analysis["pairs"], corrections: Map<string, string>): Part[] {
  const wanted = pairs.filter((pair) => !pair.every(isStopWord));
  return wanted.map((pair) => ({
    match: phrase(pair.map((word) => corrections.get(word) ?? word)),
    weight: 0,
  }));
}

function phrase(tokens: string[]): string {
  return `"${tokens.join(" ")}"`;
}
