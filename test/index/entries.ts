import { locateDocument } from "../../src/domain/document.ts";
import { type DocumentEntry, write } from "../../src/index/documents.ts";
import { createSchema } from "../../src/index/schema.ts";
import { chunkMarkdown } from "../../src/markdown/chunks.ts";
import type { Engine } from "../../src/sqlite/engine.ts";
import type { SqlDatabase, SqlValue } from "../../src/sqlite/types.ts";

const texts = new Map<string, string>();

/** The text that the last entry of this path was made from. */
export const textOf = (path: string): string | undefined => texts.get(path);

/** What the index keeps of a note: its place and chunks from the arguments, everything else plain unless given. */
export function makeEntry(path: string, text: string, given: Partial<DocumentEntry> = {}): DocumentEntry {
  const location = locateDocument(path);
  texts.set(path, text);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  return {
    ...location,
    path,
    title: "Note",
    ...{ type: null, status: null, owner: null, tags: [], updated: null, task: null },
    ...{ hash: "0", mtime: 0 },
    chunks: chunkMarkdown(text),
    ...given,
  };
}

/** The facts of a task without a number, an objective or steps. */
export const plainTask = { number: null, objective: null, progress: { done: 0, total: 0 }, dependencies: [] };

export function openIndex(engine: Engine, entries: DocumentEntry[] = []): SqlDatabase {
  const db = new engine.Database();
  createSchema(db);
  write(db, (writer) => {
    for (const entry of entries) writer.put(entry);
  });
  return db;
}

export function rowsOf(
  db: SqlDatabase,
  sql: string,
  params: Record<string, SqlValue> | null = null,
): SqlValue[][] {
  return db.exec(sql, params)[0]?.values ?? [];
}
