import { isHiragana, isStopWord } from "../index/language.ts";
import type { Postings } from "../index/postings.ts";
import { type Analysis, pairsOf, type Term } from "./query.ts";
import { mayBeMistyped } from "./spelling.ts";
import type { Tuning } from "./weights.ts";

/** One thing to search for, and the chunks that hold it. */
export interface Clause {
  /** An FTS5 expression: a word, a pair of unspaced letters, or a phrase. */
  match: string;
  /** What a match adds to the score: its rarity. */
  weight: number;
  /** The chunks that hold it, ascending. */
  chunks: Int32Array;
}

export interface QueryPlan {
  clauses: Clause[];
  /** Phrases of the words above: their weights add to the score, not to the coverage. */
  phrases: Clause[];
  /** What to mark in snippets: the terms after corrections. */
  terms: Term[];
  /** Unknown words, and what replaces them. */
  corrections: Map<string, string>;
}

/** Lookups in the index. */
export interface Lookup extends Pick<Postings, "size" | "of"> {
  /** The known words nearest to an unknown one, best first. */
  neighbours(word: string): string[];
}

/** A plan whose phrases are still to be looked up. */
interface Builder extends Omit<QueryPlan, "phrases"> {
  phrases: string[];
  lookup: Lookup;
}

const MAX_CLAUSES = 48;
/** Unknown words whose neighbours are looked up. */
const MAX_UNKNOWN = 8;
/** Letters of an unspaced run in one phrase: FTS5's time grows with the square of their number. */
const MAX_PHRASE = 48;

/** The clauses of a natural-language query: each of its words, corrected if the index does not have it, and their phrases. */
export function planQuery(analysis: Analysis, lookup: Lookup, tuning: Tuning): QueryPlan {
  const neighbours = tuning.correction ? limitLookups(MAX_UNKNOWN, lookup.neighbours) : () => [];
  const [clauses, phrases, terms, corrections] = [[], [], [], new Map()];
  const plan: Builder = { clauses, phrases, terms, corrections, lookup: { ...lookup, neighbours } };
  for (const term of tuning.dropSmallWords ? withoutStopWords(analysis.terms) : analysis.terms) {
    const pairs = pairsOf(term);
    if (pairs.length === 0) addWord(plan, term);
    else addRun(plan, term, tuning.dropSmallWords ? pairs.filter(isDistinctive) : pairs);
  }
  // Only stop words: then they are the query.
  if (plan.clauses.length === 0 && tuning.dropSmallWords)
    return planQuery(analysis, lookup, { ...tuning, dropSmallWords: false });
  plan.phrases.push(...pairPhrases(analysis.pairs, plan.corrections));
  const most = tuning.phrases ? Math.max(0, MAX_CLAUSES - plan.clauses.length) : 0;
  return { ...plan, phrases: plan.phrases.slice(0, most).map((match) => clauseOf(match, lookup)) };
}

/** Looks up at most `count` words, each once. */
function limitLookups(count: number, neighbours: Lookup["neighbours"]): Lookup["neighbours"] {
  const answers = new Map<string, string[]>();
  return (word) => {
    const near = answers.get(word) ?? (answers.size < count ? neighbours(word) : []);
    if (answers.size < count) answers.set(word, near);
    return near;
  };
}

/** Drops stop words, unless nothing else is left, they are next to a number, or they are in capitals. */
function withoutStopWords(terms: Term[]): Term[] {
  const rest = terms.filter((term, at) => {
    if (term.unspaced || term.inCapitals === true || !isStopWord(term.tokens[0] ?? "")) return true;
    return [terms[at - 1], terms[at + 1]].some((beside) => /^\d/.test(beside?.tokens[0] ?? ""));
  });
  return rest.length > 0 ? rest : terms;
}

function addWord(plan: Builder, term: Term): void {
  const { lookup } = plan;
  const chunks = lookup.of(phrase(term.tokens));
  const { parts = [] } = chunks.length === 0 ? term : {};
  const isName = parts.length > 0 && parts.every((part) => lookup.of(phrase([part])).length > 0);
  const better = chunks.length === 0 && !isName ? correct(plan, term) : [];
  if (parts.length > 0 && better.length === 0) {
    addName(plan, parts);
    return;
  }
  const terms = better.length > 0 ? better.map((word) => ({ tokens: [word], unspaced: false })) : [term];
  plan.terms.push(...terms);
  for (const { tokens } of terms) addClause(plan, tokens);
}

/** A name that the notes write in another way (`getUserProfile`, `get_user_profile`): its words side by side. */
function addName(plan: Builder, parts: string[]): void {
  for (const [at, word] of parts.entries()) {
    addWord(plan, { tokens: [word], unspaced: false });
    const next = parts[at + 1];
    if (next !== undefined) plan.phrases.push(phrase([word, next]));
  }
}

function correct({ corrections, lookup }: Builder, { tokens, unspaced }: Term): string[] {
  const word = tokens[0] ?? "";
  if (unspaced || !mayBeMistyped(word)) return [];
  const near = lookup.neighbours(word);
  if (near[0] !== undefined) corrections.set(word, near[0]);
  return near;
}

/** Japanese grammar is in hiragana: a pair of hiragana says little. */
function isDistinctive(pair: string[]): boolean {
  return !pair.every(isHiragana);
}

/** An unspaced run is searched by its pairs, and whole as a phrase. */
function addRun(plan: Builder, term: Term, pairs: string[][]): void {
  plan.terms.push(term);
  plan.phrases.push(phrase(term.tokens.slice(0, MAX_PHRASE)));
  for (const pair of pairs) addClause(plan, pair);
}

function addClause({ clauses, lookup }: Builder, tokens: string[]): void {
  const match = phrase(tokens);
  if (clauses.length >= MAX_CLAUSES || clauses.some((clause) => clause.match === match)) return;
  clauses.push(clauseOf(match, lookup));
}

function clauseOf(match: string, lookup: Lookup): Clause {
  const chunks = lookup.of(match);
  return { match, weight: rarity(chunks.length, lookup.size), chunks };
}

/** Inverse document frequency, as in bm25. */
function rarity(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** Neighbouring words as phrases, unless both are stop words. */
function pairPhrases(pairs: Analysis["pairs"], corrections: Map<string, string>): string[] {
  return pairs
    .filter((pair) => !pair.every(isStopWord))
    .map((pair) => phrase(pair.map((word) => corrections.get(word) ?? word)));
}

function phrase(tokens: string[]): string {
  return `"${tokens.join(" ")}"`;
}
