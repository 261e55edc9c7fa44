import { isTaskPath } from "../notes/document.ts";
import { type LinkRow, linkNames, nameKey } from "../notes/link/links.ts";
import { type Alias, type Lookup, lookupIn } from "../notes/link/target.ts";
import type { BindParams, SqlDatabase } from "../sqlite/types.ts";
import { readJson } from "./postings.ts";
import { linkKey } from "./schema.ts";

const NAMED = "SELECT json_group_array(path) FROM documents WHERE name_key = ?";
const ALIASES = `SELECT json_group_array(json_object('path', d.path, 'alias', a.alias))
  FROM aliases a JOIN documents d ON d.id = a.document_id`;
const ALIASED = `${ALIASES} WHERE a.name_key = ?`;
const PATHS = "SELECT json_group_array(path) FROM documents";
const TASKS = `SELECT json_group_array(d.path) FROM projects p CROSS JOIN documents d ON d.project_id = p.id
  WHERE p.name = ?1 AND (d.folder = 'tasks' OR d.folder = 'archive' AND d.filename LIKE 'tasks/%')`;
const LINKS = `SELECT json_group_array(json_object('source', d.path, 'kind', l.kind, 'path', l.path))
  FROM (SELECT value FROM json_each(?1) UNION SELECT a.name_key FROM json_each(?2) p CROSS JOIN documents d ON d.path = p.value
    CROSS JOIN aliases a ON a.document_id = d.id) keys CROSS JOIN links l ON l.name_key = keys.value CROSS JOIN documents d ON d.id = l.document_id`;

/** The indexed documents, looked up once per name. */
export function indexLookup(db: SqlDatabase): Lookup {
  return lookupIn({
    named: (name) => readJson<string[]>(db, NAMED, [linkKey(name)]).filter((path) => nameKey(path) === name),
    aliased: (name) =>
      readJson<Alias[]>(db, ALIASED, [linkKey(name)])
        .filter(({ alias }) => nameKey(alias) === name)
        .map(({ path }) => path),
    tasks: (project) => readJson<string[]>(db, TASKS, [project]).filter(isTaskPath),
  });
}

/** The paths of all documents. */
export function documentPaths(db: SqlDatabase): string[] {
  return readJson(db, PATHS, []);
}

export function documentAliases(db: SqlDatabase): Alias[] {
  return readJson(db, ALIASES, []);
}

/** The links that may lead to one of these documents: those with one of its names. */
export function linksNaming(
  db: SqlDatabase,
  paths: readonly string[],
): (Pick<LinkRow, "kind" | "path"> & { source: string })[] {
  const keys = new Set(paths.flatMap(linkNames).map(linkKey));
  const params: BindParams = [JSON.stringify([...keys]), JSON.stringify(paths)];
  return readJson(db, LINKS, params);
}
