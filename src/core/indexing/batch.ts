import { setImmediate } from "node:timers/promises";
import type { FileFingerprint, FileFingerprints } from "../index/index-image.ts";
import { type DocumentEntry, indexedHash, type Writer, writeInSteps } from "../index/writer.ts";
import { type Clock, elapsed } from "../lib/clock.ts";
import { escapeName } from "../lib/escape.ts";
import type { Log } from "../lib/log.ts";
import { chunkMarkdown } from "../markdown/chunks.ts";
import { type DocumentFacts, describeDocument, locateDocument } from "../notes/document.ts";
import { linkRows } from "../notes/link/links.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { isMissing, reasonOf } from "../storage/fs-errors.ts";
import { gateOf } from "../storage/path-gate.ts";
import { type ReadFile, readScanned } from "../storage/read.ts";
import type { ScannedFile } from "../storage/walk.ts";
import { isIndexed, isLarge } from "./diff.ts";
import type { LargeWrites } from "./large-writes.ts";

export interface SyncContext {
  root: string;
  /** Which projects the index holds (default: all). */
  sees?: ((project: string) => boolean) | undefined;
  clock: Clock;
  log: Log;
  /** The warnings logged so far, so that each is logged once. */
  warned: Set<string>;
  db: SqlDatabase;
  /** The fingerprint of each indexed file, by path; kept in step with `db`. */
  fingerprints: FileFingerprints;
  /** Whether more documents fit into the index. */
  hasMemory: () => boolean;
  largeWrites: LargeWrites;
  /** Reserves memory for so many bytes of text; returns the database to write to. */
  expect?: ((bytes: number) => SqlDatabase) | undefined;
  /** Saves the index as far as it is complete. */
  save?: (() => Promise<void>) | undefined;
  /** Called for each document that changed, and with `isListing` for each document or project that came or went. */
  record?: ((path: string, isListing: boolean) => void) | undefined;
}

/** What is known of a file without reading it. */
export interface Known {
  read: ReadFile;
  /** What the document says. */
  facts?: (() => DocumentFacts) | undefined;
}

type FileToIndex = ScannedFile & Partial<Known>;

export interface BatchOptions {
  /** Index every file again, whatever its fingerprint and hash. */
  full?: boolean | undefined;
  /** How long other work may wait (default: 50). */
  batchMs?: number | undefined;
}

/** A batch is one transaction; queries and pings are answered between batches. */
const BATCH_MS = 50;
/** From this many newly trusted fingerprints on, a save pays off: otherwise every start would read those files again. */
const WORTH_SAVING = 50;

interface Batch {
  done: number;
  changed: boolean;
}

type Counts = Record<Outcome["kind"], number>;

/** Indexes the next files: a large one by itself, while other work runs. */
export async function applyBatch(
  context: SyncContext,
  files: FileToIndex[],
  counts: Counts,
  { full = false, batchMs = BATCH_MS }: BatchOptions = {},
): Promise<Batch> {
  const { largeWrites } = context;
  const steps = batchSteps(context, files, counts, { full, batchMs });
  if (files[0] !== undefined && isLarge(files[0]))
    return largeWrites.run(() => runBetweenOthers(steps, batchMs));
  return largeWrites.whenIdle(() => {
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  });
}

/** Runs the steps, and lets other work run in between. */
async function runBetweenOthers<T>(steps: Iterator<void, T>, batchMs: number): Promise<T> {
  for (let start = elapsed(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (elapsed() - start < batchMs) continue;
    await setImmediate();
    start = elapsed();
  }
}

function* batchSteps(
  context: SyncContext,
  files: FileToIndex[],
  counts: Counts,
  { full, batchMs }: { full: boolean; batchMs: number },
): Generator<void, Batch> {
  const start = elapsed();
  const outcomes = new Map<string, Outcome>();
  let done = 0;
  const isNext = (file: FileToIndex) => done === 0 || (elapsed() - start < batchMs && !isLarge(file));
  try {
    yield* writeInSteps(context.db, function* (writer) {
      for (const file of files) {
        if (!isNext(file)) break;
        done++;
        const outcome = yield* applyFile(context, writer, file, full);
        if (outcome !== undefined) outcomes.set(file.path, outcome);
      }
    });
  } catch (error) {
    if (!isFullError(error)) throw error;
    warnOnce(context, FULL);
    return { done, changed: false };
  }
  return { done, changed: adopt(context, outcomes, counts) };
}

/** Takes over the fingerprints of a batch; returns whether they are worth saving. */
function adopt(
  { fingerprints }: SyncContext,
  outcomes: ReadonlyMap<string, Outcome>,
  counts: Counts,
): boolean {
  for (const [path, { fingerprint, kind }] of outcomes) {
    fingerprints.set(path, fingerprint);
    counts[kind]++;
  }
  const all = [...outcomes.values()];
  return (
    all.some(({ written }) => written) || all.filter(({ isTrusted }) => isTrusted).length >= WORTH_SAVING
  );
}

interface Outcome {
  fingerprint: FileFingerprint;
  kind: "added" | "updated" | "unchanged";
  written: boolean;
  /** Whether the fingerprint can be trusted from now on. */
  isTrusted: boolean;
}

function* applyFile(
  context: SyncContext,
  writer: Writer,
  source: FileToIndex,
  full: boolean,
): Generator<void, Outcome | undefined> {
  const { path } = source;
  const before = context.fingerprints.get(path);
  if (before === undefined && isFull(context)) return undefined;
  const indexedAt = context.clock.now().getTime();
  const read = source.read ?? readOrWarn(context, source);
  if (read === undefined) return undefined;
  // The file that was read may not be the one that the scan met.
  const { size, mtimeMs: mtime, ctimeMs: ctime } = read.stats;
  const fingerprint: FileFingerprint = { size, mtime, ctime, indexedAt };
  const isSame = before !== undefined && indexedHash(context.db, path) === read.hash;
  if (isSame && !full) {
    if (before.mtime !== mtime) writer.touch(path, mtime);
    const written = before.mtime !== mtime || before.ctime !== ctime;
    const isTrusted = isIndexed(fingerprint, { ...source, size, mtime, ctime });
    return { fingerprint, kind: "unchanged", written, isTrusted };
  }
  yield;
  const { entry, problem } = describeEntry(path, read, mtime, source.facts);
  yield;
  yield* writer.putInSteps(entry);
  if (!isSame) context.record?.(path, before === undefined);
  if (problem !== null) warnOf(context, path, problem);
  return { fingerprint, kind: before === undefined ? "added" : "updated", written: true, isTrusted: false };
}

/** The index entry of a document, and the problem in its frontmatter, if any. */
export function describeEntry(
  path: string,
  file: ReadFile,
  mtime: number,
  known?: () => DocumentFacts,
): { entry: DocumentEntry; problem: string | null } {
  const location = locateDocument(path);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  const { text, hash } = file;
  const { problem, unread: _, bodyOffset, ...facts } = known?.() ?? describeDocument(location, text, file);
  const chunks = chunkMarkdown(text, bodyOffset);
  const links = linkRows(text, { bodyOffset, task: facts.task });
  return { entry: { ...location, ...facts, path, hash, mtime, chunks, links }, problem };
}

function readOrWarn(context: SyncContext, file: ScannedFile): ReadFile | undefined {
  try {
    return readScanned(gateOf(context.root), file);
  } catch (error) {
    // Gone since the scan: the next scan decides. After any other failure the old entry stays.
    if (!isMissing(error)) warnOf(context, file.path, `not readable: ${reasonOf(error)}`);
    return undefined;
  }
}

type Warnings = Pick<SyncContext, "log" | "warned">;

export function warnOf(context: Warnings, path: string, reason: string): void {
  warnOnce(context, `${escapeName(path) || "the workspace"}: ${reason}`);
}

function warnOnce({ log, warned }: Warnings, message: string): void {
  if (!warned.has(message)) log.warn(message);
  warned.add(message);
}

const FULL =
  "the workspace: the index is full: search does not find new documents, but they can still be read";

/** Whether a new document has to stay out; indexed ones are still updated. */
function isFull(context: SyncContext): boolean {
  if (!context.hasMemory()) warnOnce(context, FULL);
  return context.warned.has(FULL);
}

/** After a deletion: there may be room again. */
export function forgetFull({ warned }: Warnings): void {
  warned.delete(FULL);
}

export function isFullError(error: unknown): boolean {
  return error instanceof SqliteError && !error.fatal && (error.kind === "nomem" || error.kind === "full");
}
