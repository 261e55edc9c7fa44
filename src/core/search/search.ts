import { namePart, tokenize } from "../index/tokenizer.ts";
import { capitalized, fold } from "../lib/text.ts";
import { ARCHIVE } from "../notes/names.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { askedDays } from "./asked-days.ts";
import { scaleOf } from "./bm25.ts";
import { sumWeights } from "./coverage.ts";
import { type BoostedRow, boostsOf, reasonsFor } from "./explain.ts";
import { countAllowed, type Filter, openScope, type Scope, type TextOf } from "./filter.ts";
import type { Hit, RankOptions } from "./hits.ts";
import { lookUp } from "./lookup.ts";
import { analyse, analyseWords } from "./query.ts";
import { planQuery, type QueryPlan } from "./query-plan.ts";
import { rank } from "./rank.ts";
import { fetchResults, type SearchResult } from "./results.ts";

/** `limit` is the number of results, 1 to 100. */
export interface SearchRequest extends RankOptions {
  query: string;
  /** Words or phrases that the documents may use instead, in any language: they count less. */
  also?: readonly string[] | undefined;
  filter: Filter;
  /** Whether each result says why it stands where it does. */
  explain?: boolean;
  /** Whether unknown words are corrected (default: true). */
  isCorrected?: boolean;
  textOf: TextOf;
}

export interface SearchAnswer {
  /** Documents that match. */
  total: number;
  results: SearchResult[];
  /** The query with unknown words corrected; null if there was none. */
  corrected: string | null;
  /** Words of the query that no document within the filter holds in any form, nor an archived one. */
  missing: string[];
  /** Archived documents that match, if no other document does, or that alone hold a word of the query. */
  archived: number;
  /** Whether even the best passage covers little of the query, and of the other words that were given. */
  isWeak: boolean;
  /** What scores are measured in: about that of a passage which covers the whole query. */
  scale: number;
  /** Whether the documents hold less than half of its words. */
  isForeign: boolean;
  /** Whether the repository's documents are still to be indexed. */
  isPartial?: boolean;
  /** Which share of the notes is indexed so far, e.g. "34%". */
  indexing?: string;
}

/** Ranked full-text search: analyse, look up, plan, rank, fetch. Throws INVALID_QUERY for a query without a word. */
export function search(db: SqlDatabase, request: SearchRequest): SearchAnswer {
  const { plan, hits, total, isWeak, scale } = find(db, request);
  const reasons = request.explain
    ? (hit: Hit, row: BoostedRow) => reasonsFor(plan, hit, boostsOf(hit, row, request))
    : undefined;
  return {
    total,
    results: fetchResults(db, hits, plan.terms, { textOf: request.textOf, reasons }),
    corrected: correctedQuery(request.query, plan.corrections),
    ...searchArchive(db, request, { plan, total }),
    isWeak,
    isForeign: plan.isForeign,
    scale,
  };
}

function find(db: SqlDatabase, request: SearchRequest) {
  const query = analyse(request.query);
  const also = (request.also ?? []).flatMap((text) => analyseWords(text) ?? []);
  const scope = openScope(db, request.filter, request.textOf);
  const days = askedDays(request.query, new Date(request.now));
  const found = lookUp(scope, { query, also, days }, request.isCorrected);
  const plan = planQuery(query, found, { count: scope.postings.count, allowed: countAllowed(scope) });
  const ranking = rank(scope, plan, request);
  const isWeak = ranking.total > 0 && ranking.covered < plan.weakBelow && coversLittle(scope, plan.also);
  return { plan, isWeak, scale: scaleOf(plan, scope.postings.count), ...ranking };
}

function coversLittle({ postings, allowed }: Scope, { clauses, weakBelow }: QueryPlan["also"]): boolean {
  const { best } = sumWeights(clauses, new Float32Array(postings.size + 1), allowed);
  return best === 0 || best < weakBelow;
}

/** What only the archive holds: everything, or words that are unknown outside it. */
function searchArchive(
  db: SqlDatabase,
  request: SearchRequest,
  { plan: { missing, corrections }, total }: { plan: QueryPlan; total: number },
): Pick<SearchAnswer, "missing" | "archived"> {
  const { folder, archived: isIncluded } = request.filter;
  const unknown = [...corrections.keys(), ...missing];
  if (folder !== undefined || isIncluded || (total > 0 && unknown.length === 0))
    return { missing, archived: 0 };
  const query = total === 0 ? request : { query: unknown.join(" "), also: [] };
  const filter = { ...request.filter, folder: ARCHIVE };
  const archived = find(db, { ...request, ...query, limit: 1, filter, isCorrected: false });
  const isMissing = (word: string) => archived.total === 0 || archived.plan.missing.includes(word);
  return { missing: missing.filter(isMissing), archived: archived.total };
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
  return /^\p{Lu}/u.test(part) ? capitalized(better) : better;
}
