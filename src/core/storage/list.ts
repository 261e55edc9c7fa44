import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { hasControlCharacter } from "../lib/escape.ts";
import { isMarkdown, nameInCloud } from "../lib/file-names.ts";
import { ROOT_PROJECT } from "../notes/names.ts";
import { aliasTarget } from "./aliases.ts";
import { attempt, fileError, isMissing, systemError } from "./fs-errors.ts";
import { type Gate, gateOf, isReadablePart } from "./path-gate.ts";

export interface Listing {
  /** Visible folders, sorted; links that stay inside the root are followed. */
  folders: string[];
  /** Markdown files, sorted. */
  files: string[];
}

/** The entries of a folder of the workspace (`""` is the root, `.` its notes alone); none if it is missing. */
export function listFolder(root: string, path: string): Listing {
  if (path === ROOT_PROJECT) return { folders: [], files: listFolder(root, "").files };
  const listing: Listing = { folders: [], files: [] };
  const gate = gateOf(root);
  for (const entry of readEntries(gate, path) ?? []) {
    if (entry.name.startsWith(".")) continue;
    const inner = path === "" ? entry.name : `${path}/${entry.name}`;
    const kind = entry.isSymbolicLink() ? linkedKind(gate, inner) : entry;
    if (kind?.isDirectory()) listing.folders.push(entry.name);
    else if (kind?.isFile() && isMarkdown(entry.name)) listing.files.push(entry.name);
  }
  listing.folders.sort();
  listing.files.sort();
  return listing;
}

/** Undefined for a link out of the workspace, and for another name of what is listed anyway. */
function linkedKind(gate: Gate, path: string) {
  const isAlias = path.includes("/") && aliasTarget(gate, path) !== undefined;
  return isAlias ? undefined : attempt(() => gate.resolve(path)?.stats);
}

/** The projects of a workspace, sorted; that of notes in the root itself if there are any. */
export function projectNames(root: string): string[] {
  const { folders, files } = listFolder(root, "");
  return files.length === 0 ? folders : [ROOT_PROJECT, ...folders];
}

/** Without unspeakable names; undefined if there is no such folder. */
function readEntries(gate: Gate, path: string): Dirent[] | undefined {
  const folder = gate.findFolder(path);
  if (folder === undefined) return undefined;
  try {
    return readdirSync(folder.file, { withFileTypes: true }).filter(({ name }) => !hasControlCharacter(name));
  } catch (error) {
    throw fileError("list", path || "the workspace", error);
  }
}

export interface PlainEntry {
  name: string;
  kind: "dir" | "file";
}

/** Folders, then files, each sorted, hidden ones included, without links. Undefined if there is no such folder. */
export function listPlain(gate: Gate, path: string): PlainEntry[] | undefined {
  const entries = readEntries(gate, path)?.sort(byName);
  if (entries === undefined) return undefined;
  const of = (kind: PlainEntry["kind"], isKind: (entry: Dirent) => boolean) =>
    entries.filter(isKind).map(({ name }) => ({ name, kind }));
  return [...of("dir", (entry) => entry.isDirectory()), ...of("file", (entry) => entry.isFile())];
}

/** The names of the files or folders in a folder, as `listPlain` finds them. */
export function plainNames(gate: Gate): (path: string, kind: keyof Listing) => string[] {
  return (path, kind) =>
    (listPlain(gate, path) ?? []).flatMap((entry) =>
      entry.kind === (kind === "files" ? "file" : "dir") ? [entry.name] : [],
    );
}

const MAX_FILES = 10_000;

/** The paths of the files in a folder and below it, without hidden ones and links; `most` and those of one more folder at most. */
export function filesBelow(root: string, path: string, most = MAX_FILES): string[] {
  return entriesBelow(root, path, most).files;
}

/** A file with what tells whether it has changed. Times are milliseconds since 1970. */
export interface StampedFile {
  path: string;
  size: number;
  mtime: number;
  ctime: number;
}

/** The files in a folder and below it, without hidden ones and links, and what could not be read: folders, and files in a cloud. */
export function stampedFiles(root: string, path: string): { files: StampedFile[]; failed: string[] } {
  const gate = gateOf(root);
  const files: StampedFile[] = [];
  const failed: string[] = [];
  for (const open = [path]; open.length > 0; ) {
    const folder = open.pop() ?? "";
    try {
      open.push(...stampFolder(gate, folder, files, failed));
    } catch {
      failed.push(folder);
    }
  }
  return { files, failed };
}

/** Adds the files of a folder; returns the folders in it. Throws system errors, and what the gate throws. */
function stampFolder(gate: Gate, path: string, files: StampedFile[], failed: string[]): string[] {
  const folder = gate.findFolder(path);
  if (folder === undefined) throw systemError("ENOENT");
  const inner: string[] = [];
  for (const entry of readdirSync(folder.file, { withFileTypes: true })) {
    const { name } = entry;
    const elsewhere = nameInCloud(name);
    if (elsewhere !== undefined) failed.push(`${path}/${elsewhere}`);
    if (!isReadablePart(name) || name.includes("\uFFFD")) continue;
    if (entry.isDirectory()) inner.push(`${path}/${name}`);
    if (!entry.isFile()) continue;
    const stats = lstatSync(join(folder.file, name), { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    const { size, mtimeMs: mtime, ctimeMs: ctime } = stats;
    files.push({ path: `${path}/${name}`, size, mtime, ctime });
  }
  return inner;
}

/** The folders below a folder, relative to it, inner ones first. */
export function foldersBelow(root: string, path: string): string[] {
  const { folders } = entriesBelow(root, path, MAX_FILES);
  return folders.map((folder) => folder.slice(path.length + 1)).reverse();
}

interface EntriesBelow {
  files: string[];
  folders: string[];
  /** Links, and folders that cannot be read. */
  others: string[];
}

/** What is in a folder and below it, without hidden ones. */
export function entriesBelow(root: string, path: string, most = Number.POSITIVE_INFINITY): EntriesBelow {
  const gate = gateOf(root);
  const found: EntriesBelow = { files: [], folders: [], others: [] };
  for (const open = [path]; open.length > 0 && found.files.length < most; ) {
    const folder = open.pop() ?? "";
    const entries = attempt(() => readEntries(gate, folder));
    if (entries === undefined) found.others.push(folder);
    for (const entry of entries?.filter(({ name }) => !name.startsWith(".")).sort(byName) ?? []) {
      const [kind, inner] = [kindOf(entry), `${folder}/${entry.name}`];
      found[kind].push(inner);
      if (kind === "folders") open.push(inner);
    }
  }
  return found;
}

function kindOf(entry: Dirent): keyof EntriesBelow {
  if (entry.isFile()) return "files";
  return entry.isDirectory() ? "folders" : "others";
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** Whether a folder (absolute) is missing or empty. */
export function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if (isMissing(error)) return true;
    throw fileError("list", basename(folder), error);
  }
}
