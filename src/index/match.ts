import type { Postings } from "./postings.ts";
import { type Analysis, pairsOf, type Term } from "./query.ts";
import { isHiragana, isStopWord } from "./stop-words.ts";
import type { Tuning } from "./tuning.ts";
import { mayBeMistyped } from "./vocabulary.ts";

/** One thing to look for, and where it is. */
export interface Part {
  /** An FTS5 expression: a word, a pair of unspaced letters, or a phrase. */
  match: string;
  /** What finding it adds: how rare it is. */
  weight: number;
  /** The chunks that hold it, ascending. */
  chunks: Int32Array;
}

export interface Plan {
  parts: Part[];
  /** Phrases of the words above: their weights add to the score, not to the coverage. */
  phrases: Part[];
  /** What to mark in snippets: the terms as they were found. */
  terms: Term[];
  /** The words that were put in the place of unknown ones. */
  corrections: Map<string, string>;
}

/** What the plan asks the index for. */
export interface Lookup extends Pick<Postings, "size" | "of"> {
  /** The known words nearest to one that is not known, the best first. */
  neighbours(word: string): string[];
}

/** A plan whose phrases are still to be looked up. */
type Draft = Omit<Plan, "phrases"> & { phrases: string[] };

const MAX_PARTS = 48;
/** Unknown words whose neighbours are looked for; further ones stay as they are. */
const MAX_UNKNOWN = 8;
/** Letters of an unspaced run that are looked for side by side: FTS5 takes the square of the time for twice as many. */
const MAX_PHRASE = 48;

/** What a natural-language query looks for: any of its words, corrected where the index knows none, and their phrases. */
export function planMatch(analysis: Analysis, lookup: Lookup, tuning: Tuning): Plan {
  const { terms, pairs } = analysis;
  const known = { ...lookup, neighbours: ofTheFirst(MAX_UNKNOWN, lookup.neighbours) };
  const wanted = tuning.dropSmallWords ? withoutStopWords(terms) : terms;
  const plan: Draft = { parts: [], phrases: [], terms: [], corrections: new Map() };
  for (const term of wanted) {
    const pairs = pairsOf(term);
    if (pairs.length > 0) addRun(plan, term, tuning.dropSmallWords ? pairs.filter(isTelling) : pairs, known);
    else addWord(plan, term, known, tuning.correction);
  }
  // Nothing but grammar: then that is what is asked for.
  if (plan.parts.length === 0 && tuning.dropSmallWords)
    return planMatch(analysis, lookup, { ...tuning, dropSmallWords: false });
  plan.phrases.push(...pairPhrases(pairs, plan.corrections));
  const phrases = tuning.phrases ? plan.phrases.slice(0, Math.max(0, MAX_PARTS - plan.parts.length)) : [];
  return { ...plan, phrases: phrases.map((match) => partOf(match, lookup)) };
}

/** Answers for so many words, each looked up once. */
function ofTheFirst(count: number, neighbours: Lookup["neighbours"]): Lookup["neighbours"] {
  const answers = new Map<string, string[]>();
  return (word) => {
    const near = answers.get(word) ?? (answers.size < count ? neighbours(word) : []);
    if (answers.size < count) answers.set(word, near);
    return near;
  };
}

/** Articles and the like go, unless they are all there is, stand beside a number, or are written in capitals. */
function withoutStopWords(terms: Term[]): Term[] {
  const kept = terms.filter((term, at) => {
    if (term.unspaced || term.shouted === true || !isStopWord(term.tokens[0] ?? "")) return true;
    return [terms[at - 1], terms[at + 1]].some((beside) => /^\d/.test(beside?.tokens[0] ?? ""));
  });
  return kept.length > 0 ? kept : terms;
}

function addWord(plan: Draft, term: Term, lookup: Lookup, mayCorrect: boolean): void {
  const chunks = lookup.of(phrase(term.tokens));
  const { parts = [] } = chunks.length === 0 ? term : {};
  const isName = parts.length > 0 && parts.every((part) => lookup.of(phrase([part])).length > 0);
  const better = chunks.length === 0 && mayCorrect && !isName ? correct(plan, term, lookup) : [];
  if (parts.length > 0 && better.length === 0) {
    addName(plan, parts, lookup, mayCorrect);
    return;
  }
  const found = better.map((word) => ({ tokens: [word], unspaced: false }));
  for (const each of found.length > 0 ? found : [term]) {
    plan.terms.push(each);
    addPart(plan, each.tokens, lookup, each === term ? chunks : undefined);
  }
}

/** A name that is written in another way in the notes (`getUserProfile`, `get_user_profile`): its words side by side. */
function addName(plan: Draft, parts: string[], lookup: Lookup, mayCorrect: boolean): void {
  for (const [at, word] of parts.entries()) {
    addWord(plan, { tokens: [word], unspaced: false }, lookup, mayCorrect);
    const next = parts[at + 1];
    if (next !== undefined) plan.phrases.push(phrase([word, next]));
  }
}

function correct({ corrections }: Draft, { tokens, unspaced }: Term, lookup: Lookup): string[] {
  const word = tokens[0] ?? "";
  if (unspaced || !mayBeMistyped(word)) return [];
  const near = lookup.neighbours(word);
  if (near[0] !== undefined) corrections.set(word, near[0]);
  return near;
}

/** Japanese grammar is in hiragana: a pair of them tells little. */
function isTelling(pair: string[]): boolean {
  return !pair.every(isHiragana);
}

/** An unspaced run is looked for by its pairs, and whole as a phrase. */
function addRun(plan: Draft, term: Term, pairs: string[][], lookup: Lookup): void {
  plan.terms.push(term);
  plan.phrases.push(phrase(term.tokens.slice(0, MAX_PHRASE)));
  for (const pair of pairs) addPart(plan, pair, lookup);
}

function addPart(plan: Draft, tokens: string[], lookup: Lookup, known?: Int32Array): void {
  const match = phrase(tokens);
  if (plan.parts.length >= MAX_PARTS || plan.parts.some((part) => part.match === match)) return;
  plan.parts.push(partOf(match, lookup, known));
}

function partOf(match: string, lookup: Lookup, known?: Int32Array): Part {
  const chunks = known ?? lookup.of(match);
  return { match, weight: rarity(chunks.length, lookup.size), chunks };
}

/** Inverse document frequency, as bm25 has it. */
function rarity(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** Neighbouring words as phrases, unless both are stop words. */
function pairPhrases(pairs: Analysis["pairs"], corrections: Map<string, string>): string[] {
  const wanted = pairs.filter((pair) => !pair.every(isStopWord));
  return wanted.map((pair) => phrase(pair.map((word) => corrections.get(word) ?? word)));
}

function phrase(tokens: string[]): string {
  return `"${tokens.join(" ")}"`;
}
