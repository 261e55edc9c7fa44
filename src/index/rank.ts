import type { SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { dayOf, recencyBoost } from "./boosts.ts";
import { bestCovered, type Coverage, coverageOf, sumWeights } from "./coverage.ts";
import { keep } from "./kept.ts";
import { LISTED_CHUNKS, readJson, readNumbers } from "./one-text.ts";
import { type Scored, textScores, type Wanted } from "./text-score.ts";
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

/** Chunks that are scored at first: below so many that cover more, what covers less is hardly among the best. */
const ENOUGH = 150;

/** Chunks whose boosts are looked up: what is further behind by its text hardly comes forward by them. */
const MOST_BOOSTED = 1000;

/** From here on it is cheaper to find out which of equal chunks hold it in a heading or a name than to score all. */
const MANY_EQUAL = 1000;

/**
 * Coverage first, which costs no more than reading the lists of chunks; bm25, which is what costs, for those that cover
 * most; boosts for the best of these; then the best chunk of each document.
 */
export function rank(db: SqlDatabase, wanted: Wanted, options: RankOptions): Ranking {
  const { leastCoverage: least } = options.tuning;
  const allowed = allowedChunks(db, options.filter, wanted.size);
  const coverage = coverageOf(wanted.parts, { size: wanted.size, least, allowed });
  const counts = countByDocument(db, coverage.matches, wanted.size);
  // The best chunks may all be of a few documents: then more are looked at, until there are documents enough.
  for (let enough = ENOUGH; ; enough *= 4) {
    const scores = textScores(
      db,
      wanted,
      { ...coverage, matches: chosenOf(wanted, coverage, enough) },
      options.tuning,
    );
    const best = boosted(db, bestScored(scores, Math.max(enough, MOST_BOOSTED)), options);
    if (best.length < Math.min(options.limit, counts.documents) && enough < coverage.matches.length) continue;
    const hits = best.map((hit) => ({ ...hit, more: (counts.of[hit.first] ?? 1) - 1 }));
    return { hits, total: counts.documents };
  }
}

/** Where very many chunks cover the same, those come first that hold it in a heading or a name, which counts most in bm25. */
function chosenOf({ parts, size, named }: Wanted, coverage: Coverage, enough: number): Int32Array {
  const chosen = bestCovered(coverage, enough);
  if (named === undefined || chosen.length < MANY_EQUAL) return chosen;
  const inNames = parts.map(({ match, weight }) => ({ weight: weight / 100, chunks: named(match) }));
  const { of } = sumWeights([...parts, ...inNames], new Float32Array(size + 1));
  return bestCovered({ of, matches: chosen }, enough);
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

/** From here on the list of all first chunks, which is kept, is cheaper than a look-up for each chunk. */
const MANY = 500;
// The chunks of a document have consecutive numbers: that of its first one stands for it.
const FIRST_OF_SOME = `SELECT group_concat(c.id - chunk_order)
  FROM ${LISTED_CHUNKS}`;
const FIRST_OF_ALL =
  "SELECT group_concat(id) FROM (SELECT id FROM chunks INDEXED BY chunks_first WHERE chunk_order = 0 ORDER BY id)";

interface Counts {
  /** How many of the chunks a document has, at the number of its first chunk. */
  of: Float32Array;
  documents: number;
}

function countByDocument(db: SqlDatabase, chunks: Int32Array, size: number): Counts {
  const of = new Float32Array(size + 1);
  let documents = 0;
  const firsts = firstChunks(db, chunks);
  for (let each = 0; each < firsts.length; each++) {
    const first = firsts[each] as number;
    const before = of[first] ?? 0;
    if (before === 0) documents++;
    of[first] = before + 1;
  }
  return { of, documents };
}

/** For each chunk the first one of its document. */
function firstChunks(db: SqlDatabase, chunks: Int32Array): Int32Array {
  if (chunks.length < MANY) return readNumbers(db, FIRST_OF_SOME, [jsonOf(chunks)]);
  const all = keep(db, "first chunks", () => readNumbers(db, FIRST_OF_ALL));
  const last = all.length - 1;
  let at = 0;
  return chunks.map((chunk) => {
    while (at < last && (all[at + 1] ?? 0) <= chunk) at++;
    return all[at] ?? 0;
  });
}

const FACTS = `SELECT '[' || ifnull(group_concat('[' || c.id || ',' || document_id || ',' || (c.id - chunk_order) || ',' || day || ',' || boost || ']'), '') || ']'
  FROM ${LISTED_CHUNKS}`;
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
