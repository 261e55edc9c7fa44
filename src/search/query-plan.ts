import { isHiragana, isStopWord } from "../index/language.ts";
import type { Postings } from "../index/postings.ts";
import { type Analysis, pairsOf, type Term } from "./query.ts";
import { mayBeMistyped } from "./spelling.ts";
import type { Tuning } from "./weights.ts";

/** One thing to search for, and the chunks that hold it. */
export interface Clause {
  /** An FTS5 expression: a word, a pair of unspaced letters, a phrase, or other forms of a word. */
  match: string;
  /** What a match adds to the score: its rarity. */
  weight: number;
  /** Whether it is scored by bm25; what the query does not say itself only adds its weight. */
  isScored: boolean;
  /** The chunks that hold it, ascending; those of other forms hold no exact word. */
  chunks: Int32Array;
  /** The word or pair of the query that it stands for. */
  of: string;
  /** The texts it finds. */
  texts: readonly string[];
}

export interface QueryPlan {
  clauses: Clause[];
  /** Phrases of the words above: their weights add to the score, not to the coverage. */
  phrases: Clause[];
  /** The weight of all words and pairs of the query that the index has. */
  whole: number;
  /** What to mark in snippets: the terms after corrections. */
  terms: Term[];
  /** Unknown words, and what replaces them. */
  corrections: Map<string, string>;
  /** Words that nothing matches, and the weight of all words and pairs without a match. */
  missing: string[];
  missingWeight: number;
}

/** Lookups in the index. */
export interface Lookup extends Pick<Postings, "size" | "of"> {
  /** Whether any of the chunks passes the filter. */
  passes(chunks: Int32Array): boolean;
  /** The other forms of a word that documents within the filter hold, the most frequent ones first. */
  forms(word: string): string[];
  /** The known words nearest to an unknown one, best first. */
  neighbours(word: string): string[];
}

/** A plan whose phrases are still to be looked up. */
interface Builder extends Omit<QueryPlan, "phrases"> {
  phrases: string[];
  /** What stands in phrases for words that the index does not have. */
  replacements: Map<string, string>;
  lookup: Lookup;
  /** What another form of a word counts, compared to the word itself. */
  formWeight: number;
}

const MAX_CLAUSES = 48;
/** Unknown words whose neighbours are looked up. */
const MAX_UNKNOWN = 8;
const MAX_FORMS = 8;
/** Letters of an unspaced run in one phrase: FTS5's time grows with the square of their number. */
const MAX_PHRASE = 48;

/** The clauses of a natural-language query: each of its words with its forms, corrected if the index does not have it, and phrases. */
export function planQuery(analysis: Analysis, lookup: Lookup, tuning: Tuning): QueryPlan {
  const neighbours = tuning.correction ? limitLookups(MAX_UNKNOWN, lookup.neighbours) : () => [];
  const forms = tuning.forms > 0 ? limitLookups(MAX_CLAUSES, lookup.forms) : () => [];
  const terms = tuning.dropSmallWords ? withoutStopWords(analysis.terms) : analysis.terms;
  const plan: Builder = {
    ...{ clauses: [], phrases: [], terms: [], missing: [], whole: 0, missingWeight: 0 },
    ...{ corrections: new Map(), replacements: new Map() },
    lookup: { ...lookup, neighbours, forms },
    formWeight: tuning.forms,
  };
  for (const term of terms) {
    const pairs = pairsOf(term);
    if (pairs.length === 0) addWord(plan, term);
    else addRun(plan, term, tuning.dropSmallWords ? pairs.filter(isDistinctive) : pairs);
  }
  // Only stop words: then they are the query.
  if (plan.clauses.length === 0 && plan.missing.length === 0 && tuning.dropSmallWords)
    return planQuery(analysis, lookup, { ...tuning, dropSmallWords: false });
  plan.phrases.push(...pairPhrases(analysis.pairs, plan.replacements));
  const most = tuning.phrases ? Math.max(0, MAX_CLAUSES - plan.clauses.length) : 0;
  const phrases = plan.phrases.slice(0, most).map((match) => clauseOf([match], lookup));
  return { ...plan, phrases };
}

/** Adds what the documents may say instead of the query's own words: it counts less, and its unknown words do not count. */
export function addAlso(plan: QueryPlan, also: readonly QueryPlan[], tuning: Tuning): QueryPlan {
  const known = new Set([...plan.clauses, ...plan.phrases].map(({ match }) => match));
  const added = (clauses: Clause[], share: number) =>
    clauses
      .filter(({ match }) => !known.has(match) && known.add(match))
      .map((clause) => ({ ...clause, weight: clause.weight * share, isScored: false }));
  const clauses = also.flatMap((one) => added(one.clauses, tuning.also * shareOfWord(one)));
  const phrases = also.flatMap((one) => added(one.phrases, tuning.also));
  return {
    ...plan,
    clauses: [...plan.clauses, ...clauses],
    phrases: [...plan.phrases, ...phrases],
    terms: [...plan.terms, ...also.flatMap(({ terms }) => terms)],
  };
}

/** So that several words together count like the rarest of them. */
function shareOfWord({ clauses, whole }: QueryPlan): number {
  return clauses.reduce((most, { weight }) => Math.max(most, weight), 0) / (whole || 1);
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

/** Adds a word by the first of these that the documents hold: itself or its forms, the words inside it, its neighbours. */
function addWord(plan: Builder, term: Term): void {
  if (addKnown(plan, term)) return;
  const { lookup } = plan;
  const { parts = [] } = term;
  const isName = parts.length > 0 && parts.every((part) => lookup.passes(lookup.of(phrase([part]))));
  const better = isName ? [] : correct(plan, term);
  for (const word of better) addExact(plan, { tokens: [word], unspaced: false });
  if (better.length > 0) return;
  if (parts.length > 0) addName(plan, parts);
  else addMissing(plan, term);
}

/** Adds a word and its other forms; false if the documents hold none of them. */
function addKnown(plan: Builder, term: Term): boolean {
  const { lookup, replacements } = plan;
  const [word = ""] = term.tokens;
  const exact = lookup.of(phrase(term.tokens));
  const isKnown = lookup.passes(exact);
  const forms = term.unspaced ? [] : lookup.forms(word).slice(0, MAX_FORMS);
  if (!isKnown && forms.length === 0) return false;
  if (isKnown) addExact(plan, forms.length === 0 ? term : { ...term, forms });
  else plan.terms.push({ ...term, forms });
  if (!isKnown) replacements.set(word, forms[0] ?? word);
  if (forms.length > 0) addForms(plan, word, { forms, exact, isKnown });
  return true;
}

function addExact(plan: Builder, term: Term): void {
  plan.terms.push(term);
  addClause(plan, term.tokens);
}

interface Forms {
  forms: string[];
  /** The chunks that hold the word itself. */
  exact: Int32Array;
  isKnown: boolean;
}

/** Other forms of a word: they count in chunks without the word itself, and in all if the documents do not hold it. */
function addForms(plan: Builder, word: string, { forms, exact, isKnown }: Forms): void {
  const { clauses, lookup } = plan;
  const found = clauseOf(
    forms.map((form) => phrase([form])),
    lookup,
  );
  if (clauses.length >= MAX_CLAUSES || clauses.some(({ match }) => match === found.match)) return;
  const others = new Set(exact);
  const chunks = found.chunks.filter((chunk) => !others.has(chunk));
  const own = rarity(exact.length, lookup.size);
  // Of a common word, other forms say next to nothing.
  const weight = isKnown ? (plan.formWeight * own ** 2) / rarity(0, lookup.size) : found.weight;
  if (!isKnown) plan.whole += weight;
  clauses.push({ ...found, of: word, chunks, weight, isScored: !isKnown });
}

/** A name that the notes write in another way (`getUserProfile`, `get_user_profile`): its words side by side. */
function addName(plan: Builder, parts: string[]): void {
  for (const [at, word] of parts.entries()) {
    addWord(plan, { tokens: [word], unspaced: false });
    const next = parts[at + 1];
    if (next !== undefined) plan.phrases.push(phrase([word, next]));
  }
}

function addMissing(plan: Builder, { tokens }: Term): void {
  plan.missing.push(tokens.join(""));
  plan.missingWeight += rarity(0, plan.lookup.size);
}

function correct({ corrections, replacements, lookup }: Builder, { tokens, unspaced }: Term): string[] {
  const word = tokens[0] ?? "";
  if (unspaced || !mayBeMistyped(word)) return [];
  const near = lookup.neighbours(word);
  if (near[0] === undefined) return [];
  corrections.set(word, near[0]);
  replacements.set(word, near[0]);
  return near;
}

/** Japanese grammar is in hiragana: a pair of hiragana says little. */
function isDistinctive(pair: string[]): boolean {
  return !pair.every(isHiragana);
}

/** An unspaced run is searched by its pairs, and whole as a phrase. */
function addRun(plan: Builder, term: Term, pairs: string[][]): void {
  const { lookup } = plan;
  const known = pairs.filter((pair) => lookup.passes(lookup.of(phrase(pair))));
  plan.missingWeight += (pairs.length - known.length) * rarity(0, lookup.size);
  if (known.length === 0 && pairs.length > 0) plan.missing.push(term.tokens.join(""));
  if (known.length === 0) return;
  plan.terms.push(term);
  plan.phrases.push(phrase(term.tokens.slice(0, MAX_PHRASE)));
  for (const pair of known) addClause(plan, pair);
}

function addClause(plan: Builder, tokens: string[]): void {
  const { clauses, lookup } = plan;
  const match = phrase(tokens);
  if (clauses.length >= MAX_CLAUSES || clauses.some((clause) => clause.match === match)) return;
  const clause = clauseOf([match], lookup);
  plan.whole += clause.weight;
  clauses.push(clause);
}

function clauseOf(phrases: string[], lookup: Lookup): Clause {
  const match = phrases.join(" OR ");
  const chunks = lookup.of(match);
  const texts = phrases.map((text) => text.slice(1, -1));
  const weight = rarity(chunks.length, lookup.size);
  return { match, weight, isScored: true, chunks, of: texts[0] ?? "", texts };
}

/** Inverse document frequency, as in bm25. */
function rarity(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** Neighbouring words as phrases, unless both are stop words. */
function pairPhrases(pairs: Analysis["pairs"], replacements: Map<string, string>): string[] {
  return pairs
    .filter((pair) => !pair.every(isStopWord))
    .map((pair) => phrase(pair.map((word) => replacements.get(word) ?? word)));
}

function phrase(tokens: string[]): string {
  return `"${tokens.join(" ")}"`;
}
