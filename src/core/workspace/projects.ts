import { join } from "node:path";
import { type DocumentFilter, type DocumentRow, listDocuments, listProjectNames } from "../index/catalog.ts";
import { cached } from "../index/query-cache.ts";
import { groupBy } from "../lib/collections.ts";
import { compareText } from "../lib/text.ts";
import { locateDocument, updatedDate } from "../notes/document.ts";
import { ARCHIVE, STANDARD_FOLDERS } from "../notes/names.ts";
import { ASSETS } from "../notes/pictures.ts";
import { countOpen, countTasks, type TaskStats, taskStats } from "../notes/plan/plan.ts";
import { REPOSITORY_FOLDER, repositoryFile } from "../notes/repository-path.ts";
import { sessionDate } from "../notes/session/file.ts";
import { withoutCopies } from "../notes/task/copies.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { filesBelow } from "../storage/list.ts";
import { gateOf } from "../storage/path-gate.ts";
import type { ScannedFile } from "../storage/walk.ts";
import { asksReview } from "./change/review.ts";
import { foldersAlike } from "./find/entries.ts";
import { folderName, indexedFolder } from "./find/folder.ts";
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
  stats: TaskStats & {
    total_docs: number;
    open_tasks: number;
    /** `YYYY-MM-DD` of the newest session note. */
    last_session_date: string | null;
  };
  /** Documents per folder, and all files in `assets`; `""` for root files. */
  folders: Record<string, number>;
  /** Present if a person must look before a task is done. */
  needs_review?: true;
}

/** One project's files by folder, in the shape of `vibe://projects/{name}`. */
export interface ProjectListing extends Pick<ProjectSummary, "name" | "path" | "last_updated"> {
  folders: Record<string, ListedFile[]>;
  /** The number of files in the archive if it is not listed. */
  totals?: Record<string, number>;
}

/** A page of the projects by name, empty ones included, and how many there are. */
export async function listProjects(
  workspace: Workspace,
  { offset = 0, limit = Number.POSITIVE_INFINITY } = {},
): Promise<{ total: number; projects: ProjectSummary[] }> {
  const all = await workspace.index.query((db) => summarizeAll(db, workspace.root));
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

/** A summary with what its documents do not say: every file in `assets`, and whether status.md asks for reviews. */
function withAssets(root: string, summary: ProjectSummary): ProjectSummary {
  const assets = countAssets(root, summary.name);
  const review = asksReview(root, summary.name) ? ({ needs_review: true } as const) : {};
  return { ...summary, folders: { ...summary.folders, assets }, ...review };
}

/** The documents in each folder, and all files in `assets`. */
export function filesByFolder(
  root: string,
  project: string,
  rows: readonly DocumentRow[],
): Record<string, number> {
  return { ...countFolders(rows), [ASSETS]: countAssets(root, project) };
}

function countAssets(root: string, project: string): number {
  return assetFolders(root, project).flatMap((folder) => filesBelow(root, folder)).length;
}

/** The numbers of one project, from its documents. */
export function summarize(root: string, name: string, rows: readonly DocumentRow[]): ProjectSummary {
  const tasks = withoutCopies(rows).filter((row) => row.task !== null && row.folder !== ARCHIVE);
  const counts = countTasks(tasks);
  const sessions = rows.filter((row) => row.folder === "sessions");
  return {
    name,
    path: join(root, name),
    last_updated: lastUpdated(rows),
    stats: {
      total_docs: rows.length,
      open_tasks: countOpen(counts),
      ...taskStats((bucket) => counts[bucket]),
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
  given?: string,
): Promise<ProjectListing> {
  const isTheirs = given !== undefined && repositoryFile(given) !== undefined;
  const { rows, folder } = await workspace.index.query((db) => ({
    folder: given && (isTheirs ? folderName(given) : indexedFolder(db, given, name)),
    rows: listDocuments(db, { project: name }),
  }));
  const archived = rows.filter((row) => row.folder === ARCHIVE).length;
  const isHidden = folder !== ARCHIVE && archived > 0;
  const listed = [...groupBy(rows, (row) => row.folder)].map(([each, files]): [string, ListedFile[]] => {
    return [each, isHidden && each === ARCHIVE ? [] : files.map(listedFile)];
  });
  const assets = listAssets(workspace.root, name);
  const others = listed.filter(([each]) => each !== ASSETS);
  const theirs = await listRepository(workspace, name);
  const own: typeof listed = assets.length === 0 ? others : [...others, [ASSETS, assets]];
  const all = [...own, ...theirs];
  const asked = folder === undefined ? all : all.flatMap((one) => partIn(folder, one));
  return {
    name,
    path: join(workspace.root, name),
    last_updated: lastUpdated(rows),
    folders: Object.fromEntries(asked.sort(([a], [b]) => compareText(a, b))),
    ...(isHidden && folder === undefined && { totals: { [ARCHIVE]: archived } }),
  };
}

/** What of a folder is in this one, which may be inside of it. */
function partIn(folder: string, [name, files]: [string, ListedFile[]]): [string, ListedFile[]][] {
  if (name === folder) return [[name, files]];
  const inside = files.filter(({ filename }) => `${name}/${filename}`.startsWith(`${folder}/`));
  return inside.length === 0 ? [] : [[name, inside]];
}

/** The documents of its repository, in a folder of their own. */
async function listRepository(workspace: Workspace, project: string): Promise<[string, ListedFile[]][]> {
  const { files = [] } = (await workspace.documentsOf(project)?.scan()) ?? {};
  return files.length === 0 ? [] : [[REPOSITORY_FOLDER, files.map(scannedFile)]];
}

function scannedFile({ path, mtime }: ScannedFile): ListedFile {
  return { filename: locateDocument(path)?.filename ?? "", updated: updatedDate({ updated: null, mtime }) };
}

interface ListedFile {
  filename: string;
  /** Only tasks have one. */
  status?: string | null;
  /** `YYYY-MM-DD` */
  updated: string;
}

function listedFile(row: DocumentRow): ListedFile {
  const { filename, task, status } = row;
  return { filename, ...(task !== null && { status }), updated: updatedDate(row) };
}

/** Files of every kind, by their paths in the folder. */
function listAssets(root: string, project: string): ListedFile[] {
  const gate = gateOf(root);
  const files = assetFolders(root, project).flatMap((folder) =>
    filesBelow(root, folder).map((path) => ({ path, filename: path.slice(folder.length + 1) })),
  );
  const listed = files.flatMap(({ path, filename }) => {
    const mtime = gate.resolve(path)?.stats.mtimeMs;
    if (mtime === undefined) return []; // Gone since.
    return [{ filename, updated: updatedDate({ updated: null, mtime }) }];
  });
  return listed.sort((a, b) => compareText(a.filename, b.filename));
}

function assetFolders(root: string, project: string): string[] {
  return foldersAlike(root, project, ASSETS);
}

/** Every project by name, empty ones included, and all documents, or those of one project or folder. */
export function listWorkspace(workspace: Workspace, filter: DocumentFilter = {}) {
  return workspace.index.query((db) => ({
    projects: listProjectNames(db),
    documents: listDocuments(db, filter).map((row) => ({ ...row, updated: updatedDate(row) })),
  }));
}

export type Recency = Pick<ListedDocument, "updated" | "mtime" | "path">;

/** Newest first: by date, then by the file's mtime, then by path, so that the order is always the same. */
export function compareRecent(a: Recency, b: Recency): number {
  return compareText(b.updated, a.updated) || b.mtime - a.mtime || compareText(a.path, b.path);
}
