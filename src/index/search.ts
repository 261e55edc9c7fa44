import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { dayOf, recencySql } from "./boosts.ts";
import { type Analysis, analyse, expressionTerms, matchAny, type Term } from "./query.ts";
import { COLUMNS } from "./schema.ts";
import { snippetMaker } from "./snippet.ts";

export interface SearchRequest {
  query: string;
  filter: Filter;
  /** Results wanted, 1 to 100. */
  limit: number;
  /** Milliseconds since 1970: what "today" is for the recency boost. */
  now: number;
  damping: number;
  /** The text of a document by its path, for snippets; undefined when it is gone meanwhile. */
  textOf: (path: string) => string | undefined;
}

export interface Filter {
  project?: string | undefined;
  folder?: string | undefined;
  status?: string | undefined;
  tag?: string | undefined;
}

export interface SearchResult {
  project: string;
  folder: string;
  filename: string;
  path: string;
  heading: string | null;
  /** Makes the snippet, of about so many characters. */
  snippet: (budget: number) => string;
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
}

/** Ranked full-text search: analyse, match, rank and group by document, fetch. Throws INVALID_QUERY for an empty query. */
export function search(db: SqlDatabase, request: SearchRequest): SearchAnswer {
  const analysis = analyse(request.query);
  const { hits, terms } = rank(db, analysis, request);
  return {
    total: hits[0]?.total ?? 0,
    results: fetchResults(db, hits, { terms, textOf: request.textOf }),
  };
}

interface Hit {
  chunk: number;
  score: number;
  more: number;
  total: number;
}

interface Ranking {
  hits: Hit[];
  /** What to mark in the snippets. */
  terms: Term[];
}

/** The query as written when it is FTS5's syntax and parses; otherwise its words, taken literally. */
function rank(db: SqlDatabase, analysis: Analysis, request: SearchRequest): Ranking {
  if (analysis.expression !== null) {
    try {
      const hits = rankMatch(db, analysis.expression, request);
      return { hits, terms: expressionTerms(request.query) };
    } catch (error) {
      // What looks like syntax and does not parse (`node.js("x")`, an unbalanced quote) is a text to find.
      if (!(error instanceof SqliteError) || error.kind !== "syntax") throw error;
    }
  }
  return { hits: rankMatch(db, matchAny(analysis.terms), request), terms: analysis.terms };
}

/** Ranks over narrow rows and joins nothing wide: only what is shown is fetched, afterwards. */
function rankMatch(db: SqlDatabase, match: string, request: SearchRequest): Hit[] {
  const weights = Object.values(COLUMNS).join(", ");
  const { where, params } = filterSql(request.filter);
  const sql = `
    WITH hits AS MATERIALIZED (
      SELECT c.document_id AS document, c.id AS chunk, c.day AS day,
        -bm25(chunks_fts, ${weights}) * power(c.boost * ${recencySql("(:today - c.day)")}, :damping) AS score
      FROM chunks_fts CROSS JOIN chunks c ON c.id = chunks_fts.rowid
      WHERE chunks_fts MATCH :match${where}
    ), best AS MATERIALIZED (
      SELECT document, chunk, day, max(score) AS score, count(*) - 1 AS more FROM hits GROUP BY document
    )
    SELECT chunk, score, more, (SELECT count(*) FROM best)
    FROM best ORDER BY score DESC, day DESC, document LIMIT :limit`;
  const rows = query(db, sql, {
    ...params,
    ":match": match,
    ":today": dayOf(request.now),
    ":damping": request.damping,
    ":limit": request.limit,
  });
  return rows.map(([chunk, score, more, total]) => ({
    chunk: Number(chunk),
    score: Number(score),
    more: Number(more),
    total: Number(total),
  }));
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
  return {
    where: ` AND c.document_id IN (SELECT id FROM documents WHERE ${conditions.join(" AND ")})`,
    params,
  };
}

interface Marking {
  terms: Term[];
  textOf: SearchRequest["textOf"];
}

const FETCH = `
  SELECT p.name, d.folder, d.filename, d.path, c.heading, d.type, d.status, d.updated, d.mtime,
    c.char_offset, c.char_length, d.id
  FROM chunks c JOIN documents d ON d.id = c.document_id JOIN projects p ON p.id = d.project_id
  WHERE c.id = ?`;

const FIRST_TEXT = `SELECT char_offset, char_length FROM chunks
  WHERE document_id = ? AND char_length > 0 ORDER BY chunk_order LIMIT 1`;

function fetchResults(db: SqlDatabase, hits: Hit[], marking: Marking): SearchResult[] {
  const [fetch, firstText] = [db.prepare(FETCH), db.prepare(FIRST_TEXT)];
  try {
    return hits.map((hit) => {
      const row = fetch.get([hit.chunk]);
      // A chunk that is a heading alone (a title) shows the first text of its document.
      const [offset, length] = row[10] === 0 ? firstText.get([row[11] ?? null]) : row.slice(9, 11);
      return resultOf(hit, row, { ...marking, offset: Number(offset ?? 0), length: Number(length ?? 0) });
    });
  } finally {
    fetch.free();
    firstText.free();
  }
}

function resultOf(
  hit: Hit,
  row: SqlValue[],
  passage: Marking & { offset: number; length: number },
): SearchResult {
  const { terms, textOf, offset, length } = passage;
  const text = (at: number) => (row[at] === null ? null : String(row[at]));
  const path = String(row[3]);
  let make: ((budget: number) => string) | undefined;
  return {
    project: String(row[0]),
    folder: String(row[1]),
    filename: String(row[2]),
    path,
    heading: text(4),
    snippet: (budget) => {
      make ??= snippetMaker((textOf(path) ?? "").slice(offset, offset + length), terms);
      return make(budget);
    },
    score: hit.score,
    more: hit.more,
    type: text(5),
    status: text(6),
    updated: text(7),
    mtime: Number(row[8]),
  };
}

function query(db: SqlDatabase, sql: string, params: Record<string, SqlValue>): SqlValue[][] {
  return db.exec(sql, params)[0]?.values ?? [];
}
