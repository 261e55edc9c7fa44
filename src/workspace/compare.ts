import { isBelow, type Scan, type ScannedFile } from "../files/walk.ts";
import { listProjectNames } from "../index/catalog.ts";
import type { Stamp, Stamps } from "../index/stamps.ts";
import type { SqlDatabase } from "../sqlite/types.ts";

// Coarse clocks (FAT: 2 s) give two writes the same stamp: a file read so soon after its change is read again.
const CLOCK_GRAIN_MS = 2000;
const LARGE = 1024 * 1024;

/** What is indexed; the stamps are in step with the database. */
interface Indexed {
  db: SqlDatabase;
  known: Stamps;
}

export interface Work {
  /** Files whose stamp differs from the indexed one, is too fresh to be trusted, or that are new. */
  read: ScannedFile[];
  gone: string[];
  newProjects: string[];
  goneProjects: string[];
}

/** Whether a document is indexed on its own, in turns with what else there is to do: that takes too long at one go. */
export function isLarge({ size }: ScannedFile): boolean {
  return size > LARGE;
}

/** What differs between the disk and the index; with `full` every file counts as if it did. */
export function compare(context: Indexed, scan: Scan, full: boolean | undefined): Work {
  const read: ScannedFile[] = [];
  let met = 0;
  for (const file of scan.files) {
    const known = context.known.get(file.path);
    if (known !== undefined) met++;
    if (full || known === undefined || !isSettled(known, file)) read.push(file);
  }
  // What is indexed in the order of the paths is ranked in that order among equals, however the disk lists it. Large
  // documents come last: all others are found, and saved, before them.
  read.sort((a, b) => Number(isLarge(a)) - Number(isLarge(b)) || (a.path < b.path ? -1 : 1));
  const kept = keeper(scan);
  const gone = met === context.known.size ? [] : missing(context, scan).filter((path) => !kept(path));
  return { read, gone, ...compareProjects(context, scan) };
}

function compareProjects({ db }: Indexed, scan: Scan): Pick<Work, "newProjects" | "goneProjects"> {
  if (scan.scope?.folders.size === 0) return { newProjects: [], goneProjects: [] };
  const present = new Set(scan.projects);
  const indexed = new Set(listProjectNames(db));
  const isMeant = (name: string) => scan.scope === undefined || scan.scope.folders.has(name);
  const gone = [...indexed].filter((name) => !present.has(name) && isMeant(name));
  return {
    newProjects: scan.projects.filter((name) => !indexed.has(name)),
    goneProjects: scan.failed.includes("") ? [] : gone,
  };
}

/** Documents that are known and were not seen where the scan looked. */
function missing({ known }: Indexed, { files, scope }: Scan): string[] {
  const seen = new Set(files.map(({ path }) => path));
  const isMeant = (path: string) => scope === undefined || scope.files.has(path) || isBelow(scope, path);
  // To go through all that is known takes a millisecond.
  const named = scope?.folders.size === 0 ? [...scope.files].filter((path) => known.get(path)) : undefined;
  return [...(named ?? known.keys())].filter((path) => !seen.has(path) && isMeant(path));
}

/** Whether the index has the file as it was scanned, and its stamp can be trusted. */
export function isKnown({ known }: Pick<Indexed, "known">, file: ScannedFile): boolean {
  const stamp = known.get(file.path);
  return stamp !== undefined && isSettled(stamp, file);
}

export function isSettled(known: Stamp, file: ScannedFile): boolean {
  if (!looksSame(known, file)) return false;
  const lastChange = Math.max(file.changed, file.modified <= known.indexedAt ? file.modified : 0);
  return known.indexedAt - lastChange > CLOCK_GRAIN_MS;
}

function looksSame({ size, mtime, ctime }: Stamp, file: ScannedFile): boolean {
  return size === file.size && mtime === file.modified && ctime === file.changed;
}

/** Tells which paths the scan says nothing about: those below a folder that failed. */
function keeper(scan: Scan): (path: string) => boolean {
  if (scan.failed.includes("")) return () => true;
  const failed = scan.failed.map((folder) => `${folder}/`);
  return (path) => failed.some((folder) => `${path}/`.startsWith(folder));
}
