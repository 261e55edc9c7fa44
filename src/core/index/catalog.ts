import { foldersOf } from "../lib/paths.ts";
import type { DocumentLocation, TaskFacts } from "../notes/document.ts";
import type { BindParams, SqlDatabase } from "../sqlite/types.ts";
import { readJson } from "./postings.ts";
import { cached } from "./query-cache.ts";

/** A document in the index, without its text. */
export interface DocumentRow extends DocumentLocation {
  path: string;
  title: string;
  type: string | null;
  status: string | null;
  owner: string | null;
  tags: string[];
  /** Frontmatter's `updated`, as written. */
  updated: string | null;
  /** Milliseconds since 1970. */
  mtime: number;
  task: TaskFacts | null;
}

/** Sorted; cached until the index changes. */
export function listProjectNames(db: SqlDatabase): readonly string[] {
  return cached(db, "project names", () => firstColumn(db, "SELECT name FROM projects ORDER BY name"));
}

export function countDocuments(db: SqlDatabase): number {
  return Number(db.exec("SELECT count(*) FROM documents")[0]?.values[0]?.[0]);
}

export interface DocumentFilter {
  project?: string | undefined;
  folder?: string | undefined;
}

/** Documents by path; all without a filter. A filtered list is cached until the index changes. */
export function listDocuments(db: SqlDatabase, filter: DocumentFilter): readonly DocumentRow[] {
  const { project, folder } = filter;
  if (project === undefined && folder === undefined) return readDocuments(db, filter);
  return cached(db, JSON.stringify(["documents", project, folder]), () => readDocuments(db, filter));
}

function readDocuments(db: SqlDatabase, { project, folder }: DocumentFilter): DocumentRow[] {
  const sql = `SELECT json_group_array(json_object('project', name, 'path', path, 'folder', folder,
      'filename', filename, 'title', title, 'type', type, 'status', status, 'owner', owner,
      'tags', json(tags), 'updated', updated, 'mtime', mtime, 'task', json(task)))
    FROM (SELECT p.name, d.* FROM projects p CROSS JOIN documents d ON d.project_id = p.id
      WHERE p.name = ifnull(:project, p.name) AND d.folder = ifnull(:folder, d.folder)
      ORDER BY p.name, d.folder, d.filename)`;
  return readJson(db, sql, { ":project": project ?? null, ":folder": folder ?? null });
}

/** The folder names in one project, or in any project. */
export function listFolders(db: SqlDatabase, project: string | undefined): string[] {
  const sql = `SELECT DISTINCT folder FROM projects p CROSS JOIN documents d ON d.project_id = p.id
    WHERE p.name = ifnull(:project, p.name)`;
  return firstColumn(db, sql, { ":project": project ?? null });
}

/** The folders inside of those, by their paths. */
export function listFoldersBelow(db: SqlDatabase, project: string | undefined): string[] {
  const sql = `SELECT folder || '/' || filename FROM projects p CROSS JOIN documents d ON d.project_id = p.id
    WHERE p.name = ifnull(:project, p.name) AND folder <> '' AND instr(filename, '/') > 0`;
  const paths = firstColumn(db, sql, { ":project": project ?? null });
  return [...new Set(paths.flatMap(foldersOf))];
}

/** The tags in one project, or in any project, the most frequent first. */
export function listTags(db: SqlDatabase, project: string | undefined): string[] {
  const sql = `SELECT t.value FROM projects p CROSS JOIN documents d ON d.project_id = p.id, json_each(d.tags) t
    WHERE p.name = ifnull(:project, p.name) GROUP BY t.value ORDER BY count(*) DESC, t.value`;
  return firstColumn(db, sql, { ":project": project ?? null });
}

function firstColumn(db: SqlDatabase, sql: string, params: BindParams = []): string[] {
  return (db.exec(sql, params)[0]?.values ?? []).map(([name]) => String(name));
}
