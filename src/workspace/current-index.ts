import type { Config } from "../config.ts";
import { gateOf } from "../files/gate.ts";
import { readFile, readWritten } from "../files/read.ts";
import { type Scan, scanWorkspace } from "../files/walk.ts";
import type { Clock } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type ChangeDetector, createChangeDetector } from "./change-detector.ts";
import { createFeed, type Feed, type Follower } from "./feed.ts";
import { type IndexStore, openIndexStore } from "./index-store.ts";
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
  /** Indexes a file that was just written; answers whether that worked (else the next call that reads does it). */
  index(path: string, written?: Written): Promise<boolean>;
  /** Persists what is pending; nothing may be called afterwards. */
  close(): Promise<void>;
}

/** What was written, and where (absolute). */
export interface Written {
  file: string;
  bytes: Buffer;
}

interface State {
  opening: Promise<IndexStore> | undefined;
  loaded: IndexStore | undefined;
  named: Set<string>;
  /** The sync that runs, and the one that starts after it: a caller is served by the first that starts after its call. */
  running: Promise<unknown> | undefined;
  waiting: Promise<unknown> | undefined;
  /** Syncs that let others run between their batches. */
  rebuilding: Set<Promise<unknown>>;
  /** Whether the disk was looked at while the index was loading. */
  scanned: boolean;
  detector: ChangeDetector;
  feed: Feed;
  /** Whether there was a sync: what it found had changed before anybody could follow. */
  isSynced: boolean;
}

/** Answers calls when the index is open, which `warm` or the first of them starts. */
export function openCurrentIndex(options: IndexOptions): CurrentIndex {
  const state = createState(options);
  return {
    // The first call that needs the index reports why it could not be loaded.
    warm: () => void open(options, state).catch(() => {}),
    query: (read) => queryIndex(options, state, read),
    follow: (follower) => state.feed.follow(follower),
    sync: (sync) =>
      recovering(options, state, (store) => {
        const run = () => runSync(options, state, { store, sync });
        // What is indexed already can be indexed again between answers: each batch leaves the index whole.
        if (!sync.full || store.stamps().size === 0) return exclusively(state, run);
        const rebuilding = run();
        state.rebuilding.add(rebuilding);
        return rebuilding.finally(() => state.rebuilding.delete(rebuilding));
      }),
    index: (path, written) => indexFile(options, state, path, written),
    close: async () => {
      state.detector.close();
      state.feed.close();
      await Promise.allSettled([state.running, ...state.rebuilding]);
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
    scanned: false,
    detector: createChangeDetector({
      ...{ root: config.root, log, watch },
      known: () => state.loaded?.stamps(),
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
  return recovering(options, state, async (store) => {
    for (;;) {
      const known = store.stamps();
      const scan = early;
      early = undefined;
      await current(options, state, { store, scan });
      while (store.turns.busy() !== undefined) await store.turns.busy();
      // A recovery on behalf of another call may have replaced the index meanwhile.
      if (store.stamps() !== known) continue;
      return read(store.db());
    }
  });
}

async function open(options: IndexOptions, state: State): Promise<IndexStore> {
  state.opening ??= openIndexStore(options);
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
  { store, scan }: { store: IndexStore; scan?: Scan | undefined },
): Promise<unknown> {
  if (state.running === undefined)
    return exclusively(state, async () =>
      runSync(options, state, { store, sync: { scan: scan ?? (await state.detector.scanChanges()) } }),
    );
  state.waiting ??= state.running
    .catch(() => {})
    .then(() => {
      state.waiting = undefined;
      return current(options, state, { store });
    });
  return state.waiting;
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

function syncContext({ config, clock, log }: IndexOptions, state: State, store: IndexStore): SyncContext {
  const { named, feed, isSynced } = state;
  const expect = (bytes: number) => {
    store.expect(bytes);
    return store.db();
  };
  return {
    ...{ root: config.root, clock, log, named },
    db: store.db(),
    known: store.stamps(),
    expect,
    hasRoom: store.hasRoom,
    turns: store.turns,
    save: () => {
      store.changed();
      return store.save();
    },
    note: isSynced ? feed.record : undefined,
  };
}

async function runSync(
  options: IndexOptions,
  state: State,
  { store, sync }: { store: IndexStore; sync: SyncOptions },
): Promise<SyncStats> {
  const { detector } = state;
  try {
    const { stats, changed, again } = await syncIndex(syncContext(options, state, store), sync);
    if (changed) store.changed();
    detector.done(again);
    state.isSynced = true;
    return stats;
  } catch (error) {
    detector.done(undefined);
    throw error;
  }
}

async function indexFile(
  options: IndexOptions,
  state: State,
  path: string,
  written?: Written,
): Promise<boolean> {
  try {
    const read =
      written === undefined
        ? readFile(gateOf(options.config.root), path)
        : readWritten(written.file, written.bytes);
    if (read === undefined) return false;
    // A sync that is under way has no transaction open while it lets others run, but for a large document: then this waits.
    return await recovering(options, state, async (store) => {
      if (!(await syncFile(syncContext(options, state, store), path, read))) return false;
      store.changed();
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
  run: (store: IndexStore) => Promise<T>,
): Promise<T> {
  const store = await open(options, state);
  const known = store.stamps();
  try {
    return await run(store);
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    await exclusively(state, async () => {
      if (store.stamps() !== known) return;
      options.log.warn(`the index failed (${error.kind}): rebuilding it from the files`);
      await store.reset();
    });
    return run(store).catch((again: unknown) => {
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
