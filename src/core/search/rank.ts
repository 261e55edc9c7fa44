import { BOOST_SPAN, dayOf, recencyBoost } from "../index/boosts.ts";
import { between, readNumbers } from "../index/postings.ts";
import { cached } from "../index/query-cache.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type ChunkScore, textScores } from "./bm25.ts";
import { factsOf } from "./chunk-facts.ts";
import { bestCoverage, type Coverage, coverageOf, sumWeights } from "./coverage.ts";
import type { Scope } from "./filter.ts";
import { compareHits, type Hit, type Ranking, type RankOptions } from "./hits.ts";
import type { QueryPlan } from "./query-plan.ts";
import { CANDIDATES, rerank } from "./rerank.ts";
import { behindSuccessors } from "./succession.ts";
import { TUNING } from "./weights.ts";

/** Boosts are looked up for so many chunks, and those that the highest boosts may lift among them. */
const BOOSTED = 200;

/** From this many equal chunks on, finding those with a match in a heading or name is cheaper than scoring all. */
const MANY_EQUAL = 1000;
/** And no more than this many times the wanted ones are scored. */
const MORE = 1.5;
/** What orders equals, in shares of their weights: less than any match in a name. */
const MOST_MATCHES = 1e-4;
const FIRST_CHUNK = 5e-5;

/**
 * Coverage first, which only reads the lists of chunks; bm25, the expensive part, for those that cover most; boosts for the
 * best of these; then the best chunk of each document, and the names of the best documents.
 */
export function rank(scope: Scope, plan: QueryPlan, options: RankOptions): Ranking {
  const { db, postings, allowed } = scope;
  const { limit } = options;
  const { size } = postings;
  const coverage = coverageOf(plan.clauses, { size, least: TUNING.leastCoverage, allowed });
  const counts = countByDocument(db, coverage.matches, size);
  // The best chunks may all belong to a few documents: then more are scored, until there are enough documents.
  for (let enough = TUNING.candidates; ; enough *= 4) {
    const matches = bestChunks(scope, plan, coverage, { counts, enough });
    const scores = textScores(db, plan, { ...coverage, matches });
    const isAll = enough >= coverage.matches.length;
    const best = bestOfDocuments(db, plan, isAll ? scores : withinReach(scores, options), options);
    if (best.length < Math.min(limit, counts.documents) && !isAll) continue;
    const hits = best.map((hit) => ({ ...hit, other: null, more: (counts.of[hit.first] ?? 1) - 1 }));
    const ranked = behindSuccessors(db, plan.isExpression ? hits : rerank(db, hits, plan, options), limit);
    const shown = ranked.map((hit, at) => (at < TWICE ? { ...hit, other: otherChunk(db, hit, plan) } : hit));
    return { hits: shown, total: counts.documents, covered: coverage.best };
  }
}

/** So many of the first documents may show a second chunk. */
const TWICE = 3;

/** The chunk of a document that adds most to what its best one holds of the query. */
function otherChunk(db: SqlDatabase, { chunk, first, more }: Hit, { clauses }: QueryPlan): number | null {
  if (more === 0) return null;
  const [next = Number.POSITIVE_INFINITY] = between(allFirst(db), first + 1, Number.POSITIVE_INFINITY);
  const added = new Map<number, number>();
  for (const { chunks, weight } of clauses) {
    const own = between(chunks, first, next);
    if (!own.includes(chunk)) for (const one of own) added.set(one, (added.get(one) ?? 0) + weight);
  }
  return [...added].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** The columns that say what a chunk is about. */
const NAMES = "{heading title name tags}";

/**
 * If very many chunks cover equally much, not all are scored: those with a match in a heading or name come first, which weigh most
 * in bm25, then those of documents with most matches, and first chunks.
 */
function bestChunks(
  { db, postings }: Scope,
  { clauses, isExpression }: QueryPlan,
  coverage: Coverage,
  { counts, enough }: { counts: Counts; enough: number },
): Int32Array {
  const best = bestCoverage(coverage, enough);
  if (isExpression || best.length < Math.max(MANY_EQUAL, enough * MORE)) return best;
  const inNames = clauses.map(({ match, weight }) => ({
    weight: weight / 100,
    chunks: postings.of(`${NAMES} : (${match})`),
  }));
  const { of } = sumWeights([...clauses, ...inNames], new Float32Array(postings.size + 1));
  const firsts = firstChunks(db, best);
  const keys = new Float64Array(best.length);
  for (const [at, chunk] of best.entries()) {
    const first = firsts[at] ?? 0;
    const isFirst = chunk === first ? FIRST_CHUNK : 0;
    keys[at] = (of[chunk] ?? 0) * (1 + MOST_MATCHES * Math.log2(1 + (counts.of[first] ?? 0)) + isFirst);
  }
  const least = keys.toSorted()[best.length - enough] ?? 0;
  let left = enough * MORE - keys.filter((key) => key > least).length;
  return best.filter((_, at) => (keys[at] ?? 0) > least || (keys[at] === least && left-- > 0));
}

// The chunks of a document have consecutive numbers: the number of the first one stands for the document.
const FIRST_CHUNKS =
  "SELECT group_concat(id) FROM (SELECT id FROM chunks INDEXED BY chunks_first WHERE chunk_order = 0 ORDER BY id)";

interface Counts {
  /** How many of the chunks belong to a document, by the number of its first chunk. */
  of: Float32Array;
  documents: number;
}

function countByDocument(db: SqlDatabase, chunks: Int32Array, size: number): Counts {
  const of = new Float32Array(size + 1);
  let documents = 0;
  for (const first of firstChunks(db, chunks)) {
    const before = of[first] ?? 0;
    if (before === 0) documents++;
    of[first] = before + 1;
  }
  return { of, documents };
}

function allFirst(db: SqlDatabase): Int32Array {
  return cached(db, "first chunks", () => readNumbers(db, FIRST_CHUNKS));
}

/** For each chunk, the first chunk of its document. */
function firstChunks(db: SqlDatabase, chunks: Int32Array): Int32Array {
  const all = allFirst(db);
  const last = all.length - 1;
  let at = 0;
  return chunks.map((chunk) => {
    while (at < last && (all[at + 1] ?? 0) <= chunk) at++;
    return all[at] ?? 0;
  });
}

/** The highest scores, and those that boosts may lift among them. */
function withinReach(scores: ChunkScore[], { damping, limit }: RankOptions): ChunkScore[] {
  const count = Math.max(BOOSTED, 2 * limit);
  if (scores.length <= count) return scores;
  const wanted = Float64Array.from(scores, ({ score }) => score).sort()[scores.length - count] ?? 0;
  const least = wanted / BOOST_SPAN ** damping;
  return scores.filter(({ score }) => score >= least);
}

type Best = Omit<Hit, "more" | "other">;

/** The best chunk of each document, with the boosts and a share of the second best one. */
function bestOfDocuments(
  db: SqlDatabase,
  { secondChunk, isExpression }: QueryPlan,
  scores: ChunkScore[],
  { now, damping, limit }: RankOptions,
): Best[] {
  const documents = new Map<number, Best>();
  const today = dayOf(now);
  const facts = factsOf(
    db,
    scores.map(({ chunk }) => chunk),
  );
  for (const { chunk, score: text } of scores) {
    const [document = 0, day = 0, boost = 1] = [facts.document[chunk], facts.day[chunk], facts.boost[chunk]];
    const times = (boost * recencyBoost(today - day)) ** damping;
    const score = text * times;
    const best = documents.get(document);
    if (best !== undefined && best.score >= score) best.second = Math.max(best.second, score);
    else {
      const second = best?.score ?? 0;
      documents.set(document, {
        document,
        chunk,
        score,
        day,
        first: facts.first[chunk] ?? 0,
        text,
        second,
        factors: {},
      });
    }
  }
  return [...documents.values()]
    .map((hit) => ({ ...hit, score: hit.score + secondChunk * hit.second, second: secondChunk * hit.second }))
    .sort(compareHits)
    .slice(0, isExpression ? limit : Math.max(limit, CANDIDATES));
}
