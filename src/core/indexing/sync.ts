import { setImmediate } from "node:timers/promises";
import { mergeSegments } from "../index/merge.ts";
import { write } from "../index/writer.ts";
import { elapsed } from "../lib/clock.ts";
import { projectOf } from "../notes/names.ts";
import { checkDisks } from "../storage/mounts.ts";
import { sweepTemporary } from "../storage/temp-files.ts";
import { type Scan, scanWorkspace } from "../storage/walk.ts";
import {
  applyBatch,
  type BatchOptions,
  forgetFull,
  isFullError,
  type Known,
  type SyncContext,
  warnOf,
} from "./batch.ts";
import { compare, type Diff, isIndexed, isLong } from "./diff.ts";

export interface SyncOptions extends BatchOptions {
  /** Scan only this project. */
  project?: string | undefined;
  /** A scan made after the call came in (default: a scan now). */
  scan?: Scan | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Stops a long sync after a batch; the next one continues from there. */
  signal?: AbortSignal | undefined;
}

/** How far a sync is. */
export interface Progress {
  /** Files. */
  done: number;
  total: number;
  /** Whether most of the files were never indexed. */
  isBuild: boolean;
}

/** Counts of files. */
export interface SyncStats {
  scanned: number;
  added: number;
  updated: number;
  deleted: number;
  unchanged: number;
}

/** A long sync saves the index after this time, and again each time it has taken twice as long. */
const SAVE_MS = 5000;
/** In one transaction, since a removal takes about 0.1 ms. */
const STEP_REMOVALS = 200;
/** After this many files, the segments of the full-text index are merged. */
const MANY = 1000;

export interface SyncResult {
  stats: SyncStats;
  /** Whether the index changed. */
  changed: boolean;
  /** Paths to read again next time: changed too recently to trust their fingerprint, not readable, or not reached. */
  again: string[];
  progress: Progress;
}

/** Brings the index in step with the disk. Documents in unreadable folders stay indexed. */
export async function syncIndex(base: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const scan = seenScan(base, options.scan ?? scanWorkspace(base.root, options.project));
  if (scan.failed.includes("")) checkDisks(base.root, [""]);
  tidy(base, scan);
  const diff = compare(base, scan, options.full);
  const files = diff.read;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const context = { ...base, db: base.expect?.(bytes) ?? base.db };
  const { fingerprints, largeWrites } = context;
  const stats = { scanned: scan.files.length, added: 0, updated: 0, deleted: 0, unchanged: 0 };
  const saveNow = saver(context);
  let changed = await largeWrites.whenIdle(() => applyRemovals(context, diff, stats));
  let at = 0;
  // Who pipes a request into a new workspace has left before it is answered.
  const signal = isLong(files) ? options.signal : undefined;
  const isBuild = 2 * fingerprints.size < files.length;
  const progress = (): Progress => ({ done: at, total: files.length, isBuild });
  while (at < files.length && (at === 0 || signal?.aborted !== true)) {
    if (at > 0) await setImmediate();
    const batch = await applyBatch(context, files.slice(at), stats, options);
    changed ||= batch.changed;
    at += batch.done;
    if (changed) await saveNow();
    options.onProgress?.(progress());
  }
  if (at > MANY) await merge(context, options);
  const missing = files.slice(0, at).filter(({ path }) => !fingerprints.has(path)).length;
  stats.unchanged = stats.scanned - stats.added - stats.updated - missing;
  const again = files.filter((file) => !isIndexed(fingerprints.get(file.path), file));
  return { stats, changed, again: again.map(({ path }) => path), progress: progress() };
}

/** Indexes one file that was just written or read, without a scan; returns whether it is in the index. */
export async function syncFile(context: SyncContext, path: string, known: Known): Promise<boolean> {
  if (context.sees?.(projectOf(path)) === false) return false;
  const { file, stats } = known.read;
  const { size, mtimeMs: mtime, ctimeMs: ctime } = stats;
  const counts = { added: 0, updated: 0, unchanged: 0 };
  await applyBatch(context, [{ path, file, size, mtime, ctime, ...known }], counts);
  return context.fingerprints.has(path);
}

/** Without the projects that the index does not hold. */
function seenScan({ sees }: SyncContext, scan: Scan): Scan {
  if (sees === undefined) return scan;
  const isHeld = (path: string) => path === "" || sees(projectOf(path));
  return {
    ...scan,
    projects: scan.projects.filter(sees),
    files: scan.files.filter(({ path }) => isHeld(path)),
    failed: scan.failed.filter(isHeld),
    skipped: scan.skipped.filter(({ path }) => isHeld(path)),
  };
}

function tidy(context: SyncContext, scan: Scan): void {
  for (const { path, reason } of scan.skipped) warnOf(context, path, reason);
  for (const file of scan.temporaries) {
    if (sweepTemporary(file, context.clock.now().getTime()))
      context.log.info("removed a temporary file of an ended process");
  }
}

/** So a start that is interrupted again and again still gets further each time. */
function saver({ save }: SyncContext): () => Promise<void> {
  const start = elapsed();
  let next = SAVE_MS;
  return async () => {
    if (elapsed() - start < next) return;
    await save?.();
    next = 2 * (elapsed() - start);
  };
}

async function applyRemovals(context: SyncContext, diff: Diff, stats: SyncStats): Promise<boolean> {
  const { gone, newProjects, goneProjects } = diff;
  const paths = [...gone, ...newProjects, ...goneProjects];
  if (paths.length === 0) return false;
  const known = new Map(gone.map((path) => [path, context.fingerprints.get(path)]));
  for (let at = 0; at < gone.length; at += STEP_REMOVALS) {
    if (at > 0) await setImmediate();
    // One that came back meanwhile may be indexed again.
    const isGone = (path: string) => context.fingerprints.get(path) === known.get(path);
    await context.largeWrites.whenIdle(() => {
      const some = gone.slice(at, at + STEP_REMOVALS).filter(isGone);
      write(context.db, (writer) => {
        for (const path of some) writer.remove(path);
      });
      for (const path of some) context.fingerprints.delete(path);
    });
  }
  write(context.db, (writer) => {
    for (const name of newProjects) writer.addProject(name);
    for (const name of goneProjects) writer.removeProject(name);
  });
  if (gone.length > 0) forgetFull(context);
  for (const path of paths) context.record?.(path, true);
  stats.deleted = gone.length;
  return true;
}

async function merge({ db }: SyncContext, { signal }: SyncOptions): Promise<void> {
  try {
    await mergeSegments(db, signal);
  } catch (error) {
    // Without room to merge, the segments stay unmerged.
    if (!isFullError(error)) throw error;
  }
}
