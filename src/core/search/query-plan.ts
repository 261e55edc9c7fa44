import { isStopWord, type Language } from "../index/language.ts";
import { union, without } from "../index/postings.ts";
import {
  type Found,
  type FoundPhrase,
  type FoundQuery,
  type FoundTerm,
  type FoundWords,
  MAX_CLAUSES,
  phrase,
} from "./lookup.ts";
import { type Analysis, expressionTerms, type Term } from "./query.ts";
import { TUNING, WEAK } from "./weights.ts";

/** One thing to search for, and the chunks that hold it. */
export interface Clause extends Found {
  /** An FTS5 expression: a word, a pair of unspaced letters, a phrase, or other forms of a word. */
  match: string;
  /** What a match adds to the score: its rarity. */
  weight: number;
  /** Whether it is scored by bm25; what the query does not say itself only adds its weight. */
  isScored: boolean;
  /** The word or pair of the query that it stands for. */
  of: string;
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
  /** The chunks that hold the whole query as written. */
  quoting: Int32Array;
  language: Language | null;
  /** An answer whose best passage covers less is weak, unless it covers enough of the other words that were given. */
  weakBelow: number;
  /** The other words that were given, as a question of their own. */
  also: Pick<QueryPlan, "clauses" | "weakBelow">;
  isForeign: boolean;
  /** How much of its second best chunk's score a document gets. */
  secondChunk: number;
  /** Whether it runs as written, and is ranked by its passages alone. */
  isExpression: boolean;
}

/** A plan to which terms are added, of an index with so many chunks. */
interface Draft {
  plan: QueryPlan;
  count: number;
  /** The weight of the rarest known word that is no name. */
  mostOfOthers: number;
}

/** What each thing that was found is worth, in an index of `count` chunks, of which some are `allowed`. */
export function planQuery(
  query: Analysis,
  found: FoundQuery,
  { count, allowed }: { count: number; allowed: number },
): QueryPlan {
  if (found.expression !== null) return planExpression(query, found.expression);
  const plan = planWords(query, found, count);
  addDays(plan, found.days, count);
  const also = found.also.map((words) => planWords(query, words, count));
  return {
    ...addAlso(plan, also),
    weakBelow: weakBelow(query, plan, allowed),
    also: planAlso(found.also, also, allowed),
    isForeign: found.isForeign,
  };
}

/** What the documents call a day in digits adds to the words, not to what a passage has to cover. */
function addDays(plan: QueryPlan, days: Found, count: number): void {
  if (days.texts.length === 0) return;
  addClause(plan, clauseOf(days, count), 0);
  for (const day of days.texts) plan.terms.push({ tokens: day.split(" "), unspaced: false });
}

function planAlso(
  found: readonly FoundWords[],
  plans: readonly QueryPlan[],
  size: number,
): QueryPlan["also"] {
  const terms = found.flatMap((words) => words.terms.map(({ term }) => term));
  const sum = (of: (plan: QueryPlan) => number) => plans.reduce((all, plan) => all + of(plan), 0);
  const whole = { whole: sum((plan) => plan.whole), missingWeight: sum((plan) => plan.missingWeight) };
  return {
    clauses: plans.flatMap(({ clauses }) => clauses),
    weakBelow: weakBelow({ terms }, { terms, ...whole }, size),
  };
}

/**
 * The length is that of the question, whatever the documents hold of it. A long one is hardly ever covered whole; of more
 * passages, one covers more of any question by chance. Of a run without spaces few pairs are words: many are in no document, and
 * in a large workspace some are in almost any. A name of code that the documents hold says what the question is about; `purpose`
 * and `method` beside it need not be there.
 */
function weakBelow(
  { terms: asked }: Pick<Analysis, "terms">,
  { terms, whole, missingWeight }: Pick<QueryPlan, "terms" | "whole" | "missingWeight">,
  size: number,
): number {
  const letters = asked.reduce((sum, { tokens, unspaced }) => sum + (unspaced ? tokens.length : 0), 0);
  const words = asked.filter(({ unspaced }) => !unspaced).length;
  const growth = Math.log(Math.max(size, 1) / 10_000);
  const isNamed = terms.some(({ parts }) => parts !== undefined);
  const spaced = isNamed ? 0 : WEAK.base + WEAK.perWord * (words + letters) + WEAK.perSize * growth;
  const share = letters > words ? WEAK.unspaced + WEAK.unspacedPerSize * growth : spaced;
  return Math.min(WEAK.most, Math.max(WEAK.least, share)) * (whole + missingWeight);
}

function planExpression({ text, expression }: Analysis, chunks: Int32Array): QueryPlan {
  const clause = { match: expression ?? "", weight: 1, isScored: true, chunks, of: "", texts: [] };
  return { ...emptyPlan(), clauses: [clause], whole: 1, terms: expressionTerms(text), isExpression: true };
}

function planWords({ language }: Analysis, found: FoundWords, count: number): QueryPlan {
  const { terms, quoting } = found;
  const hasNames = terms.some((one) => one.term.isNamed === true && one.kind !== "missing");
  const isShort = terms.length <= TUNING.keywords;
  const phrases = found.phrases.map((one) => {
    const clause = clauseOf(one, count);
    return { ...clause, weight: clause.weight * phraseShare(one, { hasNames, isShort }) };
  });
  const plan: QueryPlan = { ...emptyPlan(), phrases, quoting, language };
  const draft = { plan, count, mostOfOthers: mostOfWords(terms, count) };
  for (const term of terms) addTerm(draft, term);
  for (const term of terms) if (term.kind === "word") addParts(draft, term);
  // A few words name a subject, which other chunks of a document may be about too; a sentence asks for one passage.
  if (plan.terms.length <= TUNING.keywords) plan.secondChunk = TUNING.secondChunk;
  return plan;
}

function emptyPlan(): QueryPlan {
  return {
    clauses: [],
    phrases: [],
    terms: [],
    whole: 0,
    quoting: new Int32Array(0),
    language: null,
    corrections: new Map(),
    missing: [],
    missingWeight: 0,
    weakBelow: 0,
    also: { clauses: [], weakBelow: 0 },
    isForeign: false,
    secondChunk: 0,
    isExpression: false,
  };
}

/** Adds what the documents may say instead of the query's own words: it counts less, and its unknown words do not count. */
function addAlso(plan: QueryPlan, also: readonly QueryPlan[]): QueryPlan {
  const known = new Set([...plan.clauses, ...plan.phrases].map(({ match }) => match));
  const added = (clauses: Clause[], share: number) =>
    clauses
      .filter(({ match }) => !known.has(match) && known.add(match))
      .map((clause) => ({ ...clause, weight: clause.weight * share, isScored: false }));
  const clauses = also.flatMap((one) => added(one.clauses, TUNING.also * shareOfWord(one)));
  const phrases = also.flatMap((one) => added(one.phrases, TUNING.also));
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

function addTerm(draft: Draft, found: FoundTerm): void {
  const { plan, count } = draft;
  if (found.kind === "word") addWord(draft, found);
  else if (found.kind === "run") addRun(draft, found);
  else if (found.kind === "correction") addCorrection(draft, found);
  else if (found.kind === "name") for (const part of found.parts) addTerm(draft, part);
  else addMissing(plan, found.term, rarity(0, count));
}

type FoundOf<Kind extends FoundTerm["kind"]> = Extract<FoundTerm, { kind: Kind }>;

/** A word and its other forms: they count in chunks without the word itself, and in all if the documents do not hold it. */
function addWord(
  { plan, count, mostOfOthers }: Draft,
  { term, exact, isKnown, forms }: FoundOf<"word">,
): void {
  plan.terms.push(forms.texts.length === 0 ? term : { ...term, forms: [...forms.texts] });
  if (isKnown) {
    const own = clauseOf(exact, count);
    addClause(
      plan,
      term.isNamed ? { ...own, weight: TUNING.named * Math.max(own.weight, mostOfOthers) } : own,
    );
  }
  if (forms.texts.length === 0) return;
  const others = clauseOf(forms, count);
  const together = union([exact.chunks, others.chunks]);
  const weight = (isKnown ? TUNING.forms : 1) * rarity(together.length, count);
  const chunks = without(others.chunks, exact.chunks);
  const clause = { ...others, of: term.tokens[0] ?? "", chunks, weight, isScored: !isKnown };
  addClause(plan, clause, isKnown ? 0 : weight);
}

/** The words inside a known name: a passage that holds some of them may be about the same. */
function addParts({ plan, count }: Draft, { parts }: FoundOf<"word">): void {
  for (const part of parts) {
    const clause = clauseOf(part, count);
    addClause(plan, { ...clause, weight: clause.weight * TUNING.parts, isScored: false });
  }
}

/** Of a few words the order tells more: they may be a title. Beside a name, words such as `create new` say little. */
function phraseShare(
  { isRun, isNamed, texts }: FoundPhrase,
  { hasNames, isShort }: { hasNames: boolean; isShort: boolean },
): number {
  if (isRun) return 1;
  if (hasNames && !isNamed) return TUNING.minorPair;
  if (isShort) return TUNING.fewWordsPair;
  return texts.some((text) => text.split(" ").some(isStopWord)) ? TUNING.minorPair : TUNING.pair;
}

function mostOfWords(terms: readonly FoundTerm[], count: number): number {
  const others = terms.flatMap((one) =>
    one.kind === "word" && one.isKnown && !one.term.isNamed ? rarity(one.exact.chunks.length, count) : 0,
  );
  return Math.max(0, ...others);
}

/** An unspaced run is searched by its pairs. */
function addRun({ plan, count }: Draft, { term, pairs, unknown }: FoundOf<"run">): void {
  if (pairs.length > 0) plan.terms.push(term);
  for (const pair of pairs) addClause(plan, clauseOf(pair, count));
  const weight = unknown * rarity(0, count);
  if (pairs.length === 0 && unknown > 0) addMissing(plan, term, weight);
  else plan.missingWeight += weight;
}

function addCorrection({ plan, count }: Draft, { term, words }: FoundOf<"correction">): void {
  plan.corrections.set(term.tokens[0] ?? "", words[0]?.texts[0] ?? "");
  for (const { texts } of words) plan.terms.push({ tokens: [...texts], unspaced: false });
  // Only one of them is the right word.
  const texts = words.flatMap((word) => word.texts);
  addClause(plan, clauseOf({ texts, chunks: union(words.map(({ chunks }) => chunks)) }, count));
}

function addMissing(plan: QueryPlan, { tokens }: Term, weight: number): void {
  plan.missing.push(tokens.join(""));
  plan.missingWeight += weight;
}

function addClause(plan: QueryPlan, clause: Clause, share = clause.weight): void {
  const { clauses } = plan;
  if (clauses.length >= MAX_CLAUSES || clauses.some(({ match }) => match === clause.match)) return;
  plan.whole += share;
  clauses.push(clause);
}

function clauseOf({ texts, chunks }: Found, count: number): Clause {
  const match = texts.map(phrase).join(" OR ");
  return { match, weight: rarity(chunks.length, count), isScored: true, chunks, of: texts[0] ?? "", texts };
}

/** Inverse document frequency, as in bm25. */
function rarity(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}
