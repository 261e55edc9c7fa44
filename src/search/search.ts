import { detectLanguage } from "../index/language.ts";
import { LISTED_CHUNKS, openPostings, type Postings, readJson } from "../index/postings.ts";
import { namePart, tokenize } from "../index/tokenizer.ts";
import { escapeLine } from "../lib/escape.ts";
import { fold } from "../lib/text.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type Analysis, analyse, expressionTerms, MAX_QUERY_CHARS, type Term } from "./query.ts";
import { planQuery } from "./query-plan.ts";
import { type Hit, type Ranking, type RankOptions, rank } from "./rank.ts";
import { CANDIDATES, rerank } from "./rerank.ts";
import { snippetMaker } from "./snippet.ts";
import { neighbours } from "./spelling.ts";
import { TUNING, type Tuning } from "./weights.ts";

/** `limit` is the number of results, 1 to 100. */
export interface SearchRequest extends Omit<RankOptions, "tuning"> {
  query: string;
  /** The project that the query is most likely about: its documents come first among equals. */
  preferred?: string | undefined;
  /** Overrides of the default weights. */
  tuning?: Partial<Tuning>;
  /** Maximum characters of a snippet, approximately (default: 500). */
  snippetChars?: number | undefined;
  /** Maximum characters of all results as JSON: snippets are shortened to fit. */
  maxChars?: number | undefined;
  /** The text of a document by its path, for snippets; undefined if it is gone by now. */
  textOf: (path: string) => string | undefined;
}

const SNIPPET_CHARS = { least: 20, most: 500 };

export interface SearchResult {
  project: string;
  folder: string;
  filename: string;
  path: string;
  heading: string | null;
  snippet: string;
  score: number;
  /** Further chunks of the document that match. */
  more: number;
  type: string | null;
  status: string | null;
  updated: string | null;
  mtime: number;
}

export interface SearchAnswer {
  /** Documents that match. */
  total: number;
  results: SearchResult[];
  /** The query with unknown words corrected; null if there was none. */
  corrected: string | null;
}

/**
 * Ranked full-text search: analyse, match, rank, re-rank, fetch, and a snippet for each result. Throws INVALID_QUERY for a
 * query without a word.
 */
export function search(db: SqlDatabase, { query, ...options }: SearchRequest): SearchAnswer {
  const request = { ...options, query: query.slice(0, MAX_QUERY_CHARS) };
  const analysis = analyse(request.query);
  const context = { db, request, tuning: { ...TUNING, ...request.tuning }, postings: openPostings(db) };
  const { hits, total, terms, corrected } = asWritten(context, analysis) ?? asWords(context, analysis);
  return { total, corrected, results: withSnippets(fetchResults(db, hits, terms, request.textOf), request) };
}

interface Context {
  db: SqlDatabase;
  request: SearchRequest;
  tuning: Tuning;
  postings: Postings;
}

interface Outcome extends Ranking {
  /** What to mark in the snippets. */
  terms: Term[];
  corrected: string | null;
}

/** Undefined for text that only looks like FTS5 syntax, such as `node.js("x")` or an unbalanced quote. */
function asWritten(
  { db, request, tuning, postings }: Context,
  { expression }: Analysis,
): Outcome | undefined {
  if (expression === null) return undefined;
  try {
    const clauses = [{ match: expression, weight: 1, chunks: postings.of(expression) }];
    const target = { clauses, phrases: [], size: postings.size };
    const ranking = rank(db, target, { ...request, tuning: { ...tuning, secondChunk: 0 } });
    return { ...ranking, terms: expressionTerms(request.query), corrected: null };
  } catch (error) {
    if (!(error instanceof SqliteError) || error.kind !== "syntax") throw error;
    return undefined;
  }
}

/** The columns that say what a chunk is about. */
const NAMES = "{heading title name tags}";

function asWords({ db, request, tuning, postings }: Context, analysis: Analysis): Outcome {
  const lookup = { ...postings, neighbours: (word: string) => neighbours(db, word) };
  const plan = planQuery(analysis, lookup, tuning);
  const isShort = plan.terms.length <= tuning.keywords;
  const { hits, total } = rank(
    db,
    { ...plan, size: postings.size, named: (match) => postings.of(`${NAMES} : ${match}`) },
    {
      ...request,
      candidates: CANDIDATES,
      // A few words name a subject, which other chunks of the document may be about too; a sentence asks for one passage.
      tuning: { ...tuning, secondChunk: isShort ? tuning.secondChunk : 0 },
    },
  );
  const { query, preferred, limit } = request;
  const reranked = rerank(db, hits, { plan, language: detectLanguage(query), tuning, preferred });
  const corrected = correctedQuery(query, plan.corrections);
  return { hits: reranked.slice(0, limit), total, terms: plan.terms, corrected };
}

function correctedQuery(query: string, corrections: Map<string, string>): string | null {
  if (corrections.size === 0) return null;
  let text = query;
  for (const { text: word, start, end } of tokenize(query).toReversed()) {
    const better =
      corrections.get(fold(word)) ?? word.replace(namePart(), (part) => inName(part, corrections));
    text = text.slice(0, start) + better + text.slice(end);
  }
  return text === query ? null : text;
}

/** The correction of a word in a name, with its capital: `getUserTokn` gives `getUserToken`. */
function inName(part: string, corrections: Map<string, string>): string {
  const better = corrections.get(fold(part));
  if (better === undefined) return part;
  return /^\p{Lu}/u.test(part) ? better.charAt(0).toUpperCase() + better.slice(1) : better;
}

// A chunk that is only a heading (a title) shows the first text of its document.
const FETCH = `SELECT json_group_array(json_object(
    'chunk', c.id, 'project', p.name, 'folder', d.folder, 'filename', d.filename, 'path', d.path, 'title', d.title,
    'heading', c.heading, 'type', d.type, 'status', d.status, 'updated', d.updated, 'mtime', d.mtime,
    'offset', CASE c.char_length WHEN 0 THEN f.char_offset ELSE c.char_offset END,
    'length', CASE c.char_length WHEN 0 THEN f.char_length ELSE c.char_length END))
  FROM ${LISTED_CHUNKS}
  JOIN documents d ON d.id = c.document_id JOIN projects p ON p.id = d.project_id
  LEFT JOIN chunks f ON f.id = CASE c.char_length WHEN 0 THEN
    (SELECT id FROM chunks WHERE document_id = d.id AND char_length > 0 ORDER BY chunk_order LIMIT 1) END`;

interface Row extends Omit<SearchResult, "snippet" | "score" | "more"> {
  chunk: number;
  title: string;
  offset: number | null;
  length: number | null;
}

/** The results, each with a function that makes its snippet. */
function fetchResults(db: SqlDatabase, hits: Hit[], terms: Term[], textOf: SearchRequest["textOf"]) {
  const fetched = readJson<Row[]>(db, FETCH, [JSON.stringify(hits.map(({ chunk }) => chunk))]);
  const rows = new Map(fetched.map((row) => [row.chunk, row]));
  return hits.flatMap(({ chunk, score, more }) => {
    const row = rows.get(chunk);
    if (row === undefined) return [];
    const { project, folder, filename, path, heading, type, status, updated, mtime } = row;
    const result = {
      project,
      folder,
      filename,
      path,
      heading,
      snippet: "",
      score,
      more,
      type,
      status,
      updated,
      mtime,
    };
    const names = [(heading ?? "").replace(/^#+\s*/, ""), row.title, path].map((name) => escapeLine(name));
    return [{ result, makeSnippet: snippetMaker(passageOf(row, textOf), terms, names) }];
  });
}

function withSnippets(
  found: ReturnType<typeof fetchResults>,
  { snippetChars = SNIPPET_CHARS.most, maxChars = Infinity }: SearchRequest,
): SearchResult[] {
  const sizeOf = (results: SearchResult[]) => (maxChars === Infinity ? 0 : JSON.stringify(results).length);
  const cut = (budget: number) =>
    found.map(({ result, makeSnippet }) => {
      return { ...result, snippet: makeSnippet(Math.max(budget, SNIPPET_CHARS.least)) };
    });
  const bare = sizeOf(found.map(({ result }) => result));
  let budget = Math.min(snippetChars, Math.floor((maxChars - bare) / Math.max(found.length, 1)));
  let results = cut(budget);
  // Marks and escapes add to the text: their size is known only afterwards.
  while (budget > SNIPPET_CHARS.least && sizeOf(results) > maxChars) {
    budget = Math.floor(budget * 0.9);
    results = cut(budget);
  }
  return results;
}

function passageOf({ path, offset, length }: Row, textOf: SearchRequest["textOf"]): string {
  const start = offset ?? 0;
  return copyOf(textOf(path) ?? "", start, start + (length ?? 0));
}

/** A copy of a part of a text: a slice would keep the whole text in memory. */
function copyOf(text: string, start: number, end: number): string {
  return Buffer.from(text.slice(start, end), "utf16le").toString("utf16le");
}
