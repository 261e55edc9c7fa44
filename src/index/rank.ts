import type { SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { dayOf, recencySql } from "./boosts.ts";
import type { Part } from "./match.ts";
import { COLUMNS } from "./schema.ts";

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
  /** Milliseconds since 1970: what "today" is for the recency boost. */
  now: number;
  /** The power to which the product of the boosts is taken. */
  damping: number;
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

const BM25 = `-bm25(chunks_fts, ${Object.values(COLUMNS).join(", ")})`;
/** How strongly a chunk is held back that covers only a part of the query: score × (covered share) to this power. */
const COVERAGE = 0.5;
/** Documents that cover less than this share of what the best one does are not counted as matches. */
const LEAST_COVERAGE = 0.35;

/**
 * Adds up, per chunk, what each part finds, and takes the best chunk of each document. Narrow rows only: what is shown
 * is fetched afterwards. bm25() works nowhere but in a plain scan: MATERIALIZED keeps the planner from moving it.
 */
export function rankParts(db: SqlDatabase, parts: Part[], options: RankOptions): Ranking {
  const arms = parts.map(({ weight }, at) => {
    return `SELECT rowid, ${BM25}, ${weight} FROM chunks_fts WHERE chunks_fts MATCH :match${at}`;
  });
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const found = `
    WITH parts (chunk, relevance, cover) AS MATERIALIZED (${arms.join(" UNION ALL ")}),
    found AS MATERIALIZED (
      SELECT chunk, sum(relevance) * power(max(sum(cover), 0.01) / ${whole}, ${COVERAGE}) AS relevance, sum(cover) AS cover
      FROM parts GROUP BY chunk
    )`;
  const params = Object.fromEntries(parts.map(({ match }, at) => [`:match${at}`, match]));
  return rank(db, { found, params }, options);
}

/** Ranks what a single FTS5 expression finds. A wrong one throws SqliteError of kind `syntax`. */
export function rankExpression(db: SqlDatabase, expression: string, options: RankOptions): Ranking {
  const found = `
    WITH found AS MATERIALIZED (
      SELECT rowid AS chunk, ${BM25} AS relevance, 1 AS cover FROM chunks_fts WHERE chunks_fts MATCH :match
    )`;
  return rank(db, { found, params: { ":match": expression } }, options);
}

interface Found {
  /** A WITH clause that ends with the table `found` (chunk, relevance, cover). */
  found: string;
  params: Record<string, SqlValue>;
}

function rank(
  db: SqlDatabase,
  { found, params }: Found,
  { filter, limit, now, damping }: RankOptions,
): Ranking {
  const filtered = filterSql(filter);
  const sql = `${found},
    hits AS MATERIALIZED (
      SELECT c.document_id AS document, f.chunk, c.day, f.cover,
        f.relevance * power(c.boost * ${recencySql("(:today - c.day)")}, :damping) AS score
      FROM found f CROSS JOIN chunks c ON c.id = f.chunk${filtered.where}
    ), best AS MATERIALIZED (
      SELECT document, chunk, day, cover, max(score) AS score, count(*) - 1 AS more
      FROM hits GROUP BY document
    ), kept AS MATERIALIZED (
      SELECT * FROM best WHERE cover >= ${LEAST_COVERAGE} * (SELECT max(cover) FROM best)
    )
    SELECT document, chunk, score, day, more, (SELECT count(*) FROM kept)
    FROM kept ORDER BY score DESC, day DESC, document LIMIT :limit`;
  const all = { ...params, ...filtered.params, ":today": dayOf(now), ":damping": damping, ":limit": limit };
  const rows = db.exec(sql, all)[0]?.values ?? [];
  const hits = rows.map(([document, chunk, score, day, more]) => ({
    document: Number(document),
    chunk: Number(chunk),
    score: Number(score),
    day: Number(day),
    more: Number(more),
  }));
  return { hits, total: Number(rows[0]?.[5] ?? 0) };
}

function filterSql(filter: Filter): { where: string; params: Record<string, SqlValue> } {
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
  if (conditions.length === 0) return { where: "", params };
  const documents = `SELECT id FROM documents WHERE ${conditions.join(" AND ")}`;
  return { where: ` WHERE c.document_id IN (${documents})`, params };
}
