import type { SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { dayOf, recencyBoost } from "./boosts.ts";
import { bestCovered, type Coverage, coverageOf } from "./coverage.ts";
import { keep } from "./kept.ts";
import type { Part } from "./match.ts";
import { readJson, readNumbers } from "./one-text.ts";
import { COLUMNS } from "./schema.ts";
import type { Tuning } from "./tuning.ts";

export interface Filter {
  project?: string | undefined;
  folder?: string | undefined;
  status?: string | undefined;
  tag?: string | undefined;
}

export interface RankOptions {
  filter: Filter;
  /** Documents wanted. */
  limit: number;
  /** How many to give if there are so many without looking further: what is wanted, if left out. */
  candidates?: number;
  /** Milliseconds since 1970: what "today" is for the recency boost. */
  now: number;
  /** The power to which the product of the boosts is taken. */
  damping: number;
  tuning: Tuning;
}

/** A document that matches, by its best chunk. */
export interface Hit {
  document: number;
  chunk: number;
  score: number;
  /** Days since 1970: equal scores are ordered by it. */
  day: number;
  /** Further chunks of the document that match. */
  more: number;
}

export interface Ranking {
  hits: Hit[];
  /** Documents that match. */
  total: number;
}

/** What is looked for, and where it is; `size` is the highest chunk number. */
export interface Wanted {
  parts: Part[];
  phrases: string[];
  size: number;
}

/** Chunks that are scored at first: below so many that cover more, what covers less is hardly among the best. */
const ENOUGH = 500;

/**
 * Coverage first, which costs no more than reading the lists of chunks; bm25, which is what costs, for those that cover
 * most; boosts for the best of these; then the best chunk of each document.
 */
export function rank(db: SqlDatabase, wanted: Wanted, options: RankOptions): Ranking {
  const { leastCoverage: least } = options.tuning;
  const allowed = allowedChunks(db, options.filter, wanted.size);
  const coverage = coverageOf(wanted.parts, { size: wanted.size, least, allowed });
  const counts = countByDocument(db, coverage.matches);
  // The best chunks may all be of a few documents: then more are looked at, until there are documents enough.
  for (let enough = ENOUGH; ; enough *= 4) {
    const scores = textScores(
      db,
      wanted,
      { ...coverage, matches: bestCovered(coverage, enough) },
      options.tuning,
    );
    const best = boosted(db, bestScored(scores, 2 * enough), options);
    if (best.length < Math.min(options.limit, counts.size) && enough < coverage.matches.length) continue;
    const hits = best.map((hit) => ({ ...hit, more: (counts.get(hit.first) ?? 1) - 1 }));
    return { hits, total: counts.size };
  }
}

/** Marks the chunks of the documents that pass the filter; undefined when all do. */
function allowedChunks(db: SqlDatabase, filter: Filter, size: number): Uint8Array | undefined {
  const filtered = filterSql(filter);
  if (filtered === undefined) return undefined;
  const sql = `SELECT group_concat(id) FROM chunks WHERE document_id IN (${filtered.documents})`;
  const allowed = new Uint8Array(size + 1);
  for (const chunk of readNumbers(db, sql, filtered.params)) allowed[chunk] = 1;
  return allowed;
}

function filterSql(filter: Filter): { documents: string; params: Record<string, SqlValue> } | undefined {
  const conditions: string[] = [];
  const params: Record<string, SqlValue> = {};
  const add = (value: string | undefined, name: string, condition: string) => {
    if (value === undefined) return;
    conditions.push(condition);
    params[name] = value;
  };
  add(filter.project, ":project", "project_id = (SELECT id FROM projects WHERE name = :project)");
  add(filter.folder, ":folder", "folder = :folder");
  add(filter.status, ":status", "status = :status");
  add(filter.tag, ":tag", "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag)");
  if (conditions.length === 0) return undefined;
  return { documents: `SELECT id FROM documents WHERE ${conditions.join(" AND ")}`, params };
}

/** From here on one scan of the table is cheaper than a look-up for each chunk. */
const MANY = 2000;
// The chunks of a document have consecutive numbers: that of its first one stands for it.
const FIRST_OF_SOME = `SELECT group_concat(first) FROM
  (SELECT id - chunk_order AS first FROM chunks WHERE id IN (SELECT value FROM json_each(?)))`;
const FIRST_OF_ALL =
  "SELECT group_concat(id) FROM (SELECT id FROM chunks INDEXED BY chunks_first WHERE chunk_order = 0 ORDER BY id)";

/** How many of the chunks each document has, by the number of its first chunk. */
function countByDocument(db: SqlDatabase, chunks: Int32Array): Map<number, number> {
  const some = chunks.length < MANY;
  const firsts = some
    ? readNumbers(db, FIRST_OF_SOME, [jsonOf(chunks)])
    : keep(db, "first chunks", () => readNumbers(db, FIRST_OF_ALL));
  const counts = new Map<number, number>();
  const count = (first: number) => counts.set(first, (counts.get(first) ?? 0) + 1);
  if (some) firsts.forEach(count);
  else {
    let document = 0;
    for (const chunk of chunks) {
      while ((firsts[document + 1] ?? Number.POSITIVE_INFINITY) <= chunk) document++;
      count(firsts[document] ?? 0);
    }
  }
  return counts;
}

interface Scored {
  chunk: number;
  score: number;
}

const BM25 = `SELECT rowid, -bm25(chunks_fts, ${Object.values(COLUMNS).join(", ")}) FROM chunks_fts WHERE chunks_fts MATCH ?`;
// The plus keeps the planner from asking the full text once for each of them.
const AMONG = " AND +rowid IN (SELECT value FROM json_each(?))";

/** Relevance of chunks by text alone: bm25 of all parts and phrases, held back where they cover less than the whole query. */
function textScores(db: SqlDatabase, wanted: Wanted, coverage: Coverage, tuning: Tuning): Scored[] {
  const { parts, phrases } = wanted;
  const chosen = coverage.matches;
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const match = [...parts.map((part) => part.match), ...phrases].join(" OR ");
  const isAll = parts.length === 1 && chosen.length === parts[0]?.chunks.length;
  const statement = db.prepare(isAll ? BM25 : BM25 + AMONG);
  const scores: Scored[] = [];
  try {
    statement.bind(isAll ? [match] : [match, jsonOf(chosen)]);
    while (statement.step()) {
      const [chunk, relevance] = statement.get() as [number, number];
      scores.push({ chunk, score: relevance * ((coverage.of[chunk] ?? 0) / whole) ** tuning.coverage });
    }
  } finally {
    statement.free();
  }
  return scores;
}

const FACTS = `SELECT '[' || ifnull(group_concat('[' || id || ',' || document_id || ',' || (id - chunk_order) || ',' || day || ',' || boost || ']'), '') || ']'
  FROM chunks WHERE id IN (SELECT value FROM json_each(?))`;
type Facts = [chunk: number, document: number, first: number, day: number, boost: number][];

/** The best so many, and what equals the last of them: among equals the day decides. */
function bestScored(scores: Scored[], count: number): Scored[] {
  if (scores.length <= count) return scores;
  const least = Float64Array.from(scores, ({ score }) => score).sort()[scores.length - count] ?? 0;
  return scores.filter(({ score }) => score >= least);
}

type Best = Omit<Hit, "more"> & { first: number };

/** The best chunk of each document, with the boosts and a share of the second best one. */
function boosted(db: SqlDatabase, scores: Scored[], options: RankOptions): Best[] {
  const { now, damping, limit, candidates = limit, tuning } = options;
  const text = new Map(scores.map(({ chunk, score }) => [chunk, score]));
  const documents = new Map<number, Best & { second: number }>();
  const today = dayOf(now);
  const facts = readJson<Facts>(db, FACTS, [jsonOf([...text.keys()])]);
  for (const [chunk, document, first, day, boost] of facts) {
    const score = (text.get(chunk) ?? 0) * (boost * recencyBoost(today - day)) ** damping;
    const former = documents.get(document);
    if (former !== undefined && former.score >= score) former.second = Math.max(former.second, score);
    else documents.set(document, { document, chunk, score, day, first, second: former?.score ?? 0 });
  }
  return [...documents.values()]
    .map(({ second, ...hit }) => ({ ...hit, score: hit.score + tuning.secondChunk * second }))
    .sort((a, b) => b.score - a.score || b.day - a.day || a.document - b.document)
    .slice(0, Math.max(limit, candidates));
}

function jsonOf(numbers: Int32Array | number[]): string {
  return `[${numbers.join(",")}]`;
}
