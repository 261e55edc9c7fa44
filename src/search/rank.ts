import { dayOf, recencyBoost } from "../index/boosts.ts";
import { LISTED_CHUNKS, readJson, readNumbers } from "../index/postings.ts";
import { cached } from "../index/query-cache.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type ChunkScore, textScores } from "./bm25.ts";
import { bestCoverage, type Coverage, coverageOf, sumWeights } from "./coverage.ts";
import type { Scope } from "./filter.ts";
import { compareHits, type Hit, type Ranking, type RankOptions } from "./hits.ts";
import type { QueryPlan } from "./query-plan.ts";
import { CANDIDATES, rerank } from "./rerank.ts";

/** Chunks whose boosts are looked up: boosts hardly ever lift a chunk from further behind. */
const MOST_BOOSTED = 1000;

/** From this many equal chunks on, finding those with a match in a heading or name is cheaper than scoring all. */
const MANY_EQUAL = 1000;

/**
 * Coverage first, which only reads the lists of chunks; bm25, the expensive part, for those that cover most; boosts for the
 * best of these; then the best chunk of each document, and the names of the best documents.
 */
export function rank(scope: Scope, plan: QueryPlan, options: RankOptions): Ranking {
  const { db, postings, allowed } = scope;
  const { limit, tuning } = options;
  const { size } = postings;
  const coverage = coverageOf(plan.clauses, { size, least: tuning.leastCoverage, allowed });
  const counts = countByDocument(db, coverage.matches, size);
  // The best chunks may all belong to a few documents: then more are scored, until there are enough documents.
  for (let enough = tuning.candidates; ; enough *= 4) {
    const matches = bestChunks(scope, plan, coverage, enough);
    const scores = textScores(db, plan, { ...coverage, matches }, tuning);
    const best = bestOfDocuments(db, plan, highest(scores, Math.max(enough, MOST_BOOSTED)), options);
    if (best.length < Math.min(limit, counts.documents) && enough < coverage.matches.length) continue;
    const hits = best.map((hit) => ({ ...hit, more: (counts.of[hit.first] ?? 1) - 1 }));
    const ranked = plan.isExpression ? hits : rerank(db, hits, plan, options);
    return { hits: ranked.slice(0, limit), total: counts.documents, covered: coverage.best };
  }
}

/** The columns that say what a chunk is about. */
const NAMES = "{heading title name tags}";

/** If very many chunks cover equally much, those with a match in a heading or name come first: they weigh most in bm25. */
function bestChunks(
  { postings }: Scope,
  { clauses, isExpression }: QueryPlan,
  coverage: Coverage,
  enough: number,
): Int32Array {
  const best = bestCoverage(coverage, enough);
  if (isExpression || best.length < MANY_EQUAL) return best;
  const inNames = clauses.map(({ match, weight }) => ({
    weight: weight / 100,
    chunks: postings.of(`${NAMES} : (${match})`),
  }));
  const { of } = sumWeights([...clauses, ...inNames], new Float32Array(postings.size + 1));
  return bestCoverage({ of, matches: best }, enough);
}

/** From this many chunks on, the cached list of all first chunks is cheaper than a lookup for each chunk. */
const MANY = 500;
// The chunks of a document have consecutive numbers: the number of the first one stands for the document.
const FIRST_OF_SOME = `SELECT group_concat(c.id - chunk_order) FROM ${LISTED_CHUNKS}`;
const FIRST_OF_ALL =
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

/** For each chunk, the first chunk of its document. */
function firstChunks(db: SqlDatabase, chunks: Int32Array): Int32Array {
  if (chunks.length < MANY) return readNumbers(db, FIRST_OF_SOME, [jsonOf(chunks)]);
  const all = cached(db, "first chunks", () => readNumbers(db, FIRST_OF_ALL));
  const last = all.length - 1;
  let at = 0;
  return chunks.map((chunk) => {
    while (at < last && (all[at + 1] ?? 0) <= chunk) at++;
    return all[at] ?? 0;
  });
}

/** The `count` highest scores, and any equal to the last of them: the day decides between equals. */
function highest(scores: ChunkScore[], count: number): ChunkScore[] {
  if (scores.length <= count) return scores;
  const least = Float64Array.from(scores, ({ score }) => score).sort()[scores.length - count] ?? 0;
  return scores.filter(({ score }) => score >= least);
}

const FACTS = `SELECT json_group_array(json_array(c.id, document_id, c.id - chunk_order, day, boost)) FROM ${LISTED_CHUNKS}`;
type Facts = [chunk: number, document: number, first: number, day: number, boost: number][];

type Best = Omit<Hit, "more"> & { first: number };

/** The best chunk of each document, with the boosts and a share of the second best one. */
function bestOfDocuments(
  db: SqlDatabase,
  { secondChunk, isExpression }: QueryPlan,
  scores: ChunkScore[],
  { now, damping, limit }: RankOptions,
): Best[] {
  const text = new Map(scores.map(({ chunk, score }) => [chunk, score]));
  const documents = new Map<number, Best & { second: number }>();
  const today = dayOf(now);
  const facts = readJson<Facts>(db, FACTS, [jsonOf([...text.keys()])]);
  for (const [chunk, document, first, day, boost] of facts) {
    const score = (text.get(chunk) ?? 0) * (boost * recencyBoost(today - day)) ** damping;
    const best = documents.get(document);
    if (best !== undefined && best.score >= score) best.second = Math.max(best.second, score);
    else documents.set(document, { document, chunk, score, day, first, second: best?.score ?? 0 });
  }
  return [...documents.values()]
    .map(({ second, ...hit }) => ({ ...hit, score: hit.score + secondChunk * second }))
    .sort(compareHits)
    .slice(0, isExpression ? limit : Math.max(limit, CANDIDATES));
}

function jsonOf(numbers: Int32Array | number[]): string {
  return `[${numbers.join(",")}]`;
}
