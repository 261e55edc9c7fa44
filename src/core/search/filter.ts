import { highestId, openPostings, type Postings, readNumbers } from "../index/postings.ts";
import { cached } from "../index/query-cache.ts";
import { ARCHIVE } from "../notes/names.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

export interface Filter {
  project?: string | undefined;
  folder?: string | undefined;
  /** Whether archived documents are found without their folder, too (default: false). */
  archived?: boolean | undefined;
  status?: string | undefined;
  tag?: string | undefined;
}

/** The chunks that a query may find. */
export interface Scope {
  db: SqlDatabase;
  postings: Postings;
  /** Marks the chunks that pass the filter; undefined if all do. */
  allowed: Uint8Array | undefined;
  textOf: TextOf;
}

/** The text of a document by its path; undefined if it is gone by now. */
export type TextOf = (path: string) => string | undefined;

export function openScope(db: SqlDatabase, filter: Filter, textOf: TextOf): Scope {
  return { db, allowed: allowedChunks(db, filter), postings: openPostings(db), textOf };
}

export function countAllowed({ postings, allowed }: Scope): number {
  if (allowed === undefined) return postings.count;
  let count = 0;
  // Not `reduce`, which takes as long as a search for a rare word.
  for (const one of allowed) count += one;
  return count;
}

export function passes({ allowed }: Pick<Scope, "allowed">, chunks: Int32Array): boolean {
  return allowed === undefined ? chunks.length > 0 : chunks.some((chunk) => allowed[chunk] === 1);
}

const inFolder = (folder: string, path: string) =>
  `(${folder} <> '' AND substr(${path}, 1, length(${folder}) + 1) = ${folder} || '/')`;
const ALLOWED = `SELECT group_concat(c.id)
  FROM projects p CROSS JOIN documents d ON d.project_id = p.id CROSS JOIN chunks c ON c.document_id = d.id
  WHERE p.name = ifnull(:project, p.name)
    AND (folder = ifnull(:folder, folder) OR ${inFolder(":folder", "folder || '/' || filename")})
    AND (folder <> '${ARCHIVE}' OR ${inFolder(`'${ARCHIVE}'`, ":folder || '/'")} OR :archived) AND status IS ifnull(:status, status)
    AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE substr(value || '/', 1, length(:tag) + 1) = :tag || '/'))`;

const ARCHIVED = `SELECT group_concat(c.id)
  FROM projects p CROSS JOIN documents d ON d.project_id = p.id CROSS JOIN chunks c ON c.document_id = d.id
  WHERE d.folder = '${ARCHIVE}'`;

/** Marks the chunks of the documents that pass the filter; undefined when all do. */
function allowedChunks(db: SqlDatabase, filter: Filter): Uint8Array | undefined {
  const { archived = false, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined))
    return cached(db, JSON.stringify(["chunks of", filter]), () => markedChunks(db, filter));
  if (archived) return undefined;
  return cached(db, "chunks outside the archive", () => {
    const archived = readNumbers(db, ARCHIVED);
    if (archived.length === 0) return undefined;
    const allowed = new Uint8Array(highestId(db, "chunks") + 1).fill(1);
    for (const chunk of archived) allowed[chunk] = 0;
    return allowed;
  });
}

function markedChunks(db: SqlDatabase, filter: Filter): Uint8Array {
  const params = {
    ":project": filter.project ?? null,
    ":folder": filter.folder ?? null,
    ":archived": Number(filter.archived ?? false),
    ":status": filter.status ?? null,
    ":tag": filter.tag ?? null,
  };
  const allowed = new Uint8Array(highestId(db, "chunks") + 1);
  for (const chunk of readNumbers(db, ALLOWED, params)) allowed[chunk] = 1;
  return allowed;
}
