import type { SqlDatabase } from "../sqlite/types.ts";
import { ALMOST, type Coverage, sumWeights } from "./coverage.ts";
import type { Part } from "./match.ts";
import { COLUMNS } from "./schema.ts";
import type { Tuning } from "./tuning.ts";

/** What is looked for, and where it is; `size` is the highest chunk number. */
export interface Wanted {
  parts: Part[];
  /** They bring no matches of their own: FTS5 would look for each twice to give it a score. */
  phrases: Part[];
  size: number;
  /** The chunks that hold it in a heading or a name, ascending; left out where none are to come first. */
  named?: (match: string) => Int32Array;
}

/** A chunk and how relevant it is. */
export interface Scored {
  chunk: number;
  score: number;
}

/** What is in so few chunks costs little to score. */
const FEW = 2000;

const BM25 = `SELECT rowid, -bm25(chunks_fts, ${Object.values(COLUMNS).join(", ")}) FROM chunks_fts WHERE chunks_fts MATCH ?`;
// The plus keeps the planner from asking the full text once for each of them.
const AMONG = " AND +rowid IN (SELECT value FROM json_each(?))";

/**
 * Relevance of the matches by text alone, held back where they cover less than the whole query: bm25 of the parts
 * that make them matches. Phrases, and parts that many chunks hold besides, add their weight: there bm25 would take longest.
 */
export function textScores(
  db: SqlDatabase,
  { parts, phrases, size }: Wanted,
  { of, matches }: Coverage,
  tuning: Tuning,
): Scored[] {
  if (matches.length === 0) return [];
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const minor = minorParts(parts, { of, matches });
  const scored = parts.filter((part) => !minor.includes(part));
  const match = scored.map((part) => part.match).join(" OR ");
  const isAll = parts.length === 1 && matches.length === parts[0]?.chunks.length;
  const result = isAll ? db.exec(BM25, [match]) : db.exec(BM25 + AMONG, [match, `[${matches.join(",")}]`]);
  const rows = (result[0]?.values ?? []) as [chunk: number, relevance: number][];
  const adding = [...minor, ...phrases];
  const { of: added } = sumWeights(adding, new Float32Array(adding.length > 0 ? size + 1 : 0));
  return rows.map(([chunk, relevance]) => {
    const covered = (of[chunk] ?? 0) / whole;
    return { chunk, score: (relevance + (added[chunk] ?? 0)) * covered ** tuning.coverage };
  });
}

/** The frequent parts which, all together, cover less than any of the matches: each of these holds another part too. */
function minorParts(parts: Part[], { of, matches }: Coverage): Part[] {
  let least = Number.POSITIVE_INFINITY;
  for (const chunk of matches) least = Math.min(least, of[chunk] ?? 0);
  const minor: Part[] = [];
  let sum = 0;
  for (const part of parts.toSorted((a, b) => a.weight - b.weight)) {
    sum += part.weight;
    if (sum >= least * ALMOST) break;
    if (part.chunks.length > FEW) minor.push(part);
  }
  return minor;
}
