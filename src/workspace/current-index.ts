import type { Config } from "../config.ts";
import { gateOf } from "../files/gate.ts";
import { type Scan, scanWorkspace } from "../files/walk.ts";
import type { Clock } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type ChangeDetector, createChangeDetector } from "./change-detector.ts";
import { createFeed, type Feed, type Follower } from "./feed.ts";
import { buildOnce, isWorthSharing } from "./first-build.ts";
import { type Mirror, openMirror } from "./mirror.ts";
import { type SyncContext, type SyncOptions, type SyncStats, syncFile, syncIndex } from "./sync.ts";

export interface IndexOptions {
  config: Pick<Config, "root" | "db" | "dbNamed" | "readOnly" | "reindex">;
  clock: Clock;
  log: Log;
  /** Whether to be told of changes; left out by who makes a few calls and ends. */
  watch?: boolean | undefined;
}

/** The index, kept in step with the files: what a call reads is what is on disk when it is made. */
export interface CurrentIndex {
  /** Starts loading the index, which the first call that needs it would do otherwise. */
  warm(): void;
  /** Runs `read` on an index that is in step with the disk; an index that breaks is rebuilt and asked again. */
  query<T>(read: (db: SqlDatabase) => T): Promise<T>;
  /** Tells the follower what changes, until what it gives is called. */
  follow(follower: Follower): () => void;
  sync(options: SyncOptions): Promise<SyncStats>;
  /** Indexes a file that was just written; answers whether that worked (the next call that reads mends it). */
  index(path: string): Promise<boolean>;
  /** Persists what is pending; nothing may be called afterwards. */
  close(): Promise<void>;
}

interface State {
  opening: Promise<Mirror> | undefined;
  loaded: Mirror | undefined;
  named: Set<string>;
  /** The sync that runs, and the one that starts after it: a caller is served by the first that starts after its call. */
  running: Promise<unknown> | undefined;
  waiting: Promise<unknown> | undefined;
  /** Syncs that let others run between their batches. */
  rebuilding: Set<Promise<unknown>>;
  /** The end of what other processes wait for before they build an index of their own. */
  saving: Promise<void> | undefined;
  /** Takes the index into memory after the first answer. */
  loading: NodeJS.Timeout | undefined;
  /** Whether the disk was looked at while the index was loading. */
  scanned: boolean;
  detector: ChangeDetector;
  feed: Feed;
  /** Whether there was a sync: what it found had changed before anybody could follow. */
  isSynced: boolean;
}

/** A moment after the first answer: reading the rest of the index takes time that no answer should wait for. */
const LOAD_MS = 100;

/** Answers calls when the index is open, which `warm` or the first of them starts. */
export function openCurrentIndex(options: IndexOptions): CurrentIndex {
  const state = createState(options);
  return {
    // The first call that needs the index reports why it could not be loaded.
    warm: () => void open(options, state).catch(() => {}),
    query: (read) => queryIndex(options, state, read),
    follow: (follower) => state.feed.follow(follower),
    sync: (sync) =>
      recovering(options, state, (mirror) => {
        const run = () => runSync(options, state, { mirror, sync });
        // What is indexed already can be indexed again between answers: each batch leaves the index whole.
        if (!sync.full || mirror.known().size === 0) return exclusively(state, run);
        const rebuilding = run();
        state.rebuilding.add(rebuilding);
        return rebuilding.finally(() => state.rebuilding.delete(rebuilding));
      }),
    index: (path) => indexFile(options, state, path),
    close: async () => {
      clearTimeout(state.loading);
      state.detector.close();
      state.feed.close();
      await Promise.allSettled([state.running, ...state.rebuilding]);
      await state.saving;
      // What is not even loaded has nothing to save, and nobody waits for it.
      await state.loaded?.close();
    },
  };
}

function createState(options: IndexOptions): State {
  const { log, watch, config } = options;
  const state: State = {
    opening: undefined,
    loaded: undefined,
    named: new Set(),
    running: undefined,
    waiting: undefined,
    rebuilding: new Set(),
    saving: undefined,
    loading: undefined,
    scanned: false,
    detector: createChangeDetector({
      ...{ root: config.root, log, watch },
      known: () => state.loaded?.known(),
      onChange: () => state.feed.markDirty(),
    }),
    feed: createFeed({
      log,
      sync: () => queryIndex(options, state, () => {}),
      isWatching: () => state.detector.isWatching(),
    }),
    isSynced: false,
  };
  return state;
}

function queryIndex<T>(options: IndexOptions, state: State, read: (db: SqlDatabase) => T): Promise<T> {
  let early = scanEarly(options, state);
  return recovering(options, state, async (mirror) => {
    for (;;) {
      const known = mirror.known();
      const scan = early;
      early = undefined;
      await current(options, state, { mirror, scan });
      for (let busy = mirror.turns.busy(); busy !== undefined; busy = mirror.turns.busy()) await busy;
      // A recovery on behalf of another call may have replaced the index meanwhile.
      if (mirror.known() !== known) continue;
      loadLater(options, state, mirror);
      return read(mirror.db());
    }
  });
}

/** The first answers are read from the index file; those of a server that goes on come from memory, which is faster. */
function loadLater(options: IndexOptions, state: State, mirror: Mirror): void {
  if (options.watch === undefined || state.loading !== undefined || mirror.isSettled()) return;
  const load = async () => {
    await mirror.settle();
    // The file was damaged.
    if (mirror.known().size === 0) await current(options, state, { mirror });
  };
  const start = () => {
    state.loading = undefined;
    // What fails now fails again in the call that needs it, which tells.
    recovering(options, state, load).catch(() => {});
  };
  state.loading = setTimeout(start, LOAD_MS).unref();
}

async function open(options: IndexOptions, state: State): Promise<Mirror> {
  state.opening ??= openMirror(options);
  state.loaded = await state.opening;
  return state.loaded;
}

/**
 * Looks at the disk while the index is still being read in the background, for the first call alone. Its sync starts as
 * soon as the index is there, before anything else can change it.
 */
function scanEarly(options: IndexOptions, state: State): Scan | undefined {
  if (state.loaded !== undefined || state.scanned) return undefined;
  state.scanned = true;
  void open(options, state).catch(() => {});
  return scanWorkspace(options.config.root);
}

/** Waits for a sync that starts no earlier than now; callers that wait for the same start share it. */
function current(
  options: IndexOptions,
  state: State,
  { mirror, scan }: { mirror: Mirror; scan?: Scan | undefined },
): Promise<unknown> {
  if (state.running === undefined)
    return exclusively(state, async () =>
      step(options, state, mirror, scan ?? (await state.detector.scanChanges())),
    );
  state.waiting ??= state.running
    .catch(() => {})
    .then(() => {
      state.waiting = undefined;
      return current(options, state, { mirror });
    });
  return state.waiting;
}

async function step(options: IndexOptions, state: State, mirror: Mirror, scan: Scan): Promise<unknown> {
  const first = { config: options.config, log: options.log, mirror };
  const build = (isTaken: boolean) => runSync(options, state, { mirror, sync: isTaken ? {} : { scan } });
  if (!isWorthSharing(first, scan)) return build(false);
  const { result, saving } = await buildOnce(first, build);
  state.saving = saving;
  return result;
}

async function exclusively<T>(state: State, run: () => Promise<T>): Promise<T> {
  while (state.running !== undefined) await state.running.catch(() => {});
  const running = run();
  state.running = running;
  try {
    return await running;
  } finally {
    if (state.running === running) state.running = undefined;
  }
}

function syncContext({ config, clock, log }: IndexOptions, state: State, mirror: Mirror): SyncContext {
  const { named, feed, isSynced } = state;
  const makeWritable = async (bytes: number) => {
    await mirror.load();
    mirror.expect(bytes);
    return mirror.db();
  };
  return {
    ...{ root: config.root, clock, log, named },
    db: mirror.db(),
    known: mirror.known(),
    writable: mirror.isLoaded() && mirror.known().size > 0 ? undefined : makeWritable,
    hasRoom: mirror.hasRoom,
    turns: mirror.turns,
    save: () => {
      mirror.changed();
      return mirror.save();
    },
    note: isSynced ? feed.record : undefined,
  };
}

async function runSync(
  options: IndexOptions,
  state: State,
  { mirror, sync }: { mirror: Mirror; sync: SyncOptions },
): Promise<SyncStats> {
  const { detector } = state;
  try {
    const { stats, changed, again } = await syncIndex(syncContext(options, state, mirror), sync);
    if (changed) mirror.changed();
    detector.done(again);
    state.isSynced = true;
    return stats;
  } catch (error) {
    detector.done(undefined);
    throw error;
  }
}

async function indexFile(options: IndexOptions, state: State, path: string): Promise<boolean> {
  try {
    // A sync that is under way has no transaction open while it lets others run, but for a large document: then this waits.
    return await recovering(options, state, async (mirror) => {
      const found = gateOf(options.config.root).resolve(path);
      if (found === undefined) return false;
      const { size, mtimeMs: modified, ctimeMs: changed } = found.stats;
      const file = { path, file: found.file, size, modified, changed };
      await mirror.load();
      if (!(await syncFile(syncContext(options, state, mirror), file))) return false;
      mirror.changed();
      return true;
    });
  } catch (error) {
    options.log.warn(
      `${path} is written, and not indexed yet: ${error instanceof Error ? error.message : error}`,
    );
    return false;
  }
}

/** The index is disposable: when it breaks, it starts anew from the files and the call that met it goes on. */
async function recovering<T>(
  options: IndexOptions,
  state: State,
  run: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  const mirror = await open(options, state);
  const known = mirror.known();
  try {
    return await run(mirror);
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    await exclusively(state, async () => {
      if (mirror.known() !== known) return;
      options.log.warn(`the index failed (${error.kind}): rebuilding it from the files`);
      await mirror.reset();
    });
    return run(mirror).catch((again: unknown) => {
      throw again instanceof SqliteError ? indexError(again) : again;
    });
  }
}

function indexError(cause: SqliteError): UserError {
  const message =
    cause.kind === "nomem" || cause.kind === "full"
      ? "The workspace is larger than the index can hold. Serve a smaller root, or move what is not searched elsewhere."
      : "The index failed twice. The files are unharmed: restart the server with --reindex.";
  return new UserError("INDEX_ERROR", message, { cause });
}
