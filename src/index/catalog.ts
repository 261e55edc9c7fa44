import type { DocumentLocation, TaskFacts } from "../domain/document.ts";
import type { SqlDatabase, SqlValue } from "../sqlite/types.ts";
import { keep } from "./kept.ts";
import { readJson } from "./one-text.ts";

/** What the index knows of one document, without its text. */
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

/** Sorted; kept while nothing is written to the index. */
export function listProjectNames(db: SqlDatabase): readonly string[] {
  return keep(db, "project names", () =>
    select(db, "SELECT name FROM projects ORDER BY name").map(([name]) => String(name)),
  );
}

export function countDocuments(db: SqlDatabase): number {
  return Number(select(db, "SELECT count(*) FROM documents")[0]?.[0]);
}

export interface DocumentFilter {
  project?: string | undefined;
  folder?: string | undefined;
}

/** Documents by path; all of them without a filter. Lists of a project are kept while nothing is written to the index. */
export function listDocuments(db: SqlDatabase, filter: DocumentFilter): readonly DocumentRow[] {
  const { project, folder } = filter;
  if (project === undefined) return readDocuments(db, filter);
  return keep(db, JSON.stringify(["documents", project, folder]), () => readDocuments(db, filter));
}

function readDocuments(db: SqlDatabase, { project, folder }: DocumentFilter): DocumentRow[] {
  const conditions: string[] = [];
  const params: Record<string, SqlValue> = {};
  if (project !== undefined) {
    conditions.push("p.name = :project");
    params[":project"] = project;
  }
  if (folder !== undefined) {
    conditions.push("d.folder = :folder");
    params[":folder"] = folder;
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  // Tags and tasks are JSON.
  const columns = ["p.name", "d.path", "d.folder", "d.filename", "d.title", "d.type", "d.status", "d.owner"];
  const row = [...columns.map(quoted), "d.tags", quoted("d.updated"), "d.mtime", "ifnull(d.task, 'null')"];
  const sql = `SELECT '[' || ifnull(group_concat(row), '') || ']' FROM (
    SELECT '[' || ${row.join(" || ',' || ")} || ']' AS row
    FROM documents d JOIN projects p ON p.id = d.project_id ${where} ORDER BY p.name, d.folder, d.filename)`;
  return readJson<Row[]>(db, sql, params).map(documentRow);
}

const quoted = (column: string) => `json_quote(${column})`;

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
