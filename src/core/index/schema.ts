import { sep } from "node:path";
import { crc32 } from "node:zlib";
import type { SqlDatabase } from "../sqlite/types.ts";

/** `PRAGMA user_version` of our files: major × 100 + minor. A new one has every index built again, also for rows that read notes differently. */
export const SCHEMA_VERSION = 217;
/** `PRAGMA application_id`: "vibe". */
export const APPLICATION_ID = 0x76696265;

/** The full-text columns in their order, with the weight each has in bm25(). */
export const COLUMNS = {
  content: 1,
  heading: 5,
  title: 8,
  name: 5,
  path: 1,
  tags: 4,
  parts: 2,
  properties: 3,
} as const;

/** The time as milliseconds since 1970, in SQL. */
export const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (${NOW}),
  updated_at INTEGER NOT NULL DEFAULT (${NOW})
);
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  path TEXT NOT NULL UNIQUE,
  folder TEXT NOT NULL,
  filename TEXT NOT NULL,
  name_key INTEGER NOT NULL,
  title TEXT NOT NULL,
  type TEXT,
  status TEXT,
  owner TEXT,
  tags TEXT NOT NULL,
  updated TEXT,
  language TEXT,
  content_hash TEXT NOT NULL,
  mtime REAL NOT NULL,
  task TEXT,
  standing TEXT,
  indexed_at INTEGER NOT NULL DEFAULT (${NOW})
);
CREATE INDEX documents_project ON documents (project_id, folder);
CREATE INDEX documents_name ON documents (name_key);
CREATE INDEX documents_standing ON documents (id) WHERE standing IS NOT NULL;
CREATE TABLE links (
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  link_order INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name_key INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (document_id, link_order)
) WITHOUT ROWID;
CREATE INDEX links_name ON links (name_key);
CREATE TABLE aliases (
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  alias TEXT NOT NULL,
  name_key INTEGER NOT NULL,
  PRIMARY KEY (document_id, alias)
) WITHOUT ROWID;
CREATE INDEX aliases_name ON aliases (name_key);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  boost REAL NOT NULL,
  day INTEGER NOT NULL,
  char_offset INTEGER NOT NULL,
  char_length INTEGER NOT NULL,
  chunk_order INTEGER NOT NULL,
  heading_level INTEGER NOT NULL,
  heading TEXT,
  is_priority_heading INTEGER NOT NULL
);
CREATE INDEX chunks_document ON chunks (document_id);
CREATE INDEX chunks_first ON chunks (id) WHERE chunk_order = 0;
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  ${Object.keys(COLUMNS).join(", ")},
  content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
);
INSERT INTO meta VALUES ('schema_version', '${Math.floor(SCHEMA_VERSION / 100)}.${SCHEMA_VERSION % 100}'), ('created_at', ${NOW}), ('root', '');
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** A name for links (`nameKey`, `#3`) as the index stores it: small, and shared by few others. */
export function linkKey(name: string): number {
  return crc32(name) | 0;
}

/** Creates the empty schema (docs/sqlite-schema.md). */
export function createSchema(db: SqlDatabase): void {
  db.run(`BEGIN; ${TABLES} COMMIT;`);
}

/** Says where the workspace is: an index moves along with its folder. */
export function setRoot(db: SqlDatabase, root: string): void {
  const folder = root.endsWith(sep) ? root : `${root}${sep}`;
  db.run("UPDATE meta SET value = ? WHERE key = 'root' AND value <> ?1", [folder]);
  db.run("UPDATE projects SET path = ? || name WHERE path <> ?1 || name", [folder]);
}

/** The version of a database, and its tables, indexes, views and triggers: a file with others than ours is not used, whatever its header says. */
export function schemaText(db: SqlDatabase): string {
  const parts = ["PRAGMA user_version", "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"];
  return JSON.stringify(parts.map((sql) => db.exec(sql)[0]?.values));
}
