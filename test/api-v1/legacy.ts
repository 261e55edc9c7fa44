/** The index of the earlier server: its schema 1.0, with the triggers, and what it kept of one document. */
export const LEGACY_SCHEMA = `
CREATE TABLE projects (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL, path TEXT NOT NULL UNIQUE,
  folder TEXT NOT NULL, filename TEXT NOT NULL, type TEXT, status TEXT, owner TEXT, tags TEXT, content_hash TEXT NOT NULL,
  mtime REAL NOT NULL, updated TEXT, indexed_at TEXT NOT NULL DEFAULT (datetime('now')),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE);
CREATE INDEX idx_documents_project ON documents(project_id);
CREATE TABLE chunks (id INTEGER PRIMARY KEY AUTOINCREMENT, document_id INTEGER NOT NULL, heading TEXT,
  heading_level INTEGER DEFAULT 0, content TEXT NOT NULL, chunk_order INTEGER NOT NULL, char_offset INTEGER NOT NULL,
  is_priority_heading INTEGER DEFAULT 0, FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE);
CREATE VIRTUAL TABLE chunks_fts USING fts5(content, heading, content='chunks', content_rowid='id');
CREATE TRIGGER chunks_ai AFTER INSERT ON chunks BEGIN
  INSERT INTO chunks_fts(rowid, content, heading) VALUES (NEW.id, NEW.content, NEW.heading);
END;
CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN
  INSERT INTO chunks_fts(chunks_fts, rowid, content, heading) VALUES ('delete', OLD.id, OLD.content, OLD.heading);
END;
CREATE TRIGGER chunks_au AFTER UPDATE ON chunks BEGIN
  INSERT INTO chunks_fts(chunks_fts, rowid, content, heading) VALUES ('delete', OLD.id, OLD.content, OLD.heading);
  INSERT INTO chunks_fts(rowid, content, heading) VALUES (NEW.id, NEW.content, NEW.heading);
END;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO meta VALUES ('schema_version', '1.0'), ('created_at', datetime('now'));
INSERT INTO projects (name, path) VALUES ('gone', '/home/max/.vibe/gone');
INSERT INTO documents (project_id, path, folder, filename, content_hash, mtime)
  VALUES (1, 'gone/tasks/001-a.md', 'tasks', '001-a.md', 'x', 1);
INSERT INTO chunks (document_id, heading, content, chunk_order, char_offset) VALUES (1, '# A', 'narwhal', 0, 0);
`;
