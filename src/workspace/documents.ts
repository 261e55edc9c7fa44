import { updatedDate } from "../domain/calendar.ts";
import { countDocuments, type DocumentRow, listDocuments, listProjectNames } from "../index/catalog.ts";
import type { Workspace } from "./workspace.ts";

/** A document as lists show it. */
export interface ListedDocument {
  project: string;
  /** Relative to the workspace. */
  path: string;
  folder: string;
  filename: string;
  title: string;
  type: string | null;
  status: string | null;
  /** `YYYY-MM-DD` */
  updated: string;
  /** Milliseconds since 1970. */
  mtime: number;
}

export interface WorkspaceListing {
  /** Every project by name, empty ones included. */
  projects: readonly string[];
  documents: ListedDocument[];
}

/** All documents, or those of one project or folder, by project, folder and name. */
export async function listWorkspace(
  workspace: Workspace,
  filter: { project?: string | undefined; folder?: string | undefined } = {},
): Promise<WorkspaceListing> {
  return workspace.query((db) => ({
    projects: listProjectNames(db),
    documents: listDocuments(db, filter).map(listedDocument),
  }));
}

export function numberOfDocuments(workspace: Workspace): Promise<number> {
  return workspace.query(countDocuments);
}

function listedDocument(row: DocumentRow): ListedDocument {
  const { project, path, folder, filename, title, type, status, mtime } = row;
  return { project, path, folder, filename, title, type, status, updated: updatedDate(row), mtime };
}

/** Newest first: by date, then by the time of the file, then by path, so that the order is the same every time. */
export function compareRecent(a: Recency, b: Recency): number {
  return compare(b.updated, a.updated) || b.mtime - a.mtime || compare(a.path, b.path);
}

export type Recency = Pick<ListedDocument, "updated" | "mtime" | "path">;

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
