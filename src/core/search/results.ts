import { LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { once } from "../lib/collections.ts";
import { escapeLine } from "../lib/escape.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { propertyText } from "../notes/properties.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { BoostedRow, Reasons } from "./explain.ts";
import type { TextOf } from "./filter.ts";
import type { Hit } from "./hits.ts";
import type { Term } from "./query.ts";
import { type SnippetSize, snippetMaker } from "./snippet.ts";

export interface SearchResult {
  project: string;
  folder: string;
  filename: string;
  path: string;
  heading: string | null;
  /** Reads the document at its first call: those that show no text cost nothing. */
  snippet: (size: SnippetSize) => string;
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

interface FetchOptions {
  textOf: TextOf;
  reasons: ((hit: Hit, row: BoostedRow) => Reasons) | undefined;
}

// A chunk that is only a heading (a title) shows the first text of its document.
const FETCH = `SELECT json_group_array(json_object(
    'chunk', c.id, 'project', p.name, 'folder', d.folder, 'filename', d.filename, 'path', d.path, 'title', d.title,
    'heading', c.heading, 'type', d.type, 'status', d.status, 'task', d.task, 'updated', d.updated, 'mtime', d.mtime,
    'offset', CASE c.char_length WHEN 0 THEN f.char_offset ELSE c.char_offset END,
    'length', CASE c.char_length WHEN 0 THEN f.char_length ELSE c.char_length END))
  FROM ${LISTED_CHUNKS}
  JOIN documents d ON d.id = c.document_id JOIN projects p ON p.id = d.project_id
  LEFT JOIN chunks f ON f.id = CASE c.char_length WHEN 0 THEN
    (SELECT id FROM chunks WHERE document_id = d.id AND char_length > 0 ORDER BY chunk_order LIMIT 1) END`;

interface Row extends Omit<SearchResult, "snippet" | "score" | "more"> {
  chunk: number;
  title: string;
  task: unknown;
  offset: number | null;
  length: number | null;
}

export function fetchResults(
  db: SqlDatabase,
  hits: Hit[],
  terms: Term[],
  { textOf, reasons }: FetchOptions,
): SearchResult[] {
  const fetched = readJson<Row[]>(db, FETCH, [JSON.stringify(hits.map(({ chunk }) => chunk))]);
  const rows = new Map(fetched.map((row) => [row.chunk, row]));
  return hits.flatMap((hit) => {
    const { score, more } = hit;
    const row = rows.get(hit.chunk);
    if (row === undefined) return [];
    const { chunk: _, title, task, offset, length, ...found } = row;
    const make = once(() => {
      const text = textOf(row.path) ?? "";
      return snippetMaker(passageOf(text, { offset, length }), terms, () =>
        namesOf({ ...found, title }, text),
      );
    });
    const why = reasons === undefined ? {} : { reasons: reasons(hit, { ...found, task }) };
    return [{ ...found, score, more, snippet: (size: SnippetSize) => make()(size), ...why }];
  });
}

/** What a passage without a match may be found by: its heading, the title, the path, and the values of frontmatter. */
function namesOf({ heading, title, path }: Pick<Row, "heading" | "title" | "path">, text: string): string[] {
  const properties = propertyText(text, parseFrontmatter(text)).split("\n");
  return [(heading ?? "").replace(/^#+\s*/, ""), title, path, ...properties].map((name) => escapeLine(name));
}

/** How much of the text after a chunk may be shown in its place. */
const AFTER_CHARS = 800;
const STATUS_LINE = /^[ \t]*(?:[-*][ \t]+)?\**Status\**[ \t]*:.*$/gim;
const HEADING_LINE = /^#{1,6}[ \t].*$/gm;

/** The text of a chunk; if it only says the status, what follows. */
function passageOf(text: string, { offset, length }: Pick<Row, "offset" | "length">): string {
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
