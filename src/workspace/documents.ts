import { type DocumentFilter, type DocumentRow, listDocuments, listProjectNames } from "../index/catalog.ts";
import { updatedDate } from "../notes/document.ts";
import type { Workspace } from "./workspace.ts";

/** A document as lists show it; `updated` is always a day, `YYYY-MM-DD`. */
export type ListedDocument = DocumentRow & { updated: string };

/** Every project by name, empty ones included, and all documents, or those of one project or folder. */
export function listWorkspace(workspace: Workspace, filter: DocumentFilter = {}) {
  return workspace.query((db) => ({
    projects: listProjectNames(db),
    documents: listDocuments(db, filter).map((row) => ({ ...row, updated: updatedDate(row) })),
  }));
}

/** Newest first: by date, then by the time of the file, then by path, so that the order is the same every time. */
export function compareRecent(a: Recency, b: Recency): number {
  return compareText(b.updated, a.updated) || b.mtime - a.mtime || compareText(a.path, b.path);
}

export type Recency = Pick<ListedDocument, "updated" | "mtime" | "path">;

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
