import { join } from "node:path";
import { type DocumentFilter, type DocumentRow, listDocuments, listProjectNames } from "../index/catalog.ts";
import { cached } from "../index/query-cache.ts";
import { groupBy } from "../lib/collections.ts";
import { compareText } from "../lib/text.ts";
import { updatedDate } from "../notes/document.ts";
import { ARCHIVE, STANDARD_FOLDERS } from "../notes/names.ts";
import { sessionDate } from "../notes/session-file.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { countFiles } from "../storage/list.ts";
import { checkFolder } from "./locate.ts";
import type { Workspace } from "./workspace.ts";

/** A document with its date, `YYYY-MM-DD`. */
export type ListedDocument = DocumentRow & { updated: string };

/** One project in numbers, in the shape of `vibe://projects`. */
export interface ProjectSummary {
  name: string;
  /** Absolute. */
  path: string;
  /** ISO 8601, of the newest file; null without files. */
  last_updated: string | null;
  stats: {
    total_docs: number;
    /** Pending and in progress. */
    open_tasks: number;
    pending_tasks: number;
    in_progress_tasks: number;
    blocked_tasks: number;
    done_tasks: number;
    /** `YYYY-MM-DD` of the newest session note. */
    last_session_date: string | null;
  };
  /** Documents per folder, and all files in `assets`; `""` for root files. */
  folders: Record<string, number>;
}

/** One project's files by folder, in the shape of `vibe://projects/{name}`. */
export interface ProjectListing extends Pick<ProjectSummary, "name" | "path" | "last_updated"> {
  folders: Record<string, ReturnType<typeof listedFile>[]>;
  /** The number of files in the archive if it is not listed. */
  totals?: Record<string, number>;
}

/** A page of the projects by name, empty ones included, and how many there are. */
export async function listProjects(
  workspace: Workspace,
  { offset = 0, limit = Number.POSITIVE_INFINITY } = {},
): Promise<{ total: number; projects: ProjectSummary[] }> {
  const all = await workspace.query((db) => summarizeAll(db, workspace.root));
  const page = all.slice(offset, offset + limit);
  return { total: all.length, projects: page.map((each) => withAssets(workspace.root, each)) };
}

/** Cached while nothing is written: every document is counted. */
function summarizeAll(db: SqlDatabase, root: string): readonly ProjectSummary[] {
  return cached(db, "projects", () => {
    const byProject = groupBy(listDocuments(db, {}), (row) => row.project);
    return listProjectNames(db).map((name) => summarize(root, name, byProject.get(name) ?? []));
  });
}

/** The same, with every file in `assets` counted: few files there are documents. */
function withAssets(root: string, summary: ProjectSummary): ProjectSummary {
  const assets = countFiles(root, `${summary.name}/assets`);
  return { ...summary, folders: { ...summary.folders, assets } };
}

/** The numbers of one project, from its documents. */
export function summarize(root: string, name: string, rows: readonly DocumentRow[]): ProjectSummary {
  const tasks = rows.filter((row) => row.task !== null && row.folder !== ARCHIVE);
  const count = (status: string) => tasks.filter((task) => task.status === status).length;
  const [pending, inProgress] = [count("pending"), count("in-progress")];
  const sessions = rows.filter((row) => row.folder === "sessions");
  return {
    name,
    path: join(root, name),
    last_updated: lastUpdated(rows),
    stats: {
      total_docs: rows.length,
      open_tasks: pending + inProgress,
      pending_tasks: pending,
      in_progress_tasks: inProgress,
      blocked_tasks: count("blocked"),
      done_tasks: count("done"),
      last_session_date:
        sessions
          .map((row) => sessionDate(row.filename) ?? "")
          .sort()
          .at(-1) || null,
    },
    folders: countFolders(rows),
  };
}

function lastUpdated(rows: readonly DocumentRow[]): string | null {
  if (rows.length === 0) return null;
  const newest = rows.reduce((time, row) => Math.max(time, row.mtime), 0);
  return `${new Date(newest).toISOString().slice(0, 19)}Z`;
}

function countFolders(rows: readonly DocumentRow[]): Record<string, number> {
  const counts = new Map<string, number>(STANDARD_FOLDERS.map((folder) => [folder, 0]));
  for (const { folder } of rows) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/**
 * The files of one project (`name` as findProject gives it) or of one folder of it; those in the archive only if it is that
 * folder. Throws INVALID_FOLDER.
 */
export async function describeProject(
  workspace: Workspace,
  name: string,
  folder?: string,
): Promise<ProjectListing> {
  const rows = await workspace.query((db) => {
    if (folder !== undefined) checkFolder(db, folder, name);
    return listDocuments(db, { project: name });
  });
  const isAsked = (each: string) => folder === undefined || each === folder;
  const folders = [...groupBy(rows, (row) => row.folder)].filter(([each]) => isAsked(each));
  const hidden = folder === ARCHIVE ? undefined : folders.find(([each]) => each === ARCHIVE);
  return {
    name,
    path: join(workspace.root, name),
    last_updated: lastUpdated(rows),
    folders: Object.fromEntries(
      folders.map((entry) => [entry[0], entry === hidden ? [] : entry[1].map(listedFile)]),
    ),
    ...(hidden !== undefined && { totals: { [ARCHIVE]: hidden[1].length } }),
  };
}

/** `updated` is `YYYY-MM-DD`. */
function listedFile(row: DocumentRow) {
  const { filename, task, status } = row;
  return { filename, ...(task !== null && { status }), updated: updatedDate(row) };
}

/** Every project by name, empty ones included, and all documents, or those of one project or folder. */
export function listWorkspace(workspace: Workspace, filter: DocumentFilter = {}) {
  return workspace.query((db) => ({
    projects: listProjectNames(db),
    documents: listDocuments(db, filter).map((row) => ({ ...row, updated: updatedDate(row) })),
  }));
}

export type Recency = Pick<ListedDocument, "updated" | "mtime" | "path">;

/** Newest first: by date, then by the file's mtime, then by path, so that the order is always the same. */
export function compareRecent(a: Recency, b: Recency): number {
  return compareText(b.updated, a.updated) || b.mtime - a.mtime || compareText(a.path, b.path);
}
