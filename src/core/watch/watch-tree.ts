import { type FSWatcher, realpathSync, statSync } from "node:fs";
import { pauses } from "../lib/pauses.ts";
import { projectOf } from "../notes/names.ts";
import { attempt, errorCode, reasonOf } from "../storage/fs-errors.ts";
import { type Folder, rootFolder, type Scan, scanWorkspace } from "../storage/walk.ts";
import { type Inotify, openInotify, unwatchable, watchLimits } from "./inotify.ts";

/** The watched folders of a workspace. Projects whose changes the system does not all report are walked instead. */
export interface WatchTree {
  /** Link-free. */
  readonly root: string;
  /** Device and inode of the root. */
  readonly identity: string;
  readonly inotify: Inotify;
  /** By path; `""` is the root. */
  readonly folders: Map<string, Folder & { watcher: FSWatcher }>;
  /** Projects that are walked each time. */
  readonly walked: Set<string>;
  /** Paths of links and of documents with several names, which are checked each time. */
  readonly links: Set<string>;
  /** How many folders may be watched. */
  readonly most: number;
}

/** Our share of the system's watches, which other programs need too, and of its queue, which fills while we are busy. */
const SHARE = 1 / 4;
const LIMIT = "the system's limit of watches is reached";

/** Throws the reason in words if the system does not report changes there. */
export function openWatchTree(root: string, onChange: () => void): WatchTree {
  const place = identify(root);
  const reason = place === undefined ? "there is no such folder" : unwatchable(root);
  if (place === undefined || reason !== undefined) throw new Error(reason);
  const { watches, queue } = watchLimits();
  const inotify = inWords(() => openInotify(queue * SHARE, onChange));
  const nothing = { folders: new Map(), walked: new Set<string>(), links: new Set<string>() };
  return { ...place, inotify, ...nothing, most: watches * SHARE };
}

function inWords<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(isLimit(error) ? LIMIT : reasonOf(error));
  }
}

function isLimit(error: unknown): boolean {
  return ["ENOSPC", "EMFILE", "ENFILE"].includes(errorCode(error));
}

/** The folder that a root leads to now. */
export function identify(root: string): { root: string; identity: string } | undefined {
  return attempt(() => {
    const real = realpathSync.native(root);
    const { dev, ino } = statSync(real);
    return { root: real, identity: `${dev}:${ino}` };
  });
}

export function closeTree(tree: WatchTree): void {
  forget(tree, "");
  tree.inotify.close();
}

/**
 * Walks the projects while other work runs, watches their new folders and passes each scan to `show`; false if stopped by
 * `isWanted`.
 */
export async function refresh(
  tree: WatchTree,
  isWanted: () => boolean,
  show: (scan: Scan) => void,
): Promise<boolean> {
  const { root, folders } = tree;
  if (!folders.has("")) watchRoot(tree);
  const top = scanWorkspace(root, "");
  keepUnreported(tree, top);
  const pause = pauses();
  for (const project of top.projects) {
    await pause();
    if (!isWanted()) return false;
    show(folders.has(project) ? scanWorkspace(root, project) : watchProject(tree, project));
  }
  return true;
}

/** Watches the root again, even if it is watched: it may be another folder by now. */
export function watchRoot(tree: WatchTree): void {
  inWords(() => watchFolder(tree, rootFolder(tree.root)));
}

/** Walks a project and watches its folders. */
function watchProject(tree: WatchTree, project: string): Scan {
  tree.walked.delete(project);
  const scan = scanWorkspace(tree.root, project, (folder) => onDirectory(tree, folder));
  keepUnreported(tree, scan);
  return scan;
}

/**
 * Watches a folder before it is read, so that no change is lost. Projects with links, which give a document several paths, are
 * walked.
 */
export function onDirectory(tree: WatchTree, folder: Folder): void {
  const project = projectOf(folder.path);
  if (tree.walked.has(project)) return;
  if (tree.folders.size >= tree.most) throw new Error("a quarter of the system's watches is used");
  try {
    if (folder.linked.size > 0 || unwatchable(folder.file) !== undefined) walkAlways(tree, project);
    else watchFolder(tree, folder);
  } catch (error) {
    if (isLimit(error)) throw new Error(LIMIT);
    walkAlways(tree, project); // Removed, or not readable.
  }
}

function watchFolder({ folders, inotify }: WatchTree, folder: Folder): void {
  const watcher = inotify.watch(folder.path, folder.file);
  folders.get(folder.path)?.watcher.close();
  folders.set(folder.path, { ...folder, watcher });
}

/** Keeps what no event will report: failed folders, which are tried again, and links. Throws if the root failed. */
export function keepUnreported(tree: WatchTree, { failed, links }: Scan): void {
  if (failed.includes("")) throw new Error("the workspace cannot be read");
  for (const path of failed) walkAlways(tree, projectOf(path));
  for (const path of links) tree.links.add(path);
}

function walkAlways(tree: WatchTree, project: string): void {
  forget(tree, project);
  tree.walked.add(project);
}

/** Stops watching a folder and all below it; `""` is the root. */
export function forget({ folders }: WatchTree, path: string): void {
  for (const [folder, { watcher }] of folders) {
    if (path !== "" && folder !== path && !folder.startsWith(`${path}/`)) continue;
    watcher.close();
    folders.delete(folder);
  }
}
