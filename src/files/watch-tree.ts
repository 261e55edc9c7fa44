import { realpathSync, statSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { errorCode, reasonOf } from "./errors.ts";
import { unwatchable, watchLimits } from "./fs-type.ts";
import { type Inotify, openInotify } from "./inotify.ts";
import { type Folder, type Scan, scanWorkspace } from "./walk.ts";

/** The watches over a workspace; projects where they do not tell everything are walked each time instead. */
export interface WatchTree {
  /** Link-free. */
  readonly root: string;
  readonly inotify: Inotify;
  /** The folders that are watched, by path. */
  readonly folders: Map<string, Folder>;
  /** Projects that are walked each time. */
  readonly walked: Set<string>;
  /** Links and the like, which are looked at each time. */
  readonly loose: Set<string>;
  /** Device and inode of the root. */
  readonly identity: string;
  /** How many watches may be set. */
  readonly most: number;
}

/** How much is taken of the system's watches, which others need as well, and of its queue, which fills while nobody reads. */
const SHARE = 1 / 4;

/** Throws the reason, in words, where changes are not told. */
export function openWatchTree(root: string, onChange: () => void): WatchTree {
  const place = identify(root);
  const reason = place === undefined ? "there is no such folder" : unwatchable(root);
  if (place === undefined || reason !== undefined) throw new Error(reason);
  const { watches, queue } = watchLimits();
  const inotify = inWords(() => openInotify(queue * SHARE, onChange));
  const nothing = { folders: new Map(), walked: new Set<string>(), loose: new Set<string>() };
  return { ...place, inotify, ...nothing, most: watches * SHARE };
}

function inWords<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(isLimit(error) ? "the system's limit of watches is reached" : reasonOf(error));
  }
}

function isLimit(error: unknown): boolean {
  return ["ENOSPC", "EMFILE", "ENFILE"].includes(errorCode(error));
}

/** The folder that a root leads to now. */
export function identify(root: string): { root: string; identity: string } | undefined {
  try {
    const real = realpathSync.native(root);
    const { dev, ino } = statSync(real);
    return { root: real, identity: `${dev}:${ino}` };
  } catch {
    return undefined; // Not there, or not to be reached now.
  }
}

/**
 * Goes through all projects in small slices, sets the watches that are missing, and shows what it met, and whether it
 * is watched only now. Answers false when it did not come to its end.
 */
export async function refresh(
  watched: WatchTree,
  isWanted: () => boolean,
  show: (scan: Scan, isNew: boolean) => void,
): Promise<boolean> {
  const { root, inotify, walked } = watched;
  if (!inotify.has("")) inWords(() => inotify.add("", root));
  const { projects, failed } = scanWorkspace(root, "");
  if (failed.includes("")) return false;
  for (const project of projects) {
    await turn();
    if (!isWanted()) return false;
    const isNew = walked.has(project) || !inotify.has(project);
    show(isNew ? walkProject(watched, project) : scanWorkspace(root, project), isNew);
  }
  return true;
}

/** Walks a project and watches its folders. */
export function walkProject(watched: WatchTree, project: string): Scan {
  watched.walked.delete(project);
  const scan = scanWorkspace(watched.root, project, meeter(watched));
  settle(watched, scan, [project]);
  return scan;
}

/** Each folder is watched before it is read: what happens in between is told. */
export function meeter(watched: WatchTree): (folder: Folder) => void {
  const { inotify, folders, walked, most } = watched;
  return (folder) => {
    const { path, file } = folder;
    if (walked.has(projectOf(path))) return;
    if (inotify.size >= most) throw new Error("a quarter of the system's watches is used");
    if (unwatchable(file) === undefined && isAdded(inotify, folder)) folders.set(path, folder);
    else walkEachTime(watched, projectOf(path));
  };
}

function isAdded(inotify: Inotify, { path, file }: Folder): boolean {
  try {
    inotify.add(path, file);
    return true;
  } catch (error) {
    if (isLimit(error)) throw new Error("the system's limit of watches is reached");
    return false; // Gone again, or closed to us.
  }
}

/** Keeps what a scan tells: links to folders give a document several paths, and what failed has to be tried again. */
export function settle(watched: WatchTree, scan: Scan, projects: Iterable<string>): void {
  for (const path of scan.failed) walkEachTime(watched, projectOf(path));
  for (const project of projects) {
    const links = watched.folders.get(project)?.linked.size ?? 0;
    if (links > 0) walkEachTime(watched, project);
  }
  for (const path of scan.loose) if (!watched.walked.has(projectOf(path))) watched.loose.add(path);
}

function walkEachTime(watched: WatchTree, project: string): void {
  forget(watched, project);
  watched.walked.add(project);
  for (const path of watched.loose) if (projectOf(path) === project) watched.loose.delete(path);
}

/** Drops the watches of a folder and of all below it. */
export function forget({ inotify, folders }: WatchTree, path: string): void {
  inotify.drop(path);
  for (const folder of folders.keys()) {
    if (folder === path || folder.startsWith(`${path}/`)) folders.delete(folder);
  }
}

export function projectOf(path: string): string {
  return path.split("/", 1)[0] ?? "";
}
