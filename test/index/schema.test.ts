import assert from "node:assert/strict";
import { before, test } from "node:test";
import { headerVersion } from "../../src/core/index/index-image.ts";
import { APPLICATION_ID, COLUMNS, createSchema, SCHEMA_VERSION } from "../../src/core/index/schema.ts";
import { search } from "../../src/core/search/search.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { makeEntry, openIndex, rowsOf } from "../fixtures/entries.ts";

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

/** The index of the earlier server, from its schema document. */
const SCHEMA_1_0 = `
  CREATE TABLE IF NOT EXISTS projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now'))
  );
  CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, path TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL, filename TEXT NOT NULL, type TEXT, status TEXT, owner TEXT, tags TEXT,
    content_hash TEXT NOT NULL, mtime REAL NOT NULL, updated TEXT,
    indexed_at TEXT NOT NULL DEFAULT (datetime('now')),
    FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
  );
  CREATE TABLE IF NOT EXISTS chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document_id INTEGER NOT NULL, heading TEXT,
    heading_level INTEGER DEFAULT 0, content TEXT NOT NULL, chunk_order INTEGER NOT NULL,
    char_offset INTEGER NOT NULL, is_priority_heading INTEGER DEFAULT 0,
    FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS chunks_fts USING fts5(content, heading, content='chunks', content_rowid='id');
  CREATE TRIGGER IF NOT EXISTS chunks_ai AFTER INSERT ON chunks BEGIN
    INSERT INTO chunks_fts(rowid, content, heading) VALUES (NEW.id, NEW.content, NEW.heading);
  END;
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  INSERT OR REPLACE INTO meta (key, value) VALUES ('schema_version', '1.0');`;

test("a new index is marked as ours, also after it was saved and loaded", () => {
  const db = openIndex(engine);
  const ours = { application: APPLICATION_ID, version: SCHEMA_VERSION };
  assert.deepEqual(headerVersion(db.export()), ours);
  assert.deepEqual(headerVersion(new engine.Database(db.export()).export()), ours);
  const meta = Object.fromEntries(rowsOf(db, "SELECT key, value FROM meta") as [string, string][]);
  assert.equal(meta["schema_version"], "2.17");
  assert.ok(Math.abs(Date.now() - Number(meta["created_at"])) < 600_000);
});

test("the index of the earlier server and an empty database are not ours", () => {
  for (const sql of [SCHEMA_1_0, "VACUUM"]) {
    const header = headerVersion(new engine.Database().run(sql).export());
    assert.notEqual(header?.application, APPLICATION_ID);
  }
});

test("the tables are those of the design, without triggers", () => {
  const names = (type: string) =>
    rowsOf(
      openIndex(engine),
      "SELECT name FROM sqlite_schema WHERE type = :type AND name NOT LIKE 'chunks_fts_%'",
      {
        ":type": type,
      },
    )
      .flat()
      .sort();
  const tables = ["aliases", "chunks", "chunks_fts", "documents", "links", "meta", "projects"];
  assert.deepEqual(names("table"), tables);
  assert.deepEqual(names("trigger"), []);
});

const QUERIES = {
  documents_project: "SELECT path FROM documents WHERE project_id = 1 AND folder = 'tasks'",
  documents_standing: "SELECT path FROM documents WHERE standing IS NOT NULL",
  documents_name: "SELECT path FROM documents WHERE name_key = 1",
  links_name: "SELECT path FROM links WHERE name_key = 1",
  aliases_name: "SELECT alias FROM aliases WHERE name_key = 1",
  chunks_first: "SELECT id FROM chunks INDEXED BY chunks_first WHERE chunk_order = 0 ORDER BY id",
  chunks_document: "DELETE FROM chunks WHERE document_id = 1",
};

test("every SQL index is used by a query", () => {
  const db = openIndex(engine);
  const indexes = rowsOf(
    db,
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  ).flat();
  assert.deepEqual(indexes.sort(), Object.keys(QUERIES).sort());
  for (const [name, sql] of Object.entries(QUERIES)) {
    assert.match(
      String(rowsOf(db, `EXPLAIN QUERY PLAN ${sql}`).flat().join(" ")),
      new RegExp(`INDEX ${name}\\b`),
    );
  }
});

test("the schema is created completely or not at all", () => {
  const db = new engine.Database().run("CREATE TABLE chunks (a)");
  assert.throws(() => createSchema(db));
  db.run("ROLLBACK");
  assert.deepEqual(rowsOf(db, "SELECT name FROM sqlite_schema").flat(), ["chunks"]);
});

test("each full-text column is searched by its name, with its own weight", () => {
  const db = openIndex(engine, [
    makeEntry("inpath/infolder/inname.md", "# inheading\n\nincontent", {
      title: "intitle camelWord",
      tags: ["intags"],
      properties: "inproperties",
    }),
  ]);
  const words: Record<string, string> = {
    content: "incontent",
    heading: "inheading",
    title: "intitle",
    name: "inname",
    path: "infolder",
    tags: "intags",
    parts: "camel",
    properties: "inproperties",
  };
  assert.deepEqual(Object.keys(words), Object.keys(COLUMNS));
  for (const [column, word] of Object.entries(words)) {
    const found = (query: string) =>
      search(db, { query, filter: {}, limit: 1, now: 0, damping: 0, textOf: () => undefined }).total;
    assert.equal(found(`${column}:${word}`), 1, column);
    assert.equal(found(`${column}:nothing`), 0, column);
  }
});
