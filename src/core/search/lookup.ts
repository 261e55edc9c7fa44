import { isStopWord, type Language } from "../index/language.ts";
import { union } from "../index/postings.ts";
import { cached } from "../index/query-cache.ts";
import { SqliteError } from "../sqlite/error.ts";
import { isWrittenAsName } from "./capitals.ts";
import { passes, type Scope } from "./filter.ts";
import { type Inflected, inflectedIn, isInflected, stemOf, wordForms } from "./forms.ts";
import { type Analysis, LETTERS_OF_A_WORD, type Term } from "./query.ts";
import { mayBeMistyped, mostEdits, neighbours } from "./spelling.ts";
import { languageOfWord } from "./vocabulary.ts";

/** Texts that stand for one thing, and the chunks that hold any of them, ascending. */
export interface Found {
  texts: readonly string[];
  chunks: Int32Array;
}

/** `isRun`: whether it is a run of unspaced letters; `isNamed`: whether a word of it is a name. */
export interface FoundPhrase extends Found {
  isRun: boolean;
  isNamed: boolean;
}

/** What the documents that pass the filter hold of a term. */
export type FoundTerm =
  | { kind: "word"; term: Term; exact: Found; isKnown: boolean; forms: Found; parts: Found[] }
  /** The pairs of an unspaced run that they hold, and the number of others. */
  | { kind: "run"; term: Term; pairs: Found[]; unknown: number }
  /** The known words nearest to a mistyped one, best first. */
  | { kind: "correction"; term: Term; words: Found[] }
  /** A name that they write in another way: its words. */
  | { kind: "name"; term: Term; parts: FoundTerm[] }
  | { kind: "missing"; term: Term };

/** What the index holds of a text. */
export interface FoundWords {
  terms: FoundTerm[];
  /** Words and letters side by side. */
  phrases: FoundPhrase[];
  /** The chunks that hold the whole query as written, if it is long enough. */
  quoting: Int32Array;
  /** Whether the documents hold less than half of its words: it may be in another language. */
  isForeign: boolean;
}

/** Words whose other forms, and unknown ones whose neighbours are looked up. */
const MAX_INFLECTED = 48;
const MAX_UNKNOWN = 8;
const MAX_FORMS = 8;
/** The room of a word's forms in the cache. */
const FORMS = 1 / 256;
const MAX_NEIGHBOURS = 2;
/** Everything that one query looks for. */
export const MAX_CLAUSES = 48;
/** Letters of an unspaced run in one phrase: FTS5's time grows with the square of their number. */
const MAX_PHRASE = 48;

export interface FoundQuery extends FoundWords {
  /** The chunks of the query as an FTS5 expression; null if its words are searched. */
  expression: Int32Array | null;
  /** Those of the asked days that the documents name in digits. */
  days: Found;
  also: FoundWords[];
}

/** What is asked: `days` are what the query says in words (askedDays). */
interface Asked {
  query: Analysis;
  also: readonly Analysis[];
  days?: readonly string[];
}

/** Looks up everything at once; unknown words of the query are corrected unless `isCorrected` is false. */
export function lookUp(scope: Scope, { query, also, days = [] }: Asked, isCorrected = true): FoundQuery {
  const expression = findExpression(scope, query);
  if (expression !== null) return { ...NOTHING, expression };
  return {
    ...findWords(scope, query, isCorrected),
    expression,
    days: findDays(scope, days),
    also: also.map((text) => findWords(scope, text, false)),
  };
}

const NOTHING = {
  terms: [],
  phrases: [],
  quoting: new Int32Array(0),
  days: { texts: [], chunks: new Int32Array(0) },
  also: [],
  isForeign: false,
};

function findDays(scope: Scope, days: readonly string[]): Found {
  const held = days
    .map((day) => find({ scope }, day.split("-")))
    .filter(({ chunks }) => passes(scope, chunks));
  return { texts: held.flatMap(({ texts }) => texts), chunks: union(held.map(({ chunks }) => chunks)) };
}

/** Null for text that only looks like FTS5 syntax, such as `node.js("x")`, an unbalanced quote, or quotes in prose. */
function findExpression(scope: Scope, { expression, isProse }: Analysis): Int32Array | null {
  if (expression === null) return null;
  try {
    const chunks = scope.postings.of(expression);
    return isProse && !passes(scope, chunks) ? null : chunks;
  } catch (error) {
    if (!(error instanceof SqliteError) || error.kind !== "syntax") throw error;
    return null;
  }
}

/** Looks up all words, pairs and phrases of a text. */
function findWords(
  scope: Scope,
  { terms, adjacent, quotation, language }: Analysis,
  isCorrected: boolean,
): FoundWords {
  const reader: Reader = { scope, language, forms: new Map(), near: new Map(), unknown: 0, pairs: 0 };
  const known = terms.map((term) =>
    term.pairs === undefined ? findWord(reader, term) : findRun(reader, term, term.pairs),
  );
  const isForeign = isMostlyUnknown(known);
  // The small words of another language are near to many: `nicht` is no `niche`.
  if (isCorrected && !isForeign) reader.unknown = MAX_UNKNOWN;
  const found = known.map((one) =>
    one.kind === "missing" || one.kind === "name" ? findWord(reader, one.term) : one,
  );
  const instead = new Map(found.flatMap(replacement));
  const phrases = [
    ...found.flatMap(phrasesOf),
    ...adjacent.map(({ words, isNamed }) => ({
      tokens: words.map((word) => instead.get(word) ?? word),
      isRun: false,
      isNamed,
    })),
  ];
  const room = Math.max(0, MAX_CLAUSES - found.reduce((sum, one) => sum + countOf(one), 0));
  return {
    terms: found,
    phrases: phrases.slice(0, room).map(({ tokens, ...kind }) => ({ ...find(reader, tokens), ...kind })),
    quoting: quotation.length === 0 ? new Int32Array(0) : find(reader, quotation).chunks,
    isForeign,
  };
}

/** So many words are a question: of fewer, each may be mistyped. */
const WORDS_OF_A_QUESTION = 4;

function isMostlyUnknown(found: readonly FoundTerm[]): boolean {
  let [all, unknown] = [0, 0];
  for (const one of found) {
    const { tokens, unspaced } = one.term;
    const words = unspaced ? tokens.length / LETTERS_OF_A_WORD : 1;
    const isUnknown = one.kind === "run" ? one.unknown >= one.pairs.length : one.kind === "missing";
    all += words;
    if (isUnknown) unknown += words;
  }
  return all >= WORDS_OF_A_QUESTION && 2 * unknown >= all;
}

interface Reader {
  scope: Scope;
  language: Language | null;
  /** Words whose forms or neighbours were looked up, and how many unknown ones may be. */
  forms: Map<string, string[]>;
  near: Map<string, string[]>;
  unknown: number;
  /** Known pairs of unspaced letters so far. */
  pairs: number;
}

function find({ scope }: Pick<Reader, "scope">, tokens: readonly string[]): Found {
  const text = tokens.join(" ");
  return { texts: [text], chunks: scope.postings.of(phrase(text)) };
}

export function phrase(text: string): string {
  return `"${text}"`;
}

/** More known pairs than a query has clauses are not looked up: a text may have hundreds. */
function findRun(reader: Reader, term: Term, all: string[][]): FoundTerm {
  const pairs: Found[] = [];
  let unknown = 0;
  for (const pair of all) {
    if (reader.pairs >= MAX_CLAUSES) break;
    const found = find(reader, pair);
    if (!passes(reader.scope, found.chunks)) unknown++;
    else if (pairs.push(found)) reader.pairs++;
  }
  return { kind: "run", term, pairs, unknown };
}

/** A word by the first of these that the documents hold: itself or its forms, the words inside it, its neighbours. */
function findWord(reader: Reader, term: Term): FoundTerm {
  const exact = find(reader, term.tokens);
  const isKnown = passes(reader.scope, exact.chunks);
  const forms = findForms(reader, term, isKnown);
  const { parts = [] } = term;
  if (isKnown || forms.texts.length > 0) {
    const inside = isKnown ? parts.filter((part) => part.length > 2 && !isStopWord(part)) : [];
    return { kind: "word", term, exact, isKnown, forms, parts: inside.map((part) => find(reader, [part])) };
  }
  const isName = parts.length > 0 && parts.every((part) => passes(reader.scope, find(reader, [part]).chunks));
  const words = isName ? [] : findNeighbours(reader, term);
  if (words.length > 0) return { kind: "correction", term, words: words.map((word) => find(reader, [word])) };
  if (parts.length === 0) return { kind: "missing", term };
  return {
    kind: "name",
    term,
    parts: parts.map((part) => findWord(reader, { tokens: [part], unspaced: false })),
  };
}

/** The other forms of a word, the most frequent ones first; of a known name also its words, as in `get_user` for `getUser`. */
function findForms(reader: Reader, { tokens: [word = ""], unspaced, parts }: Term, isKnown: boolean): Found {
  const { scope, language, forms } = reader;
  if (!unspaced && !forms.has(word) && forms.size < MAX_INFLECTED)
    forms.set(word, formsOf(scope, word, language));
  const texts = [...(forms.get(word) ?? [])];
  const apart = isKnown && parts !== undefined ? find(reader, parts) : undefined;
  if (apart !== undefined && passes(scope, apart.chunks)) texts.push(...apart.texts);
  return { texts, chunks: union(texts.map((form) => find(reader, [form]).chunks)) };
}

function formsOf(scope: Scope, word: string, language: Language | null): string[] {
  const forms = new Set<string>();
  for (const one of inflectedIn(language))
    for (const form of knownForms(scope, word, one)) {
      if (forms.size >= MAX_FORMS) break;
      if (isHeld(scope, form, one)) forms.add(form);
    }
  return [...forms];
}

function knownForms(scope: Scope, word: string, language: Inflected): string[] {
  const find = () => mostFrequentFirst(scope, wordForms(scope.db, word, language));
  return cached(scope.db, `${language} forms of ${word}`, find, () => FORMS);
}

function mostFrequentFirst({ postings }: Scope, words: string[]): string[] {
  const count = (word: string) => postings.of(phrase(word)).length;
  return words.sort((a, b) => count(b) - count(a));
}

/** Whether the documents hold a word that may belong to a language. */
function isHeld({ db, postings, allowed }: Scope, word: string, language: Language | null): boolean {
  const chunks = postings.of(phrase(word));
  if (!passes({ allowed }, chunks)) return false;
  // A word of Spanish documents is no form of an English word, and the other way round.
  if (!isInflected(language)) return true;
  const found = languageOfWord(db, chunks);
  return found === language || !isInflected(found);
}

/** The known words nearest to an unknown one, best first; nearest to a name, only those that the documents write as names. */
function findNeighbours(reader: Reader, { tokens: [word = ""], unspaced, isCapitalized }: Term): string[] {
  const { scope, near, unknown } = reader;
  if (unspaced || !mayBeMistyped(word)) return [];
  if (!near.has(word) && near.size < unknown) {
    const all = nearest(scope, word, reader.language);
    // `Biden` is no `widen`, and no `Aiden`: names hardly ever begin with a typing error.
    const isName = (other: string) =>
      other[0] === word[0] && isWrittenAsName(scope, other, scope.postings.of(phrase(other)));
    near.set(word, isCapitalized ? all.filter(isName) : all);
  }
  return near.get(word) ?? [];
}

function nearest(scope: Scope, word: string, language: Language | null): string[] {
  // An ending is hardly ever mistyped: `decided` is not `declined`.
  const edits = Math.min(...inflectedIn(language).map((one) => mostEdits(stemOf(word, one))));
  const isEligible = (term: string) => isHeld(scope, term, language);
  return mostFrequentFirst(scope, neighbours(scope.db, word, { edits, isEligible })).slice(0, MAX_NEIGHBOURS);
}

/** What stands in phrases for a word that the documents do not hold. */
function replacement(found: FoundTerm): [string, string][] {
  if (found.kind === "name") return found.parts.flatMap(replacement);
  const forms = found.kind === "word" && !found.isKnown ? found.forms : undefined;
  const [instead] = (found.kind === "correction" ? found.words[0] : forms)?.texts ?? [];
  return instead === undefined ? [] : [[found.term.tokens[0] ?? "", instead]];
}

/** The phrases inside a term: an unspaced run as a whole, the words of a name side by side. */
function phrasesOf(found: FoundTerm): { tokens: string[]; isRun: boolean; isNamed: boolean }[] {
  if (found.kind === "run")
    return found.pairs.length === 0
      ? []
      : [{ tokens: found.term.tokens.slice(0, MAX_PHRASE), isRun: true, isNamed: false }];
  if (found.kind !== "name") return [];
  const { parts = [] } = found.term;
  return parts.slice(1).map((part, at) => ({ tokens: [parts[at] ?? "", part], isRun: false, isNamed: true }));
}

/** How many clauses a term takes. */
function countOf(found: FoundTerm): number {
  if (found.kind === "word") return Number(found.isKnown) + Number(found.forms.texts.length > 0);
  if (found.kind === "run") return found.pairs.length;
  if (found.kind === "correction") return found.words.length;
  return found.kind === "name" ? found.parts.reduce((sum, part) => sum + countOf(part), 0) : 0;
}
