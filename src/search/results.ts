import { LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { escapeLine } from "../lib/escape.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { Reasons } from "./explain.ts";
import type { Hit } from "./hits.ts";
import type { Term } from "./query.ts";
import { snippetMaker } from "./snippet.ts";

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
  /** If they were asked for. */
  reasons?: Reasons;
}

export interface SnippetOptions {
  /** Maximum characters of a snippet, approximately (default: 500). */
  snippetChars?: number | undefined;
  /** The results after so many get a line (default: none). */
  fullSnippets?: number | undefined;
  /** Maximum characters of all results as JSON: snippets are shortened to fit. */
  maxChars?: number | undefined;
  /** The text of a document by its path, for snippets; undefined if it is gone by now. */
  textOf: (path: string) => string | undefined;
}

interface FetchOptions extends SnippetOptions {
  reasons: ((hit: Hit) => Reasons) | undefined;
}

const SNIPPET_CHARS = { least: 20, line: 60, most: 500 };

/** The documents that are shown, with snippets that fit. */
export function fetchResults(
  db: SqlDatabase,
  hits: Hit[],
  terms: Term[],
  options: FetchOptions,
): SearchResult[] {
  return withSnippets(fetchRows(db, hits, terms, options), options);
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
function fetchRows(db: SqlDatabase, hits: Hit[], terms: Term[], { textOf, reasons }: FetchOptions) {
  const fetched = readJson<Row[]>(db, FETCH, [JSON.stringify(hits.map(({ chunk }) => chunk))]);
  const rows = new Map(fetched.map((row) => [row.chunk, row]));
  return hits.flatMap((hit) => {
    const { chunk, score, more } = hit;
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
    const why = reasons === undefined ? {} : { reasons: reasons(hit) };
    return [{ result, why, makeSnippet: snippetMaker(passageOf(row, textOf), terms, names) }];
  });
}

function withSnippets(
  found: ReturnType<typeof fetchRows>,
  { snippetChars = SNIPPET_CHARS.most, fullSnippets = Infinity, maxChars = Infinity }: SnippetOptions,
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
  // Reasons take no room from snippets.
  return results.map((result, at) => ({ ...result, ...found[at]?.why }));
}

/** How much of the text after a chunk may be shown in its place. */
const AFTER_CHARS = 800;
const STATUS_LINE = /^[ \t]*(?:[-*][ \t]+)?\**Status\**[ \t]*:.*$/gim;
const HEADING_LINE = /^#{1,6}[ \t].*$/gm;

/** The text of a chunk; if it only says the status, what follows. */
function passageOf({ path, offset, length }: Row, textOf: SnippetOptions["textOf"]): string {
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
