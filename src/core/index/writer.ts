import { withoutMarkdownExtension } from "../lib/file-names.ts";
import type { Chunk } from "../markdown/chunks.ts";
import { type LinkRow, nameKey } from "../notes/link/links.ts";
import { projectOf } from "../notes/names.ts";
import type { Standing } from "../notes/standing/standing.ts";
import type { SqlDatabase, SqlStatement, SqlValue } from "../sqlite/types.ts";
import { dayOf, documentBoost, headingBoost, PRIORITY_BOOST } from "./boosts.ts";
import type { DocumentRow } from "./catalog.ts";
import { detectLanguage } from "./language.ts";
import { highestId, readNumbers } from "./postings.ts";
import { COLUMNS, linkKey, NOW } from "./schema.ts";
import { nameParts, namesIn, segment } from "./tokenizer.ts";

/** Everything that the index stores of a document. */
export interface DocumentEntry extends DocumentRow {
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  chunks: Chunk[];
  properties: string;
  aliases: string[];
  links: LinkRow[];
  standing: Standing | null;
}

/*
 * FTS5 writes a b-tree at the end of a transaction, but also at every savepoint, which an INSERT with RETURNING makes, and for
 * every row with a lower number than the one before. Every later query looks its words up in each of them. So new rows are
 * numbered here, and removals from the full text go last.
 */
const STATEMENTS = {
  addProject: `INSERT INTO projects (name, path) VALUES (?, (SELECT value FROM meta WHERE key = 'root') || ?1)
    ON CONFLICT DO NOTHING`,
  removeProject: "DELETE FROM projects WHERE name = ?",
  touchProject: `UPDATE projects SET updated_at = ${NOW} WHERE name = ?`,
  documentId: "SELECT id FROM documents WHERE path = ?",
  addDocument: `INSERT INTO documents (id, project_id, path, folder, filename, name_key, title, type, status, owner, tags,
    updated, language, content_hash, mtime, task, standing)
    VALUES (?, (SELECT id FROM projects WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  touch: "UPDATE documents SET mtime = ? WHERE path = ?",
  touchChunks: `UPDATE chunks SET day = ?
    WHERE document_id = (SELECT id FROM documents WHERE path = ? AND updated IS NULL)`,
  removeDocument: "DELETE FROM documents WHERE id = ?",
  addChunk: `INSERT INTO chunks (id, document_id, boost, day, char_offset, char_length, chunk_order, heading_level, heading,
    is_priority_heading) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addText: `INSERT INTO chunks_fts (rowid, ${Object.keys(COLUMNS).join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addLink: "INSERT INTO links (document_id, link_order, kind, name_key, path) VALUES (?, ?, ?, ?, ?)",
  addAlias: "INSERT INTO aliases (document_id, alias, name_key) VALUES (?, ?, ?)",
  removeAliases: "DELETE FROM aliases WHERE document_id = ?",
  removeLinks: "DELETE FROM links WHERE document_id = ?",
  removeText: "DELETE FROM chunks_fts WHERE rowid = ?",
  removeChunks: "DELETE FROM chunks WHERE document_id = ?",
} as const;

type Statements = Record<keyof typeof STATEMENTS, SqlStatement>;

/** The hash of the content indexed under a path. */
export function indexedHash(db: SqlDatabase, path: string): string | undefined {
  const hash = db.exec("SELECT content_hash FROM documents WHERE path = ?", [path])[0]?.values[0]?.[0];
  return hash === undefined ? undefined : String(hash);
}

/** Runs `change` in one transaction: all of its writes are kept, or none if it throws. */
export function write(db: SqlDatabase, change: (writer: Writer) => void): void {
  drain(
    writeInSteps(db, (writer) => {
      change(writer);
      return [];
    }),
  );
}

/** Runs `change` in short steps, which must run to the end: nothing else may use the database between them. */
export function* writeInSteps(db: SqlDatabase, change: (writer: Writer) => Iterable<void>): Generator<void> {
  db.run("BEGIN");
  try {
    const sql = prepare(db);
    try {
      const [document, chunk] = [highestId(db, "documents"), highestId(db, "chunks")];
      const state: State = { db, document, chunk, removed: [], projects: new Set() };
      yield* change(createWriter(sql, state));
      yield* removeTexts(sql, state);
      for (const project of state.projects) sql.touchProject.run([project]);
    } finally {
      for (const statement of Object.values(sql)) statement.free();
    }
    db.run("COMMIT");
  } catch (error) {
    try {
      db.run("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, or the engine is lost: the first error says more.
    }
    throw error;
  }
}

function drain(steps: Iterable<void>): void {
  for (const _ of steps);
}

function prepare(db: SqlDatabase): Statements {
  const names = Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[];
  return Object.fromEntries(names.map((name) => [name, db.prepare(STATEMENTS[name])])) as Statements;
}

export type Writer = ReturnType<typeof createWriter>;

/** Writes documents inside one transaction. */
function createWriter(sql: Statements, state: State) {
  return {
    put: (entry: DocumentEntry) => drain(put(sql, entry, state)),
    /** Writes a document in short steps. */
    putInSteps: (entry: DocumentEntry) => put(sql, entry, state),
    remove: (path: string) => remove(sql, path, state),
    /** Stores a new modification time for unchanged content. */
    touch: (path: string, mtime: number) => {
      sql.touch.run([mtime, path]);
      sql.touchChunks.run([dayOf(mtime), path]);
    },
    addProject: (name: string) => sql.addProject.run([name]),
    removeProject: (name: string) => sql.removeProject.run([name]),
  };
}

interface State {
  db: SqlDatabase;
  /** The highest numbers so far. */
  document: number;
  chunk: number;
  /** Chunks whose text is still to be removed. */
  removed: number[];
  /** Projects in which documents were written or removed. */
  projects: Set<string>;
}

function* put(sql: Statements, entry: DocumentEntry, state: State): Generator<void> {
  remove(sql, entry.path, state);
  sql.addProject.run([entry.project]);
  state.projects.add(entry.project);
  const document = ++state.document;
  addDocument(sql, document, entry);
  for (const [order, { kind, name, path }] of entry.links.entries())
    sql.addLink.run([document, order, kind, linkKey(name), path]);
  for (const alias of entry.aliases) sql.addAlias.run([document, alias, linkKey(nameKey(alias))]);
  const texts = documentTexts(entry);
  // The day as written: JavaScript cannot parse every time and zone that ISO 8601 allows.
  const day = dayOf(entry.updated === null ? entry.mtime : Date.parse(entry.updated.slice(0, 10)));
  const boost = documentBoost(entry);
  for (const chunk of entry.chunks) {
    const { heading, level, order, offset, content } = chunk;
    const ofHeading = headingBoost(heading);
    const id = ++state.chunk;
    const isPriority = ofHeading === PRIORITY_BOOST ? 1 : 0;
    sql.addChunk.run([
      id,
      document,
      boost * ofHeading,
      day,
      offset,
      content.length,
      order,
      level,
      heading,
      isPriority,
    ]);
    sql.addText.run([id, ...chunkTexts(texts, chunk, entry.properties)]);
    yield;
  }
}

function addDocument(sql: Statements, document: number, entry: DocumentEntry): void {
  sql.addDocument.run([
    document,
    entry.project,
    entry.path,
    entry.folder,
    entry.filename,
    linkKey(nameKey(entry.filename)),
    entry.title,
    entry.type,
    entry.status,
    entry.owner,
    JSON.stringify(entry.tags),
    entry.updated,
    languageOf(entry),
    entry.hash,
    entry.mtime,
    entry.task === null ? null : JSON.stringify(entry.task),
    entry.standing === null ? null : JSON.stringify(entry.standing),
  ]);
}

function languageOf({ chunks }: DocumentEntry) {
  return detectLanguage(
    chunks
      .slice(0, 8)
      .map(({ heading, content }) => `${heading ?? ""}\n${content}`)
      .join("\n"),
  );
}

const MAX_NAME_CHARS = 1_000;

/** These columns are repeated in every chunk of a document, so they have to stay small. */
function documentTexts(entry: DocumentEntry) {
  const name = withoutMarkdownExtension(entry.filename).slice(-MAX_NAME_CHARS);
  return {
    title: segment(entry.title),
    name: segment(name),
    path: segment(`${entry.project} ${entry.folder}`),
    tags: segment(entry.tags.join(" ").slice(0, MAX_NAME_CHARS)),
    parts: nameParts(`${entry.title} ${name}`),
  };
}

/** One text per full-text column, in their order; only the first chunk has the properties. */
function chunkTexts(
  texts: ReturnType<typeof documentTexts>,
  { heading, content, order }: Chunk,
  properties: string,
): string[] {
  const columns = {
    ...texts,
    content: segment(`${content} ${nameParts(namesIn(content))}`),
    heading: segment(heading ?? ""),
    properties: order === 0 ? segment(properties) : "",
    parts: segment(`${texts.parts} ${nameParts(`${heading ?? ""} ${deeperHeadings(content)}`)}`),
  };
  return (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((column) => columns[column]);
}

/** People search for names in headings, even those that do not start a chunk. */
function deeperHeadings(content: string): string {
  return (content.match(/^#{1,6}[ \t].*$/gm) ?? []).join(" ");
}

function remove(sql: Statements, path: string, state: State): void {
  const id = idOf(sql, path);
  if (id === undefined) return;
  for (const chunk of readNumbers(state.db, CHUNKS_OF, [id])) state.removed.push(chunk);
  sql.removeChunks.run([id]);
  sql.removeLinks.run([id]);
  sql.removeAliases.run([id]);
  sql.removeDocument.run([id]);
  state.projects.add(projectOf(path));
}

const CHUNKS_OF = "SELECT group_concat(id) FROM chunks WHERE document_id = ?";

function idOf({ documentId }: Statements, path: string): SqlValue | undefined {
  documentId.bind([path]);
  const id = documentId.step() ? documentId.get()[0] : undefined;
  documentId.reset();
  return id;
}

function* removeTexts(sql: Statements, { removed }: State): Generator<void> {
  for (const chunk of removed.sort((a, b) => a - b)) {
    sql.removeText.run([chunk]);
    yield;
  }
}
