import type { SqlDatabase } from "../../src/sqlite/types.ts";

/** A small database with the features an index uses: a table, an index, a full-text table. */
export function fillNotes(database: SqlDatabase, count: number): void {
  database.run(`
    CREATE TABLE documents(id INTEGER PRIMARY KEY, path TEXT UNIQUE, text TEXT);
    CREATE VIRTUAL TABLE notes USING fts5(text, content='', contentless_delete=1);
    BEGIN`);
  const insertDocument = database.prepare("INSERT INTO documents VALUES (?, ?, ?)");
  const insertNote = database.prepare("INSERT INTO notes(rowid, text) VALUES (?, ?)");
  for (let id = 1; id <= count; id++) {
    const text = noteText(id);
    insertDocument.run([id, `notes/${id}.md`, text]);
    insertNote.run([id, text]);
  }
  insertDocument.free();
  insertNote.free();
  database.run("COMMIT");
}

export function noteText(id: number): string {
  return Array.from({ length: 20 + (id % 30) }, (_, place) => `word${(id * 7 + place * place) % 997}`).join(
    " ",
  );
}
