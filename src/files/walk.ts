import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { isUnspeakable } from "../lib/escape.ts";
import { errorCode, isMissing, reasonOf } from "./errors.ts";
import { isInside } from "./gate.ts";
import { closePlace, openPlace } from "./place.ts";
import { isTemporary } from "./temporary.ts";

/** What the disk says of one Markdown file without reading it. Times are milliseconds since 1970. */
export interface ScannedFile {
  /** Workspace-relative, with `/`. */
  path: string;
  /** Absolute. */
  file: string;
  size: number;
  modified: number;
  /** Change time of the inode: also moves when a modification time is set by hand. 0 where a disk has none. */
  changed: number;
}

export interface Scan {
  /** Names of all projects, sorted: also empty ones, and those that cannot be reached now. */
  projects: string[];
  files: ScannedFile[];
  /** Workspace-relative folders that could not be read (`""` is the root): nothing below them may count as deleted. */
  failed: string[];
  /** What is left out and why, one entry a place. */
  skipped: { path: string; reason: string }[];
  /** Absolute temporary files met on the way. */
  temporaries: string[];
  /** Links, and documents with several names on the disk: what changes them may leave no trace in their folder. */
  loose: string[];
  /** What the scan speaks of, where that is not the whole workspace. */
  scope?: Scope;
}

export interface Scope {
  /** Paths that were looked at: a document that is not among the files is gone. */
  files: string[];
  /** Folders that were walked with all that is below them. */
  below: string[];
  /** Whether the list of projects was read. */
  projects: boolean;
}

/** A document larger than this is left out: it would not fit a page of context, and the index has to fit memory. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** Folders on the way to a document, its project's included. */
export const MAX_DEPTH = 64;
const MARKDOWN = /\.md$/i;

/** A name in a folder, and what it stands for. */
export type Entry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** Told of each folder before it is read. */
export type Meet = (folder: Folder) => void;

export interface Folder {
  path: string;
  file: string;
  /** Real folders from the root down to this one: a link back to one of them is a loop. */
  trail: string[];
  /** Real folders that links of this project led to: each is walked once, however many links cross. */
  linked: Set<string>;
}

/** Walks the workspace and stats its Markdown files, synchronously: four times as fast as the asynchronous calls. */
export function scanWorkspace(root: string, only?: string, meet?: Meet): Scan {
  const scan = emptyScan();
  if (only !== undefined) scan.scope = { files: [], below: [only], projects: true };
  const realRoot = realFolder(root);
  if (realRoot === undefined) {
    scan.failed.push("");
    return scan;
  }
  const top: Folder = { path: "", file: realRoot, trail: [realRoot], linked: new Set() };
  for (const entry of readFolder(scan, top)) {
    if (isTemporary(entry.name)) scan.temporaries.push(join(realRoot, entry.name));
    if (entry.isSymbolicLink()) scan.loose.push(entry.name);
    const folder = enter(scan, realRoot, top, entry);
    if (folder === undefined && !scan.failed.includes(entry.name)) continue;
    scan.projects.push(entry.name);
    const wanted = only === undefined || only === entry.name;
    if (folder !== undefined && wanted) walkFolder(scan, realRoot, folder, meet);
  }
  scan.projects.sort();
  return scan;
}

export function emptyScan(): Scan {
  return { projects: [], files: [], failed: [], skipped: [], temporaries: [], loose: [] };
}

export function walkFolder(scan: Scan, root: string, start: Folder, meet?: Meet): void {
  const pending = [start];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    meet?.(folder);
    const inside: Folder[] = [];
    for (const entry of readFolder(scan, folder)) {
      if (entry.name.startsWith(".")) {
        if (isTemporary(entry.name)) scan.temporaries.push(join(folder.file, entry.name));
        continue;
      }
      const inner = visit(scan, root, folder, entry);
      if (inner !== undefined) inside.push(inner);
    }
    for (const inner of inside.reverse()) pending.push(inner);
  }
}

/** Takes in a document; the folder that it is instead, if it may be walked. */
export function visit(scan: Scan, root: string, folder: Folder, entry: Entry): Folder | undefined {
  if (isLeftOut(scan, folder, entry)) return undefined;
  const isDocument = MARKDOWN.test(entry.name);
  const isLink = entry.isSymbolicLink();
  if (isLink) scan.loose.push(`${folder.path}/${entry.name}`);
  if (isDocument && (entry.isFile() || (isLink && isLinkedFile(root, folder, entry)))) {
    addFile(scan, folder, entry.name);
    return undefined;
  }
  return enter(scan, root, folder, entry);
}

/** Whether a name is unspeakable. An `Icon\r` that macOS leaves behind would be left out anyway, and is not worth a word. */
function isLeftOut(scan: Scan, { path }: Folder, entry: Entry): boolean {
  if (!isUnspeakable(entry.name)) return false;
  if (!entry.name.startsWith(".") && (!entry.isFile() || MARKDOWN.test(entry.name))) {
    const reason = "its name has a control character or a line break";
    scan.skipped.push({ path: path === "" ? entry.name : `${path}/${entry.name}`, reason });
  }
  return true;
}

/** The folder that `entry` leads to, if it is one that may be walked. */
function enter(scan: Scan, root: string, parent: Folder, entry: Entry): Folder | undefined {
  if (entry.name.startsWith(".") || !(entry.isDirectory() || entry.isSymbolicLink())) return undefined;
  if (isLeftOut(scan, parent, entry)) return undefined;
  const path = parent.path === "" ? entry.name : `${parent.path}/${entry.name}`;
  if (parent.trail.length > MAX_DEPTH) {
    scan.skipped.push({ path, reason: "nested too deeply" });
    return undefined;
  }
  const file = join(parent.file, entry.name);
  const linked = parent.path === "" ? new Set<string>() : parent.linked;
  if (entry.isDirectory()) return { path, file, trail: [...parent.trail, file], linked };
  return follow(scan, root, { path, file, trail: parent.trail, linked });
}

function follow(scan: Scan, root: string, link: Folder): Folder | undefined {
  const target = resolveLink(scan, link);
  if (target === undefined) return undefined;
  const { real, isFolder } = target;
  if (!isInside(root, real)) {
    scan.skipped.push({ path: link.path, reason: "a link out of the workspace or to a hidden place" });
    return undefined;
  }
  if (!isFolder || link.linked.has(real) || link.trail.some((above) => isInside(real, above)))
    return undefined;
  link.linked.add(real);
  return { ...link, file: real, trail: [...link.trail, real] };
}

/** Where a link leads to that may matter: to a folder, or to a document by its name. */
function resolveLink(scan: Scan, link: Folder): { real: string; isFolder: boolean } | undefined {
  try {
    const real = realpathSync.native(link.file);
    const isFolder = statSync(real).isDirectory();
    return isFolder || MARKDOWN.test(link.path) ? { real, isFolder } : undefined;
  } catch (error) {
    // A link that leads nowhere is no place; one that cannot be followed now may lead to what is indexed.
    if (!isMissing(error) && errorCode(error) !== "ELOOP") scan.failed.push(link.path);
    return undefined;
  }
}

function isLinkedFile(root: string, folder: Folder, entry: Entry): boolean {
  try {
    const real = realpathSync.native(join(folder.file, entry.name));
    return isInside(root, real) && statSync(real).isFile();
  } catch {
    return false; // No document; `follow` tells a link that leads nowhere from one that cannot be followed now.
  }
}

function addFile(scan: Scan, folder: Folder, name: string): void {
  const path = `${folder.path}/${name}`;
  // Not `join`, which would take a tenth of the whole walk to normalize what is normal.
  const file = `${folder.file}${sep}${name}`;
  try {
    const stats = statSync(file);
    if (stats.size > MAX_DOCUMENT_BYTES) {
      scan.skipped.push({ path, reason: `larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB` });
      return;
    }
    if (stats.nlink > 1) scan.loose.push(path);
    scan.files.push({ path, file, size: stats.size, modified: stats.mtimeMs, changed: stats.ctimeMs });
  } catch (error) {
    if (!isMissing(error)) scan.failed.push(path);
  }
}

export function readFolder(scan: Scan, folder: Folder): Dirent[] {
  try {
    return withoutBrokenNames(scan, folder, readEntries(folder));
  } catch (error) {
    scan.failed.push(folder.path);
    if (folder.path !== "" || !isMissing(error)) {
      scan.skipped.push({ path: folder.path, reason: `not readable: ${reasonOf(error)}` });
    }
    return [];
  }
}

/** Throws what the system says, also for a folder that is gone or has given way to a link. */
function readEntries({ file }: Folder): Dirent[] {
  const opened = openPlace(file, "folder");
  if (opened === undefined || opened === "moved")
    throw Object.assign(new Error("not the folder that was met"), { code: "ENOENT" });
  try {
    return readdirSync(opened.at, { withFileTypes: true });
  } finally {
    closePlace(opened);
  }
}

/** Bytes that are no UTF-8 arrive as U+FFFD: such a name opens nothing, or the file that is really called so. */
function withoutBrokenNames(scan: Scan, folder: Folder, entries: Dirent[]): Dirent[] {
  if (!entries.some(({ name }) => name.includes("\uFFFD"))) return entries;
  const taken = new Set<string>();
  return entries.filter(({ name }) => {
    if (!name.includes("\uFFFD")) return true;
    const exists = lstatSync(join(folder.file, name), { throwIfNoEntry: false }) !== undefined;
    if (exists && !taken.has(name)) {
      taken.add(name);
      return true;
    }
    const path = folder.path === "" ? name : `${folder.path}/${name}`;
    scan.skipped.push({ path, reason: "its name is not valid UTF-8" });
    return false;
  });
}

function realFolder(file: string): string | undefined {
  try {
    const real = realpathSync.native(file);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // Missing, or a link that leads nowhere: there is no folder to walk.
  }
}
