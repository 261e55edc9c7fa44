import type { TaskFacts } from "../domain/document.ts";
import type { SqlDatabase, SqlValue } from "../sqlite/types.ts";

/** What the index knows of one document, without its text. */
export interface DocumentRow {
  project: string;
  path: string;
  folder: string;
  filename: string;
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

export function listProjectNames(db: SqlDatabase): string[] {
  return select(db, "SELECT name FROM projects ORDER BY name").map(([name]) => String(name));
}

export function countDocuments(db: SqlDatabase): number {
  return Number(select(db, "SELECT count(*) FROM documents")[0]?.[0]);
}

export interface DocumentFilter {
  project?: string | undefined;
  folder?: string | undefined;
}

/** Documents by path; all of them without a filter. */
export function listDocuments(db: SqlDatabase, filter: DocumentFilter): DocumentRow[] {
  const conditions: string[] = [];
  const params: Record<string, SqlValue> = {};
  if (filter.project !== undefined) {
    conditions.push("p.name = :project");
    params[":project"] = filter.project;
  }
  if (filter.folder !== undefined) {
    conditions.push("d.folder = :folder");
    params[":folder"] = filter.folder;
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  // One JSON text for all: fetched at once, it is far cheaper than a dozen columns of each row.
  const sql = `SELECT json_group_array(json(row)) FROM (
    SELECT json_array(p.name, d.path, d.folder, d.filename, d.title, d.type, d.status, d.owner, json(d.tags), d.updated,
      d.mtime, json(d.task)) AS row
    FROM documents d JOIN projects p ON p.id = d.project_id ${where} ORDER BY p.name, d.folder, d.filename)`;
  const rows = JSON.parse(String(select(db, sql, params)[0]?.[0])) as Row[];
  return rows.map(documentRow);
}

type Row = [
  project: string,
  path: string,
  folder: string,
  filename: string,
  title: string,
  type: string | null,
  status: string | null,
  owner: string | null,
  tags: string[],
  updated: string | null,
  mtime: number,
  task: TaskFacts | null,
];

function documentRow(row: Row): DocumentRow {
  const [project, path, folder, filename, title, type, status, owner, tags, updated, mtime, task] = row;
  return { project, path, folder, filename, title, type, status, owner, tags, updated, mtime, task };
}

/** Where a folder name occurs at all: the folders of one project, or of every project. */
export function listFolders(db: SqlDatabase, project: string | undefined): string[] {
  const where =
    project === undefined ? "" : "WHERE project_id = (SELECT id FROM projects WHERE name = :project)";
  const params = project === undefined ? {} : { ":project": project };
  return select(db, `SELECT DISTINCT folder FROM documents ${where}`, params).map(([name]) => String(name));
}

function select(db: SqlDatabase, sql: string, params: Record<string, SqlValue> = {}): SqlValue[][] {
  return db.exec(sql, params)[0]?.values ?? [];
}
