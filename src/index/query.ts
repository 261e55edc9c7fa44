import { UserError } from "../lib/errors.ts";
import { fold } from "../lib/text.ts";
import { COLUMNS } from "./schema.ts";
import { segment, type Token, tokenize } from "./segment.ts";

/** What a query asks for, before the index is looked at. */
export interface Analysis {
  /** The query in FTS5's own syntax, if it uses it: run as written when FTS5 can parse it. */
  expression: string | null;
  /** Words and runs of unspaced letters to find, folded, without repeats. */
  terms: Term[];
}

export interface Term {
  /** The term as the index tokenizes it: one token, or the letters of an unspaced run. */
  tokens: string[];
  unspaced: boolean;
}

/** More terms than this add cost and no meaning; the first ones are kept. */
const MAX_TERMS = 48;
const MAX_QUERY_CHARS = 20_000;

const columnNames = Object.keys(COLUMNS).join("|");
const SYNTAX = new RegExp(
  `["()*]|\\b(?:AND|OR|NOT)\\b|\\bNEAR\\s*\\(|(?:^|[\\s({-])(?:${columnNames})\\s*:`,
  "u",
);

/** Reads a query of any kind. Throws INVALID_QUERY only when it holds nothing that could be searched. */
export function analyse(query: string): Analysis {
  const text = query.slice(0, MAX_QUERY_CHARS).toWellFormed().replaceAll("\0", " ");
  const terms = termsOf(tokenize(text.normalize("NFKC")));
  if (terms.length === 0) {
    throw new UserError(
      "INVALID_QUERY",
      "The query has no word to search for. Give at least one word, number or name, for example: bearer token.",
    );
  }
  return { expression: SYNTAX.test(text) ? segment(text) : null, terms };
}

function termsOf(tokens: Token[]): Term[] {
  const terms = new Map<string, Term>();
  for (const term of joinRuns(tokens)) {
    const key = term.tokens.join(term.unspaced ? "" : " ");
    if (!terms.has(key)) terms.set(key, term);
    if (terms.size >= MAX_TERMS) break;
  }
  return [...terms.values()];
}

function joinRuns(tokens: Token[]): Term[] {
  const terms: Term[] = [];
  let end = -1;
  for (const token of tokens) {
    const text = fold(token.text);
    const last = terms.at(-1);
    if (token.unspaced && last?.unspaced === true && token.start === end) last.tokens.push(text);
    else if (text !== "") terms.push({ tokens: [text], unspaced: token.unspaced });
    end = token.end;
  }
  return terms;
}

/** The FTS5 query of a natural-language question: any of its terms, taken literally. */
export function matchAny(terms: Term[]): string {
  const clauses = new Set(terms.flatMap(clausesOf));
  return [...clauses].slice(0, MAX_TERMS * 2).join(" OR ");
}

/** A run is asked for as a whole and by its overlapping pairs, so that a part of it is found too. */
function clausesOf(term: Term): string[] {
  if (!term.unspaced || term.tokens.length <= 2) return [phrase(term.tokens)];
  const pairs = term.tokens.slice(1).map((token, at) => phrase([term.tokens[at] ?? "", token]));
  return [phrase(term.tokens), ...pairs];
}

function phrase(tokens: string[]): string {
  return `"${tokens.join(" ")}"`;
}
