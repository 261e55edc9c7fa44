import { setImmediate } from "node:timers/promises";
import { isMissing, reasonOf } from "../files/errors.ts";
import { gateOf } from "../files/gate.ts";
import { type ReadFile, readScanned } from "../files/read.ts";
import { sweepTemporary } from "../files/temporary.ts";
import { type Scan, type ScannedFile, scanWorkspace } from "../files/walk.ts";
import { indexedHash, type Writer, write, writing } from "../index/documents.ts";
import { mergeSegments } from "../index/merge.ts";
import type { Stamp, Stamps } from "../index/stamps.ts";
import { type Clock, elapsed } from "../lib/clock.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { compare, isKnown, isLarge, isSettled, type Work } from "./compare.ts";
import { describeEntry } from "./entry.ts";
import { forgetFull, isFull, isFullError, type Naming, nameFull, nameOnce } from "./naming.ts";
import type { Turns } from "./turns.ts";

export interface SyncOptions {
  /** Walk this project alone. */
  project?: string | undefined;
  /** Index every file again, whatever its stamp and hash say. */
  full?: boolean | undefined;
  /** What the disk looked like after the call came in; looked at now, if left out. */
  scan?: Scan | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Stops between two batches: what is indexed by then stays, and the next sync goes on from there. */
  signal?: AbortSignal | undefined;
}

/** Counts of files. */
export interface SyncStats {
  scanned: number;
  added: number;
  updated: number;
  deleted: number;
  unchanged: number;
}

export interface SyncContext extends Naming {
  root: string;
  clock: Clock;
  db: SqlDatabase;
  /** Gives the database to write the index of so many bytes of text to. */
  expect?: ((bytes: number) => SqlDatabase) | undefined;
  /** How each indexed file looked, by path; kept in step with `db`. */
  known: Stamps;
  /** Lets a large document be written while others run, who leave the index alone until it is there. */
  turns: Turns;
  /** Gives what is in a file, where that is known; else it is read. */
  read?: ((file: ScannedFile) => ReadFile) | undefined;
  /** Saves what is indexed so far. */
  save?: (() => Promise<void>) | undefined;
  /** Told of each document that changed, and of each document or project that came or went. */
  note?: ((path: string, isListing: boolean) => void) | undefined;
}

// A batch is one transaction; queries and pings are answered between batches.
const BATCH_MS = 50;
/** What is indexed is saved when a sync has taken so long, and again each time it has taken twice as long. */
const SAVE_MS = 5000;
/** So many stamps that can be trusted now are saved: after a checkout, every start would read those files again. */
const WORTH_SAVING = 50;
/** Files to read from which on the full-text index is left in many parts, which are then merged. */
const MANY = 1000;

export interface SyncResult {
  stats: SyncStats;
  /** Whether the index changed. */
  changed: boolean;
  /** Files to read again next time: changed too recently for their stamp to tell, not readable, or not reached. */
  again: string[];
}

/** Brings the index in step with the disk. A place that cannot be read loses nothing. */
export async function syncIndex(reader: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const scan = options.scan ?? scanWorkspace(reader.root, options.project);
  tidy(reader, scan);
  const work = compare(reader, scan, options.full);
  const bytes = work.read.reduce((sum, { size }) => sum + size, 0);
  const context = { ...reader, db: reader.expect?.(bytes) ?? reader.db };
  const stats: SyncStats = { scanned: scan.files.length, added: 0, updated: 0, deleted: 0, unchanged: 0 };
  const saveNow = saver(context);
  while (context.turns.busy() !== undefined) await context.turns.busy();
  let changed = applyRemovals(context, work, stats);
  const end = work.read.length;
  let at = 0;
  while (at < end && options.signal?.aborted !== true) {
    if (at > 0) await setImmediate();
    const batch = await nextBatch(context, work.read.slice(at), options, stats);
    changed = batch.changed || changed;
    at += batch.done;
    if (changed) await saveNow();
    options.onProgress?.(at, end);
  }
  if (at > MANY) await merge(context, options);
  const left = countUnknown(context, work.read.slice(0, at));
  stats.unchanged = stats.scanned - stats.added - stats.updated - left;
  const again = work.read.filter((file) => !isKnown(context, file));
  return { stats, changed, again: again.map(({ path }) => path) };
}

async function merge({ db }: SyncContext, { signal }: SyncOptions): Promise<void> {
  try {
    await mergeSegments(db, signal);
  } catch (error) {
    // Without room to put them together all are there as before.
    if (!isFullError(error)) throw error;
  }
}

/** A start that is cut short again and again gets further each time. */
function saver({ save }: SyncContext): () => Promise<void> {
  const start = elapsed();
  let next = SAVE_MS;
  return async () => {
    if (elapsed() - start < next) return;
    await save?.();
    next = 2 * (elapsed() - start);
  };
}

/** Indexes one file as it was just written or read, without looking at any other; answers whether it is in the index. */
export async function syncFile(context: SyncContext, path: string, read: ReadFile): Promise<boolean> {
  const { size, mtimeMs: modified, ctimeMs: changed } = read.stats;
  const scanned = { path, file: read.file, size, modified, changed };
  const stats = { scanned: 1, added: 0, updated: 0, deleted: 0, unchanged: 0 };
  await nextBatch({ ...context, read: () => read }, [scanned], {}, stats);
  return context.known.get(path) !== undefined;
}

function applyRemovals(context: SyncContext, work: Work, stats: SyncStats): boolean {
  const { gone, newProjects, goneProjects } = work;
  if (gone.length + newProjects.length + goneProjects.length === 0) return false;
  write(context.db, (writer) => {
    for (const path of gone) writer.remove(path);
    for (const name of newProjects) writer.addProject(name);
    for (const name of goneProjects) writer.removeProject(name);
  });
  for (const path of gone) context.known.delete(path);
  if (gone.length > 0) forgetFull(context);
  for (const path of [...gone, ...newProjects, ...goneProjects]) context.note?.(path, true);
  stats.deleted = gone.length;
  return true;
}

interface Batch {
  done: number;
  changed: boolean;
}

/** Indexes the next files: a large one alone, and in turns with others. */
async function nextBatch(
  context: SyncContext,
  files: ScannedFile[],
  options: SyncOptions,
  stats: SyncStats,
): Promise<Batch> {
  const batch = applyBatch(context, files, options, stats);
  if (files[0] !== undefined && isLarge(files[0])) return context.turns.take(() => inTurns(batch));
  while (context.turns.busy() !== undefined) await context.turns.busy();
  let step = batch.next();
  while (!step.done) step = batch.next();
  return step.value;
}

async function inTurns<T>(steps: Iterator<void, T>): Promise<T> {
  for (let start = elapsed(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (elapsed() - start < BATCH_MS) continue;
    await setImmediate();
    start = elapsed();
  }
}

function* applyBatch(
  context: SyncContext,
  files: ScannedFile[],
  options: SyncOptions,
  stats: SyncStats,
): Generator<void, Batch> {
  const start = elapsed();
  const outcomes = new Map<string, Outcome>();
  let done = 0;
  const isNext = (file: ScannedFile) => done === 0 || (elapsed() - start < BATCH_MS && !isLarge(file));
  try {
    yield* writing(context.db, function* (writer) {
      for (const file of files) {
        if (!isNext(file)) break;
        done++;
        const outcome = yield* applyFile(context, writer, file, options);
        if (outcome !== undefined) outcomes.set(file.path, outcome);
      }
    });
  } catch (error) {
    if (!isFullError(error)) throw error;
    nameFull(context);
    return { done, changed: false };
  }
  return { done, changed: take(context, outcomes, stats) };
}

/** Takes over what a batch has written; answers whether that is worth saving. */
function take({ known }: SyncContext, outcomes: ReadonlyMap<string, Outcome>, stats: SyncStats): boolean {
  for (const [path, { stamp, kind }] of outcomes) {
    known.set(path, stamp);
    if (kind !== "unchanged") stats[kind]++;
  }
  const settled = [...outcomes.values()].filter(({ isNewlySettled }) => isNewlySettled).length;
  return settled >= WORTH_SAVING || [...outcomes.values()].some(({ written }) => written);
}

/** Files that are not indexed even now: not readable, or no room for them. */
function countUnknown({ known }: SyncContext, files: ScannedFile[]): number {
  return files.filter(({ path }) => known.get(path) === undefined).length;
}

interface Outcome {
  stamp: Stamp;
  kind: "added" | "updated" | "unchanged";
  written: boolean;
  /** Whether nothing changed but that the stamp can be trusted from now on. */
  isNewlySettled: boolean;
}

function* applyFile(
  context: SyncContext,
  writer: Writer,
  scanned: ScannedFile,
  options: SyncOptions,
): Generator<void, Outcome | undefined> {
  const before = context.known.get(scanned.path);
  if (before === undefined && isFull(context)) return undefined;
  const indexedAt = context.clock.now().getTime();
  const read = readOrName(context, scanned);
  if (read === undefined) return undefined;
  const { content, stats } = read;
  // Of the file that was read, which may be another one than the walk met.
  const file = { ...scanned, size: stats.size, modified: stats.mtimeMs, changed: stats.ctimeMs };
  const { size, modified: mtime, changed: ctime, path } = file;
  const stamp: Stamp = { size, mtime, ctime, indexedAt };
  const isSame = before !== undefined && indexedHash(context.db, path) === content.hash;
  if (isSame && !options.full) {
    if (before.mtime !== mtime) writer.touch(path, mtime);
    const written = before.mtime !== mtime || before.ctime !== ctime;
    return { stamp, kind: "unchanged", written, isNewlySettled: isSettled(stamp, file) };
  }
  yield;
  const { entry, problem } = describeEntry(file, content);
  yield;
  yield* writer.putting(entry);
  if (!isSame) context.note?.(path, before === undefined);
  if (problem !== null) nameOnce(context, path, problem);
  return { stamp, kind: before === undefined ? "added" : "updated", written: true, isNewlySettled: false };
}

function readOrName(context: SyncContext, file: ScannedFile): ReadFile | undefined {
  try {
    return context.read?.(file) ?? readScanned(gateOf(context.root), file);
  } catch (error) {
    // Gone since the scan: the next one decides. Anything else keeps what was indexed before.
    if (!isMissing(error)) nameOnce(context, file.path, `not readable: ${reasonOf(error)}`);
    return undefined;
  }
}

function tidy(context: SyncContext, scan: Scan): void {
  for (const { path, reason } of scan.skipped) nameOnce(context, path, reason);
  for (const file of scan.temporaries) {
    if (sweepTemporary(file, context.clock.now().getTime()))
      context.log.info("removed a temporary file of an ended process");
  }
}
