import { LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { indexedSuccessors } from "../index/succession.ts";
import { once } from "../lib/collections.ts";
import { escapeLine } from "../lib/escape.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { eachHeading, type Heading } from "../markdown/headings.ts";
import { headingLine } from "../markdown/sections.ts";
import { propertyText } from "../notes/properties.ts";
import { lapseOf, lastOf } from "../notes/standing/successors.ts";
import type { StandingWord } from "../notes/words/type.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { BoostedRow, Reasons } from "./explain.ts";
import type { TextOf } from "./filter.ts";
import type { Hit } from "./hits.ts";
import type { Term } from "./query.ts";
import { holdsTerm, type SnippetSize, snippetMaker } from "./snippet.ts";

export interface SearchResult {
  project: string;
  folder: string;
  filename: string;
  path: string;
  heading: string | null;
  /** Reads the document at its first call: those that show no text cost nothing. */
  passage: (size: SnippetSize) => Passage;
  /** What the document says elsewhere to other words of the query; null if it does not, or was not asked for. */
  other: ((size: SnippetSize) => Passage) | null;
  score: number;
  /** Further chunks of the document that match. */
  more: number;
  type: string | null;
  status: string | null;
  updated: string | null;
  mtime: number;
  /** The whole document. */
  text: () => string;
  /** That it no longer holds, by what notes say. */
  lapse: string | undefined;
  /** If they were asked for. */
  reasons?: Reasons;
}

/** A part of a document, and the nearest heading above it, behind that of its chunk: `## Agenda > Tide gauge`. */
export interface Passage {
  text: string;
  heading: string | null;
  /** What its chunk says to the query outside of it; under the same heading, that is null. */
  elsewhere?: (size: SnippetSize) => Passage;
}

interface FetchOptions {
  textOf: TextOf;
  reasons: ((hit: Hit, row: BoostedRow) => Reasons) | undefined;
}

// A chunk that is only a heading (a title) shows the first text of its document.
const FETCH = `SELECT json_group_array(json_object(
    'chunk', c.id, 'project', p.name, 'folder', d.folder, 'filename', d.filename, 'path', d.path, 'title', d.title,
    'heading', c.heading, 'type', d.type, 'status', d.status, 'task', d.task, 'updated', d.updated, 'mtime', d.mtime, 'standing', d.standing ->> 'word',
    'offset', CASE c.char_length WHEN 0 THEN f.char_offset ELSE c.char_offset END,
    'length', CASE c.char_length WHEN 0 THEN f.char_length ELSE c.char_length END))
  FROM ${LISTED_CHUNKS}
  JOIN documents d ON d.id = c.document_id JOIN projects p ON p.id = d.project_id
  LEFT JOIN chunks f ON f.id = CASE c.char_length WHEN 0 THEN
    (SELECT id FROM chunks WHERE document_id = d.id AND char_length > 0 ORDER BY chunk_order LIMIT 1) END`;

interface Row extends Omit<SearchResult, "passage" | "other" | "score" | "more" | "text" | "lapse"> {
  chunk: number;
  title: string;
  standing: StandingWord | null;
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
  const chunks = hits.flatMap(({ chunk, other }) => (other === null ? [chunk] : [chunk, other]));
  const fetched = readJson<Row[]>(db, FETCH, [JSON.stringify(chunks)]);
  const successors = indexedSuccessors(db);
  const rows = new Map(fetched.map((row) => [row.chunk, row]));
  return hits.flatMap((hit) => {
    const { score, more } = hit;
    const row = rows.get(hit.chunk);
    if (row === undefined) return [];
    const { chunk: _, title: __, task, standing, offset: ___, length: ____, ...found } = row;
    const readText = once(() => textOf(row.path) ?? "");
    const other = hit.other === null ? undefined : rows.get(hit.other);
    const isNew = other !== undefined && !isBehind(row, other);
    const passages = {
      passage: passageMaker(row, readText, terms, LEAST_CHARS),
      other: isNew ? passageMaker(other, readText, terms) : null,
    };
    const why = reasons === undefined ? {} : { reasons: reasons(hit, { ...found, task }) };
    const lapse = lapseOf(standing, lastOf(row.path, successors));
    return [{ ...found, ...passages, score, more, text: readText, lapse, ...why }];
  });
}

/** Whether a short chunk is shown with another one, which stands behind it. */
function isBehind({ offset, length }: Row, other: Row): boolean {
  const distance = (other.offset ?? 0) - (offset ?? 0);
  return distance >= 0 && distance < LEAST_CHARS && (length ?? 0) < LEAST_CHARS;
}

function passageMaker(
  row: Row,
  readText: () => string,
  terms: Term[],
  least = 0,
): (size: SnippetSize) => Passage {
  const make = once(() => {
    const text = readText();
    const source = sourceOf(text, row, { terms, least });
    return { source, cut: snippetMaker(source, terms, () => namesOf(row, text)) };
  });
  return (size) => {
    const { source, cut } = make();
    const { text, at, elsewhere } = cut(size);
    const heading = headingOver(row.heading, source, at);
    const cutElsewhere = (size: SnippetSize) => {
      const other = elsewhere()?.(size);
      if (other === undefined) return { text: "", heading: null };
      const over = headingOver(row.heading, source, other.at);
      return { text: other.text, heading: over === heading ? null : over };
    };
    return { text, heading, elsewhere: cutElsewhere };
  };
}

function headingOver(ofChunk: string | null, source: string, at: number): string | null {
  let nearest: Heading | undefined;
  for (const heading of eachHeading(source)) {
    if (heading.start > at) break;
    nearest = heading;
  }
  if (nearest === undefined) return ofChunk;
  return ofChunk === null || nearest.level <= 2 ? headingLine(nearest) : `${ofChunk} > ${nearest.text}`;
}

/** What a passage without a match may be found by: its heading, the title, the path, and the values of frontmatter. */
function namesOf({ heading, title, path }: Pick<Row, "heading" | "title" | "path">, text: string): string[] {
  const properties = propertyText(text, parseFrontmatter(text)).split("\n");
  return [(heading ?? "").replace(/^#+\s*/, ""), title, path, ...properties].map((name) => escapeLine(name));
}

/** A chunk that is shorter is shown with the text behind it, up to so many characters. */
const LEAST_CHARS = 600;
const STATUS_LINE = /^[ \t]*(?:[-*][ \t]+)?\**Status\**[ \t]*:.*$/gim;

/** The text of a chunk, without a status that nobody asked for; of a short one also what follows. */
function sourceOf(
  text: string,
  { offset, length }: Pick<Row, "offset" | "length">,
  { terms, least }: { terms: Term[]; least: number },
): string {
  if (offset === null || length === null) return "";
  const own = copyOf(text, offset, offset + Math.max(length, least));
  return own.replaceAll(STATUS_LINE, (line) => (holdsTerm(line, terms) ? line : ""));
}

/** A copy of a part of a text: a slice would keep the whole text in memory. */
function copyOf(text: string, start: number, end: number): string {
  return Buffer.from(text.slice(start, end), "utf16le").toString("utf16le");
}
