import { dayOf } from "../index/boosts.ts";
import { listProjectNames } from "../index/catalog.ts";
import type { FileFingerprint, FileFingerprints } from "../index/index-image.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { isBelow, type Scan, type ScannedFile } from "../storage/walk.ts";

// Coarse clocks (FAT: 2 s) give two writes the same mtime: a file read this soon after its change is read again.
const CLOCK_GRAIN_MS = 2000;
const LARGE = 1024 * 1024;
/** So few files are indexed before any answer. */
export const FEW_FILES = 200;

interface Indexed {
  db: SqlDatabase;
  fingerprints: FileFingerprints;
}

export interface Diff {
  /** Files that are new, or whose fingerprint differs from the indexed one or is too fresh to be trusted. */
  read: ScannedFile[];
  gone: string[];
  newProjects: string[];
  goneProjects: string[];
}

/** Whether a document takes so long to index that it gets its own transaction, during which other work runs. */
export function isLarge({ size }: ScannedFile): boolean {
  return size > LARGE;
}

/** Whether these files take so long to index that not everybody waits for them. */
export function isLong(files: readonly ScannedFile[]): boolean {
  return files.length > FEW_FILES || files.reduce((sum, { size }) => sum + size, 0) > LARGE;
}

/** The differences between the disk and the index; with `full` every file is read. */
export function compare(indexed: Indexed, scan: Scan, full = false): Diff {
  const { fingerprints } = indexed;
  const read = scan.files.filter((file) => full || !isIndexed(fingerprints.get(file.path), file));
  // Equal scores rank in the order of indexing: of one day by path, whatever order the disk lists. Those of the newest days
  // are searchable first, and large documents come last.
  const isFirst = (a: ScannedFile, b: ScannedFile) =>
    Number(isLarge(a)) - Number(isLarge(b)) || dayOf(b.mtime) - dayOf(a.mtime) || (a.path < b.path ? -1 : 1);
  read.sort(isFirst);
  return { read, gone: goneDocuments(fingerprints, scan), ...compareProjects(indexed, scan) };
}

/** Whether the index holds the scanned version of the file, by a fingerprint that can be trusted. */
export function isIndexed(fingerprint: FileFingerprint | undefined, file: ScannedFile): boolean {
  if (fingerprint?.size !== file.size || fingerprint.mtime !== file.mtime || fingerprint.ctime !== file.ctime)
    return false;
  const lastChange = Math.max(file.ctime, file.mtime <= fingerprint.indexedAt ? file.mtime : 0);
  return fingerprint.indexedAt - lastChange > CLOCK_GRAIN_MS;
}

/** Whether others have each file as these do, or as it was later; a new name changes `ctime` alone. */
export function isAsNew(others: FileFingerprints, fingerprints: FileFingerprints): boolean {
  return [...fingerprints].every(([path, { size, mtime, indexedAt }]) => {
    const other = others.get(path);
    return (
      other !== undefined && (other.indexedAt >= indexedAt || (other.size === size && other.mtime === mtime))
    );
  });
}

/** Indexed documents that the scan no longer found; a folder that failed says nothing about its documents. */
function goneDocuments(fingerprints: FileFingerprints, { files, failed, scope }: Scan): string[] {
  if (failed.includes("")) return [];
  const present = new Set(files.map(({ path }) => path));
  // Going through all fingerprints takes a millisecond.
  const paths =
    scope?.folders.size === 0
      ? [...scope.files].filter((path) => fingerprints.has(path))
      : fingerprints.keys();
  const isScanned = (path: string) => scope === undefined || scope.files.has(path) || isBelow(scope, path);
  const isFailed = (path: string) => failed.some((folder) => `${path}/`.startsWith(`${folder}/`));
  return [...paths].filter((path) => !present.has(path) && isScanned(path) && !isFailed(path));
}

function compareProjects({ db }: Indexed, { projects, failed, scope }: Scan) {
  if (scope?.folders.size === 0) return { newProjects: [], goneProjects: [] };
  const [present, indexed] = [new Set(projects), new Set(listProjectNames(db))];
  const isGone = (name: string) => !present.has(name) && (scope === undefined || scope.folders.has(name));
  return {
    newProjects: projects.filter((name) => !indexed.has(name)),
    goneProjects: failed.includes("") ? [] : [...indexed].filter(isGone),
  };
}
