import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "./errors.ts";
import type { Notice } from "./inotify.ts";
import {
  type Entry,
  emptyScan,
  type Folder,
  readFolder,
  type Scan,
  type Scope,
  scanWorkspace,
  visit,
  walkFolder,
} from "./walk.ts";
import { forget, identify, meeter, projectOf, settle, type WatchTree, walkProject } from "./watch-tree.ts";

interface Look {
  watched: WatchTree;
  scan: Scan & { scope: Scope };
  meet: (folder: Folder) => void;
}

/** A name that is not told as it is on disk. */
const BROKEN = "\uFFFD";
/** Walking so many projects one by one is no better than walking all. */
const MOST_WALKED = 20;

/**
 * Looks at what changed since the last look, as the system told, and at the documents of `again`; at everything where
 * `whole`. Undefined when something may have been missed: the watches are worth nothing any more.
 */
export async function scanChanges(
  watched: WatchTree,
  root: string,
  { again, whole }: { again: Iterable<string>; whole: boolean },
): Promise<Scan | undefined> {
  const { inotify, identity, loose, walked } = watched;
  if (!(await inotify.drain())) return undefined;
  const place = identify(root);
  if (place?.identity !== identity || place.root !== watched.root) return undefined;
  const told = inotify.take();
  for (const path of [...again, ...loose]) add(told, path);
  loose.clear();
  const scope: Scope = { files: [], below: [], projects: false };
  const found = { watched, scan: { ...emptyScan(), scope }, meet: meeter(watched) };
  // What lies above comes first: it tells which of the folders below are still there.
  const ordered = [...told].sort(([a], [b]) => a.length - b.length);
  for (const [path, notice] of ordered) path === "" ? lookAtRoot(found, notice) : lookIn(found, path, notice);
  settle(watched, found.scan, new Set(scope.below.map(projectOf)));
  if (whole || walked.size > MOST_WALKED) return scanWorkspace(watched.root);
  for (const project of walked) walkAgain(found, project);
  return found.scan.failed.includes("") ? undefined : withoutRepeats(found.scan);
}

function add(told: Map<string, Notice>, path: string): void {
  const end = path.lastIndexOf("/");
  const folder = path.slice(0, Math.max(0, end));
  const notice = told.get(folder) ?? { names: new Set(), isListing: false };
  notice.names.add(path.slice(end + 1));
  told.set(folder, notice);
}

function lookAtRoot(found: Look, { names }: Notice): void {
  const { watched, scan } = found;
  const { projects, failed } = scanWorkspace(watched.root, "");
  Object.assign(scan, { projects });
  scan.scope.projects = true;
  scan.failed.push(...failed.filter((path) => path === ""));
  const before = [...watched.folders.keys(), ...watched.walked].filter((path) => !path.includes("/"));
  const all = names.has(BROKEN) ? new Set([...projects, ...before]) : names;
  for (const name of all) {
    if (!before.includes(name) && !projects.includes(name)) continue;
    scan.scope.below.push(name);
    forget(watched, name);
    watched.walked.delete(name);
    if (projects.includes(name)) take(scan, walkProject(watched, name));
  }
}

function take(scan: Scan, part: Scan): void {
  for (const key of ["files", "failed", "skipped", "temporaries"] as const)
    for (const one of part[key]) (scan[key] as unknown[]).push(one);
}

function lookIn(found: Look, path: string, { names, isListing }: Notice): void {
  const { watched, scan } = found;
  if (watched.walked.has(projectOf(path))) return;
  const folder = watched.folders.get(path);
  if (folder === undefined) {
    // It is gone, or walked as a part of what lies above it.
    for (const name of names) scan.scope.files.push(`${path}/${name}`);
  } else if (names.has(BROKEN)) {
    walkBelow(found, folder);
  } else {
    const listed = isListing
      ? new Map(readFolder(scan, folder).map((entry) => [entry.name, entry]))
      : undefined;
    for (const name of names) {
      const entry = listed === undefined ? entryOf(scan, folder, name) : listed.get(name);
      lookAt(found, folder, { name, entry });
    }
  }
}

function lookAt(found: Look, folder: Folder, { name, entry }: { name: string; entry: Entry | undefined }) {
  const { watched, scan } = found;
  const path = `${folder.path}/${name}`;
  scan.scope.files.push(path);
  if (watched.folders.has(path)) {
    // Another folder may have come in its place.
    scan.scope.below.push(path);
    forget(watched, path);
  }
  const inner = entry === undefined ? undefined : visit(scan, watched.root, folder, entry);
  if (inner !== undefined) walkBelow(found, inner);
}

function walkBelow({ watched, scan, meet }: Look, folder: Folder): void {
  scan.scope.below.push(folder.path);
  forget(watched, folder.path);
  walkFolder(scan, watched.root, folder, meet);
}

/** Asked for by its name, which is one of the folder's own: nothing came or went. */
function entryOf(scan: Scan, folder: Folder, name: string): Entry | undefined {
  const file = join(folder.file, name);
  try {
    const stats = lstatSync(file);
    return {
      name,
      isFile: () => stats.isFile(),
      isDirectory: () => stats.isDirectory(),
      isSymbolicLink: () => stats.isSymbolicLink(),
    };
  } catch (error) {
    if (!isMissing(error)) scan.failed.push(`${folder.path}/${name}`);
    return undefined;
  }
}

function walkAgain({ watched, scan }: Look, project: string): void {
  const part = scanWorkspace(watched.root, project);
  // What was found of it before is out of date: a folder that went meanwhile counted as one that cannot be read.
  const files = scan.files.filter(({ path }) => projectOf(path) !== project);
  const failed = scan.failed.filter((path) => projectOf(path) !== project);
  Object.assign(scan, { files, failed, projects: part.projects });
  take(scan, part);
  scan.scope.below.push(project);
  scan.scope.projects = true;
  if (!part.projects.includes(project)) watched.walked.delete(project);
}

/** What was looked at by its name lies perhaps in a folder that was walked as well. */
function withoutRepeats<T extends Scan>(scan: T): T {
  if (scan.scope?.below.length === 0) return scan;
  return { ...scan, files: [...new Map(scan.files.map((file) => [file.path, file])).values()] };
}
