import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ROOT_PROJECT } from "../notes/names.ts";
import { isMissing } from "../storage/fs-errors.ts";
import {
  type DirectoryEntry,
  emptyScan,
  type Folder,
  isBelow,
  listProjects,
  readFolder,
  type Scan,
  type Scope,
  scanWorkspace,
  visitEntries,
  walkFolder,
} from "../storage/walk.ts";
import { type Dirty, mark } from "./inotify.ts";
import { forget, identify, keepUnreported, onDirectory, type WatchTree, watchRoot } from "./watch-tree.ts";

type PartialScan = Scan & { scope: Scope };

/**
 * Scans what changed since the last scan, or everything if `whole`, and watches the folders it finds. Undefined when events may
 * have been lost: then the tree is useless.
 */
export async function scanChanges(tree: WatchTree, root: string, whole = false): Promise<Scan | undefined> {
  const dirty = await tree.inotify.pendingEvents();
  const place = identify(root);
  if (dirty === undefined || place?.identity !== tree.identity || place.root !== tree.root) return undefined;
  const walked = new Set(tree.walked);
  for (const path of [...walked, ...tree.links]) mark(dirty, path);
  tree.links.clear();
  const scan = { ...emptyScan(), scope: { files: new Set<string>(), folders: new Set<string>() } };
  let isEnough = !whole;
  // Parents first: their scan shows which of the folders below still exist.
  for (const [path, changes] of [...dirty].sort(([a], [b]) => a.length - b.length)) {
    if (isBelow(scan.scope, path)) continue;
    const folder = tree.folders.get(path);
    if (folder !== undefined) rescan(tree, scan, folder, changes);
    else isEnough = false;
  }
  keepUnreported(tree, scan);
  isEnough &&= [...tree.walked].every((project) => walked.has(project));
  return isEnough ? scan : scanWorkspace(tree.root);
}

/** Scans the changed entries of a folder, and walks the folders among them. */
function rescan(tree: WatchTree, scan: PartialScan, folder: Folder, dirty: Dirty): void {
  const { names } = dirty;
  const isRoot = folder.path === "";
  if (isRoot) {
    watchRoot(tree);
    scan.scope.folders.add(ROOT_PROJECT);
  }
  const folders = isRoot
    ? listProjects(scan, tree.root).filter(({ path }) => names.has(path))
    : visitEntries(scan, folder, findEntries(scan, folder, dirty));
  for (const name of names) {
    const path = isRoot ? name : `${folder.path}/${name}`;
    scan.scope.files.add(path);
    if (!tree.folders.has(path) && !tree.walked.has(path)) continue;
    scan.scope.folders.add(path);
    forget(tree, path);
    if (isRoot && !scan.projects.includes(path)) tree.walked.delete(path);
  }
  for (const inner of folders) {
    scan.scope.folders.add(inner.path);
    walkFolder(scan, inner, (each) => onDirectory(tree, each));
  }
}

/** The changed entries of a folder: looked up by name if none came or went, since listing thousands is slow. */
function findEntries(scan: Scan, folder: Folder, { names, isRenamed }: Dirty): DirectoryEntry[] {
  if (isRenamed) return readFolder(scan, folder).filter(({ name }) => names.has(name));
  return [...names].flatMap((name) => {
    try {
      return Object.assign(lstatSync(join(folder.file, name)), { name });
    } catch (error) {
      if (!isMissing(error)) scan.failed.push(`${folder.path}/${name}`);
      return [];
    }
  });
}
