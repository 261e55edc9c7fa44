import { detectLanguage, type Language } from "../index/language.ts";
import { LISTED_CHUNKS, openPostings, type Postings, readJson } from "../index/postings.ts";
import { namePart, tokenize } from "../index/tokenizer.ts";
import { escapeLine } from "../lib/escape.ts";
import { fold } from "../lib/text.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { lookupOf } from "./lookup.ts";
import {
  type Analysis,
  analyse,
  analyseWords,
  expressionTerms,
  MAX_QUERY_CHARS,
  type Term,
} from "./query.ts";
import { addAlso, planQuery, type QueryPlan } from "./query-plan.ts";
import { allowedChunks, type Filter, type Hit, type Ranking, type RankOptions, rank } from "./rank.ts";
import { CANDIDATES, rerank } from "./rerank.ts";
import { snippetMaker } from "./snippet.ts";
import { TUNING, type Tuning, WEAK } from "./weights.ts";

/** `limit` is the number of results, 1 to 100. */
export interface SearchRequest extends Omit<RankOptions, "tuning"> {
  query: string;
  /** Words or phrases that the documents may use instead, in any language: they count less. */
  also?: readonly string[] | undefined;
  filter: Filter;
  /** The project that the query is most likely about: its documents come first among equals. */
  preferred?: string | undefined;
  /** Overrides of the default weights. */
  tuning?: Partial<Tuning>;
  /** Maximum characters of a snippet, approximately (default: 500). */
  snippetChars?: number | undefined;
  /** The results after so many get a line (default: none). */
  fullSnippets?: number | undefined;
  /** Maximum characters of all results as JSON: snippets are shortened to fit. */
  maxChars?: number | undefined;
  /** The text of a document by its path, for snippets; undefined if it is gone by now. */
  textOf: (path: string) => string | undefined;
}

const SNIPPET_CHARS = { least: 20, line: 60, most: 500 };

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
  /** Words of the query that no document within the filter holds in any form. */
  missing: string[];
  /** Whether even the best passage covers little of the query. */
  isWeak: boolean;
}

/**
 * Ranked full-text search: analyse, match, rank, re-rank, fetch, and a snippet for each result. Throws INVALID_QUERY for a
 * query without a word.
 */
export function search(db: SqlDatabase, { query, ...options }: SearchRequest): SearchAnswer {
  const request = { ...options, query: query.slice(0, MAX_QUERY_CHARS) };
  const analysis = analyse(request.query);
  const postings = openPostings(db);
  const allowed = allowedChunks(db, request.filter, postings.size);
  const context = { db, request, tuning: { ...TUNING, ...request.tuning }, postings, allowed };
  const outcome = asWritten(context, analysis) ?? asWords(context, analysis);
  const { hits, terms, total, corrected, missing, isWeak } = outcome;
  const results = withSnippets(fetchResults(db, hits, terms, request.textOf), request);
  return { total, corrected, missing, isWeak, results };
}

interface Context {
  db: SqlDatabase;
  request: SearchRequest;
  tuning: Tuning;
  postings: Postings;
  /** Marks the chunks that pass the filter; undefined if all do. */
  allowed: Uint8Array | undefined;
}

interface Outcome
  extends Pick<Ranking, "hits" | "total">,
    Pick<SearchAnswer, "corrected" | "missing" | "isWeak"> {
  /** What to mark in the snippets. */
  terms: Term[];
}

/** Undefined for text that only looks like FTS5 syntax, such as `node.js("x")`, an unbalanced quote, or quotes in prose. */
function asWritten(
  { db, request, tuning, postings, allowed }: Context,
  { expression, isProse }: Analysis,
): Outcome | undefined {
  if (expression === null) return undefined;
  try {
    const chunks = postings.of(expression);
    const clauses = [{ match: expression, weight: 1, isScored: true, chunks, of: "", texts: [] }];
    const target = { clauses, phrases: [], whole: 1, size: postings.size, allowed };
    const ranking = rank(db, target, { ...request, tuning: { ...tuning, secondChunk: 0 } });
    if (ranking.total === 0 && isProse) return undefined;
    return { ...ranking, terms: expressionTerms(request.query), corrected: null, missing: [], isWeak: false };
  } catch (error) {
    if (!(error instanceof SqliteError) || error.kind !== "syntax") throw error;
    return undefined;
  }
}

/** The columns that say what a chunk is about. */
const NAMES = "{heading title name tags}";

function asWords(context: Context, analysis: Analysis): Outcome {
  const { db, request, tuning, postings, allowed } = context;
  const { query, preferred, limit } = request;
  const language = detectLanguage(query);
  const plan = planAll(context, analysis, language);
  const isShort = plan.terms.length <= tuning.keywords;
  const named = (match: string) => postings.of(`${NAMES} : (${match})`);
  const { hits, total, covered } = rank(
    db,
    { ...plan, size: postings.size, allowed, named },
    {
      ...request,
      candidates: CANDIDATES,
      // A few words name a subject, which other chunks of the document may be about too; a sentence asks for one passage.
      tuning: { ...tuning, secondChunk: isShort ? tuning.secondChunk : 0 },
    },
  );
  const verbatim = quoting(analysis, postings);
  const reranked = rerank(db, hits, { plan, language, tuning, preferred, verbatim });
  const corrected = correctedQuery(query, plan.corrections);
  const { terms, missing } = plan;
  const isWeak = total > 0 && isWeakCoverage(covered / (plan.whole + plan.missingWeight), plan, context);
  return { hits: reranked.slice(0, limit), total, terms, corrected, missing, isWeak };
}

/** The plan of the query, with what is to be searched besides. */
function planAll(context: Context, analysis: Analysis, language: Language | null): QueryPlan {
  const { tuning, request } = context;
  const plan = planQuery(analysis, lookupOf(context, language), tuning);
  const also = (request.also ?? []).flatMap((text) => {
    const extra = analyseWords(text);
    const rest = { ...tuning, correction: false };
    return extra === null ? [] : [planQuery(extra, lookupOf(context, detectLanguage(text)), rest)];
  });
  return also.length === 0 ? plan : addAlso(plan, also, tuning);
}

function isWeakCoverage(share: number, { terms }: QueryPlan, { postings, allowed }: Context): boolean {
  const size = allowed?.reduce((sum, one) => sum + one, 0) ?? postings.count;
  const least = Math.max(WEAK.least, WEAK.base + WEAK.perSize * Math.log(size));
  return share < least - (terms.some(({ unspaced }) => unspaced) ? WEAK.unspaced : 0);
}

/** The chunks that hold the whole query as written, if it is long enough. */
function quoting({ quotation }: Analysis, postings: Postings): Int32Array {
  return quotation.length === 0 ? new Int32Array(0) : postings.of(`"${quotation.join(" ")}"`);
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
  { snippetChars = SNIPPET_CHARS.most, fullSnippets = Infinity, maxChars = Infinity }: SearchRequest,
): SearchResult[] {
  const sizeOf = (results: SearchResult[]) => (maxChars === Infinity ? 0 : JSON.stringify(results).length);
  const cut = (budget: number, line: number) =>
    found.map(({ result, makeSnippet }, at) => {
      const most = at < fullSnippets ? budget : Math.min(budget, line);
      return { ...result, snippet: makeSnippet(Math.max(most, SNIPPET_CHARS.least)) };
    });
  const bare = sizeOf(found.map(({ result }) => result));
  const [full, lines] = [Math.min(found.length, fullSnippets), Math.max(0, found.length - fullSnippets)];
  const line = Math.min(SNIPPET_CHARS.line, Math.floor((maxChars - bare) / Math.max(found.length, 1) / 2));
  let budget = Math.min(snippetChars, Math.floor((maxChars - bare - line * lines) / Math.max(full, 1)));
  let results = cut(budget, line);
  // Marks and escapes add to the text: their size is known only afterwards.
  while (budget > SNIPPET_CHARS.least && sizeOf(results) > maxChars) {
    budget = Math.floor(budget * 0.9);
    results = cut(budget, line);
  }
  return results;
}

/** How much of the text after a chunk may be shown in its place. */
const AFTER_CHARS = 800;
const STATUS_LINE = /^[ \t]*(?:[-*][ \t]+)?\**Status\**[ \t]*:.*$/gim;
const HEADING_LINE = /^#{1,6}[ \t].*$/gm;

/** The text of a chunk; if it only says the status, what follows. */
function passageOf({ path, offset, length }: Row, textOf: SearchRequest["textOf"]): string {
  const text = textOf(path) ?? "";
  const start = offset ?? 0;
  const end = start + (length ?? 0);
  const own = copyOf(text, start, end);
  const prose = own.replace(STATUS_LINE, "");
  if (prose === own || prose.trim() !== "") return prose;
  const after = copyOf(text, end, end + AFTER_CHARS).replace(HEADING_LINE, "");
  return after.trim() === "" ? own : after;
}

/** A copy of a part of a text: a slice would keep the whole text in memory. */
function copyOf(text: string, start: number, end: number): string {
  return Buffer.from(text.slice(start, end), "utf16le").toString("utf16le");
}
