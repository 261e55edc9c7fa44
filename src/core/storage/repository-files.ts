import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { remember } from "../lib/collections.ts";
import { isMarkdown } from "../lib/file-names.ts";
import { attempt } from "./fs-errors.ts";
import { gateOf, isInside, isReadablePart, MAX_DEPTH } from "./path-gate.ts";
import { addFile, emptyScan, type Scan } from "./walk.ts";

/** Folders of what programs make or fetch. */
const MADE = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "third_party",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "venv",
  "env",
  "__pycache__",
  "Pods",
]);
/** Folders and files that a walk looks at. */
const MAX_ENTRIES = 20_000;

/** Whether a file of a repository may be one of its documents. */
export function isRepositoryDocument(file: string): boolean {
  const parts = file.split("/");
  return (
    isMarkdown(file) && !file.includes("\uFFFD") && parts.length <= MAX_DEPTH && parts.every(isReadablePart)
  );
}

/** The documents among the files (relative) of a folder, none of which a link leads to and none in `except` (absolute), by the paths that `pathOf` gives them. */
export function scanFiles(
  folder: string,
  files: Iterable<string>,
  { except, pathOf }: { except: string; pathOf: (file: string) => string },
): Scan {
  const scan = emptyScan();
  const gate = gateOf(folder);
  const top = attempt(() => gate.root());
  if (top === undefined) return { ...scan, failed: [""] };
  const placeOf = remember((inner: string) => {
    const place = join(top, inner);
    const found = attempt(() => gate.findFolder(inner));
    return found?.file === place && !isInside(except, place) ? place : undefined;
  });
  for (const file of files) {
    const place = placeOf(folderIn(file));
    if (place === undefined) continue;
    addFile(scan, { path: pathOf(file), file: `${place}${sep}${file.split("/").at(-1)}` }, lstatSync);
  }
  return scan;
}

function folderIn(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A function that gives the time of the newest change of names in git's index and in all folders that lead to these files. */
export function newestChange(folder: string, files: Iterable<string>): () => number {
  const inner = new Set(["", ".git/index"]);
  for (const file of files)
    for (let above = folderIn(file); !inner.has(above); above = folderIn(above)) inner.add(above);
  const places = [...inner].map((path) => join(folder, path));
  const changedAt = (place: string) => attempt(() => lstatSync(place).ctimeMs) ?? 0;
  return () => places.reduce((newest, place) => Math.max(newest, changedAt(place)), 0);
}

/** The documents in a folder (absolute) and below it, relative, without links and what programs make or fetch. */
export function walkDocuments(folder: string): string[] {
  const found: string[] = [];
  let left = MAX_ENTRIES;
  for (const open = [""]; open.length > 0 && left > 0; ) {
    const inner = open.pop() ?? "";
    const entries = attempt(() => readdirSync(join(folder, inner), { withFileTypes: true })) ?? [];
    left -= entries.length;
    const pathOf = ({ name }: Dirent) => (inner === "" ? name : `${inner}/${name}`);
    const folders = entries.filter((entry) => entry.isDirectory() && !MADE.has(entry.name));
    open.push(...folders.map(pathOf).filter((path) => path.split("/").every(isReadablePart)));
    found.push(...entries.filter((entry) => entry.isFile()).map(pathOf));
  }
  return found.filter(isRepositoryDocument);
}
