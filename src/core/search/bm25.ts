import { jsonList } from "../index/postings.ts";
import { COLUMNS } from "../index/schema.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { ALMOST, type Coverage, sumWeights } from "./coverage.ts";
import type { Clause, QueryPlan } from "./query-plan.ts";
import { TUNING } from "./weights.ts";

export interface ChunkScore {
  chunk: number;
  score: number;
}

/** The least that FTS5 gives a word. */
const LEAST_RARITY = 1e-6;

/** A clause in so few chunks costs little to score. */
const FEW = 2000;

const BM25 = `SELECT rowid, -bm25(chunks_fts, ${Object.values(COLUMNS).join(", ")}) FROM chunks_fts WHERE chunks_fts MATCH ?`;
// The plus keeps the planner from searching the full text once for each chunk.
const AMONG = " AND +rowid IN (SELECT value FROM json_each(?))";

/**
 * The text relevance of the matches, lowered if they cover less than the whole query: bm25 of the clauses that make them
 * matches. Phrases, which FTS5 would look up twice, other forms and frequent clauses only add their weight.
 */
export function textScores(
  db: SqlDatabase,
  { clauses, phrases, whole }: Pick<QueryPlan, "clauses" | "phrases" | "whole">,
  { of, matches }: Omit<Coverage, "best">,
): ChunkScore[] {
  if (matches.length === 0) return [];
  const size = of.length - 1;
  const minor = minorClauses(clauses, { of, matches });
  // FTS5 scores a word of half the chunks or more as next to nothing.
  const isRare = ({ chunks }: Clause) => clauses.length === 1 || chunks.length * 2 < size;
  const scored = clauses.filter((clause) => clause.isScored && isRare(clause) && !minor.includes(clause));
  const added = clauses.filter((clause) => !scored.includes(clause));
  const { of: sums } = sumWeights([...added, ...phrases], new Float32Array(size + 1));
  const relevance = new Map(scored.length === 0 ? [] : bm25Scores(db, scored, matches));
  return Array.from(matches, (chunk) => {
    const covered = Math.min(1, (of[chunk] ?? 0) / (whole || 1));
    return { chunk, score: ((relevance.get(chunk) ?? 0) + (sums[chunk] ?? 0)) * covered ** TUNING.coverage };
  });
}

/**
 * About the score of a chunk that holds each clause once, in an index of `count` chunks; what of the query no document holds is in it, too.
 * A frequent word is hardly worth anything to FTS5, and so are scores in a small index.
 */
export function scaleOf({ clauses, whole, missingWeight, isExpression }: QueryPlan, count: number): number {
  if (isExpression || whole === 0) return 1;
  const worth = ({ chunks: { length }, weight, isScored }: Clause) =>
    isScored && (clauses.length === 1 || length * 2 < count)
      ? Math.max(LEAST_RARITY, Math.log((count - length + 0.5) / (length + 0.5)))
      : weight;
  const known = clauses.reduce((sum, clause) => sum + worth(clause), 0);
  return known * ((whole + missingWeight) / whole) ** (1 + TUNING.coverage);
}

function bm25Scores(
  db: SqlDatabase,
  clauses: Clause[],
  matches: Int32Array,
): [chunk: number, bm25: number][] {
  const match = clauses.map((clause) => clause.match).join(" OR ");
  const isAll = clauses.length === 1 && matches.length === clauses[0]?.chunks.length;
  const result = isAll ? db.exec(BM25, [match]) : db.exec(BM25 + AMONG, [match, jsonList(matches)]);
  return (result[0]?.values ?? []) as [chunk: number, bm25: number][];
}

/** The frequent clauses that together cover less than any match does, so that every match also holds another clause. */
function minorClauses(clauses: Clause[], { of, matches }: Omit<Coverage, "best">): Clause[] {
  const least = matches.reduce((min, chunk) => Math.min(min, of[chunk] ?? 0), Number.POSITIVE_INFINITY);
  const minor: Clause[] = [];
  let sum = 0;
  for (const clause of clauses.toSorted((a, b) => a.weight - b.weight)) {
    sum += clause.weight;
    if (sum >= least * ALMOST) break;
    if (clause.chunks.length > FEW) minor.push(clause);
  }
  return minor;
}
