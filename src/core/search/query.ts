import { detectLanguage, isHiragana, isStopWord, type Language } from "../index/language.ts";
import { COLUMNS } from "../index/schema.ts";
import { foldedWords, nameParts, namesIn, segment, type Token, tokenize } from "../index/tokenizer.ts";
import { UserError } from "../lib/errors.ts";
import { fold } from "../lib/text.ts";
import { simplify } from "./expression.ts";

/** A query, analysed without the index. */
export interface Analysis {
  text: string;
  language: Language | null;
  /** The query as an FTS5 expression, if it uses that syntax: run as written if FTS5 can parse it. */
  expression: string | null;
  /** Whether quotes, parentheses, `^` and `+` are all of its syntax, and quotes not around all words: they stand in prose too. */
  isProse: boolean;
  /** Words and runs of unspaced letters to find, folded, without repeats; small words only if there are no others. */
  terms: Term[];
  /** Words that are side by side, without repeats; not two stop words. */
  adjacent: Pair[];
  /** All words and letters in their order, if they are enough to be a quotation. */
  quotation: string[];
}

/** Two folded words side by side. */
export interface Pair {
  words: [string, string];
  /** Whether one of them is a name. */
  isNamed: boolean;
}

export interface Term {
  /** The term as the index tokenizes it: one token, or the letters of an unspaced run. */
  tokens: string[];
  unspaced: boolean;
  /** Whether it was written in capitals, as names are (default: false). */
  inCapitals?: boolean;
  /** Whether it has a capital as names have: not because all letters or the first ones of a text have one (default: false). */
  isCapitalized?: boolean;
  /** Whether it was written as names of code are: in backticks, with capitals inside, or with digits (default: false). */
  isNamed?: boolean;
  /** The words inside a name (`getUserProfile`); only for names. */
  parts?: string[];
  /** What to find of a longer unspaced run: its overlapping pairs, each once. */
  pairs?: string[][];
  /** Its other forms that the documents hold. */
  forms?: string[];
  /** Whether words that begin with it match too (default: false). */
  prefix?: boolean;
}

/** More terms than this add cost and no meaning; the first ones are kept. */
const MAX_TERMS = 48;
export const MAX_QUERY_CHARS = 20_000;

const columnNames = Object.keys(COLUMNS).join("|");
const SYNTAX = new RegExp(
  `["()*]|(?:^|[\\s:])\\^(?=\\p{L})|\\s\\+\\s|\\b(?:AND|OR|NOT)\\b|\\bNEAR\\s*\\(|(?:^|[\\s({-])(?:${columnNames})\\s*:`,
  "u",
);
/** What only who knows the syntax writes: `auth*`, but not `*emphasis*`, and not `title: x` as frontmatter has it. */
const OPERATOR = new RegExp(
  `\\b(?:AND|OR|NOT)\\b|\\bNEAR\\s*\\(|\\b(?:${columnNames})\\s*:(?=\\S)|^[^*]*[\\p{L}\\p{M}\\p{N}_"]\\*`,
  "u",
);
const QUOTED = /"[^"]*"/g;
// Quoted text stays: there `OR` is a word.
const OPERATORS = new RegExp(
  `("(?:[^"]|"")*")|\\b(?:AND|OR|NOT|NEAR)\\b|,\\s*\\d+\\s*(?=\\))|\\b(?:${columnNames})\\s*:`,
  "gu",
);

/** Analyses any query. Throws INVALID_QUERY only if it has no word to search for. */
export function analyse(query: string): Analysis {
  const words = analyseWords(query);
  if (words === null) throw new UserError("INVALID_QUERY", NO_WORD);
  return { ...words, expression: expressionOf(words.text) };
}

/** Analyses a text as plain words; null if it has none. */
export function analyseWords(query: string): Analysis | null {
  const text = searchable(query);
  const sequence = sequenceOf(text.normalize("NFKC"));
  if (sequence.length === 0) return null;
  const terms = distinct(sequence).map(withPairs);
  return {
    text,
    language: detectLanguage(text),
    expression: null,
    isProse: !OPERATOR.test(text) && /[\p{L}\p{N}]/u.test(text.replace(QUOTED, " ")),
    terms: withoutSmallWords(terms),
    adjacent: adjacentPairs(sequence),
    quotation: quotationOf(sequence),
  };
}

/** Drops stop words and pairs of hiragana, in which Japanese has its grammar, unless nothing else is left. */
function withoutSmallWords(terms: Term[]): Term[] {
  const words = withoutStopWords(terms).map((term) =>
    term.pairs === undefined
      ? term
      : { ...term, pairs: term.pairs.filter((pair) => !pair.every(isHiragana)) },
  );
  return words.every(({ pairs }) => pairs?.length === 0) ? terms : words;
}

/** Drops stop words, unless nothing else is left, they are next to a number, or they are in capitals. */
function withoutStopWords(terms: Term[]): Term[] {
  const rest = terms.filter((term, at) => {
    if (term.unspaced || term.inCapitals === true || !isStopWord(term.tokens[0] ?? "")) return true;
    return [terms[at - 1], terms[at + 1]].some((beside) => /^\d/.test(beside?.tokens[0] ?? ""));
  });
  return rest.length > 0 ? rest : terms;
}

function searchable(query: string): string {
  return query.slice(0, MAX_QUERY_CHARS).toWellFormed().replaceAll("\0", " ");
}

/** Two letters of an unspaced script are about a word. */
export const LETTERS_OF_A_WORD = 2;
const MIN_QUOTED_WORDS = 6;
/** FTS5's time for a phrase grows with its length, and so many words in a row say enough. */
const MAX_QUOTED_TOKENS = 48;

function quotationOf(sequence: Term[]): string[] {
  const words = sequence.reduce(
    (sum, { tokens, unspaced }) => sum + (unspaced ? tokens.length / LETTERS_OF_A_WORD : 1),
    0,
  );
  if (words < MIN_QUOTED_WORDS) return [];
  return sequence.flatMap(({ tokens }) => tokens).slice(0, MAX_QUOTED_TOKENS);
}

const NO_WORD =
  "The query has no word to search for. Give at least one word, number or name, for example: bearer token.";

function expressionOf(text: string): string | null {
  const expression = SYNTAX.test(text) ? segment(text) : "";
  // FTS5 reserves a leading `*` for special queries, such as `*reads`.
  return expression === "" || expression.startsWith("*") ? null : simplify(expression);
}

/** The terms of a query that runs as written: without its operators and column names; a `*` makes a prefix. */
export function expressionTerms(query: string): Term[] {
  const operands = query.normalize("NFKC").replace(OPERATORS, " $1 ");
  const tokens = tokenize(operands);
  const prefixes = new Set(tokens.filter((token) => !token.unspaced && isStarred(operands, token)));
  return [
    ...distinct(joinRuns(tokens.filter((token) => !prefixes.has(token)))),
    ...distinct(joinRuns([...prefixes])).map((term) => ({ ...term, prefix: true })),
  ];
}

function isStarred(text: string, { end }: Token): boolean {
  return /^"?\s*\*/.test(text.slice(end, end + 10));
}

function adjacentPairs(sequence: Term[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const [at, term] of sequence.entries()) {
    const next = sequence[at + 1];
    if (term.unspaced || next === undefined || next.unspaced) continue;
    const words: [string, string] = [term.tokens[0] ?? "", next.tokens[0] ?? ""];
    const isNamed = term.isNamed === true || next.isNamed === true;
    if (!words.every(isStopWord)) pairs.set(words.join(" "), { words, isNamed });
  }
  return [...pairs.values()];
}

function distinct(sequence: Term[]): Term[] {
  const terms = new Map<string, Term>();
  for (const term of sequence) {
    const key = term.tokens.join("");
    if (!terms.has(key)) terms.set(key, term);
    if (terms.size >= MAX_TERMS) break;
  }
  return [...terms.values()];
}

const MANY_LETTERS = 7;
const IN_BACKTICKS = /`[^`]+`/g;

/** The words and runs of a query in their order; what stands in backticks is a name. */
function sequenceOf(text: string): Term[] {
  const code = [...text.matchAll(IN_BACKTICKS)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  const isCode = ({ start }: Token) => code.some(([from, to]) => start > from && start < to);
  const hasSmallLetters = /\p{Ll}/u.test(text);
  // A question begins with a capital, too; a long word that is nearly another is that one, mistyped.
  const isName = ({ tokens: [word = ""] }: Term, at: number) => at > 0 || word.length < MANY_LETTERS;
  return joinRuns(tokenize(text), isCode).map((term, at) => {
    const { isCapitalized, ...rest } = term;
    return isCapitalized && !(hasSmallLetters && isName(term, at)) ? rest : term;
  });
}

function joinRuns(tokens: Token[], isCode: (token: Token) => boolean = () => false): Term[] {
  const terms: Term[] = [];
  let end = -1;
  for (const token of tokens) {
    const text = fold(token.text);
    const last = terms.at(-1);
    if (token.unspaced && last?.unspaced === true && token.start === end) last.tokens.push(text);
    else if (text !== "") terms.push(termOf(token, text, isCode(token)));
    end = token.end;
  }
  return terms;
}

function termOf({ text, unspaced }: Token, folded: string, isCode: boolean): Term {
  const parts = unspaced ? [] : foldedWords(nameParts(text));
  return {
    tokens: [folded],
    unspaced,
    ...(/^\p{Lu}{2,}$/u.test(text) && { inCapitals: true }),
    ...(/^\p{Lu}/u.test(text) && { isCapitalized: true }),
    ...(!unspaced && (isCode || namesIn(text) !== "" || /\p{N}/u.test(text)) && { isNamed: true }),
    ...(parts.length > 1 && { parts }),
  };
}

function withPairs(term: Term): Term {
  const pairs = pairsOf(term);
  return pairs.length === 0 ? term : { ...term, pairs };
}

/** The overlapping pairs of a longer run, each once. */
export function pairsOf({ tokens, unspaced }: Term): string[][] {
  if (!unspaced || tokens.length <= 2) return [];
  const pairs = tokens.slice(1).map((token, at) => [tokens[at] ?? "", token]);
  return [...new Map(pairs.map((pair) => [pair.join(" "), pair])).values()];
}
