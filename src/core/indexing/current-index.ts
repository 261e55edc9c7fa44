import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../lib/errors.ts";
import { createQueue } from "../lib/queue.ts";
import type { DocumentFacts } from "../notes/document.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { gateOf } from "../storage/path-gate.ts";
import { type ReadFile, readFile } from "../storage/read.ts";
import { type Scan, type ScannedFile, scanWorkspace } from "../storage/walk.ts";
import type { SyncContext } from "./batch.ts";
import { ChangeDetector } from "./change-detector.ts";
import { Feed, type Follower } from "./change-feed.ts";
import { FEW_FILES, isIndexed } from "./diff.ts";
import type { IndexContext } from "./find-index.ts";
import { type IndexStore, openIndexStore } from "./index-store.ts";
import {
  type Progress,
  type SyncOptions,
  type SyncResult,
  type SyncStats,
  syncFile,
  syncIndex,
} from "./sync.ts";

export interface IndexOptions extends IndexContext {
  /** Whether to watch for changes: not worth it for a few calls. */
  watch?: boolean | undefined;
  /** Whether writes leave the index to the next call of another process: loading it takes longer than the write. */
  leavesIndex?: boolean | undefined;
  /** How the documents are found (default: by a walk through the root). */
  scan?: (() => Promise<Scan>) | undefined;
  /** Which projects it holds (default: all). */
  sees?: SyncContext["sees"];
}

/** A client that only lists the tools has its answers, or has left, by then. */
const IDLE_MS = 500;
/** A request that needs no index waits this long at most. */
const BACKGROUND_BATCH_MS = 10;

/** For a caller who takes what is there: the share of the files that are indexed so far, e.g. "34%". */
type Read<T> = (db: SqlDatabase, indexing?: string) => T;

/** The index, kept in step with the files: a query sees the disk as of its call. */
export class CurrentIndex {
  readonly #options: IndexOptions;
  readonly #detector: ChangeDetector;
  readonly #feed: Feed;
  readonly #warned = new Set<string>();
  readonly #syncs = createQueue();
  readonly #closing = new AbortController();
  /** The sync that waits in the queue: calls that come in before it starts share it. */
  #next: Promise<SyncResult> | undefined;
  /** Full rebuilds, which let other syncs run between their batches. */
  readonly #rebuilding = new Set<Promise<unknown>>();
  #opening: Promise<IndexStore> | undefined;
  #store: IndexStore | undefined;
  /** The scan of the first call, made while the index loads; null once it is used. */
  #firstScan: Scan | Promise<Scan> | null | undefined;
  /** False during the first sync, whose changes are older than any follower. */
  #hasSynced = false;
  /** Of the sync that runs. */
  #progress: Progress | undefined;
  readonly #watchers = new Set<(progress: Progress) => void>();

  constructor(options: IndexOptions) {
    const { config, log, watch } = options;
    this.#options = options;
    this.#detector = new ChangeDetector({
      root: config.root,
      scan: () => this.#scan(),
      log,
      watch,
      fingerprints: () => this.#store?.fingerprints(),
      onChange: () => this.#feed.markDirty(),
    });
    this.#feed = new Feed({
      log,
      sync: () => this.query(() => {}),
      isWatching: () => this.#detector.isWatching,
    });
  }

  /** Loads the index, and soon brings it in step, before a call needs it; that call reports a failure. */
  async warm(): Promise<void> {
    const { signal } = this.#closing;
    try {
      await this.#open();
      await sleep(IDLE_MS, undefined, { signal, ref: false });
      if (this.#firstScan !== undefined) return; // A call was faster.
      await this.#recover((store) =>
        this.#syncs.run(() => this.#syncNow(store, { signal, batchMs: BACKGROUND_BATCH_MS })),
      );
    } catch {
      // The call that needs it fails likewise.
    }
  }

  /**
   * Runs `read` on an index that is in step with the disk, or, after `patience` milliseconds of a first build, on what is there.
   * Throws INDEX_ERROR if the build was stopped.
   */
  query<T>(read: Read<T>, patience?: number): Promise<T> {
    if (this.#store === undefined && this.#firstScan === undefined) {
      // The disk is scanned while the index loads: no write can come before this call's sync.
      void this.#open().catch(() => {});
      this.#firstScan = this.#scan();
    }
    return this.#recover(async (store) => {
      for (;;) {
        const fingerprints = store.fingerprints();
        const isBusy = this.#syncs.busy() !== undefined;
        const synced = this.#next ?? this.#syncs.run(() => this.#syncNow(store));
        if (isBusy) this.#next = synced;
        const indexing = await this.#wait(synced, patience);
        const result = await store.largeWrites.whenIdle(() =>
          // A recovery on behalf of another call may have replaced the index meanwhile.
          store.fingerprints() === fingerprints ? { value: read(store.db(), indexing) } : undefined,
        );
        if (result !== undefined) return result.value;
      }
    });
  }

  /** Undefined once the index is in step; else how far its first build is. */
  async #wait(synced: Promise<SyncResult>, patience: number | undefined): Promise<string | undefined> {
    const isLong = patience !== undefined && (await isLate(synced, patience));
    const indexing = isLong ? this.indexing : undefined;
    if (indexing !== undefined) return indexing;
    const { done, total } = (await synced).progress;
    if (done === total) return undefined;
    throw new UserError(
      "INDEX_ERROR",
      `The server ends, and has indexed ${shareOf(done, total)} of the files. Start it again.`,
    );
  }

  /** How far a first build is that still has many files to read (`34%`). */
  get indexing(): string | undefined {
    const { done = 0, total = 0, isBuild } = this.#progress ?? {};
    return isBuild === true && total - done > FEW_FILES ? shareOf(done, total) : undefined;
  }

  /** Calls `watcher` as a sync gets further; returns a function that ends it. */
  watch(watcher: (progress: Progress) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Nobody waits any more until many files are indexed; the next start goes on from there. */
  stop(): void {
    this.#closing.abort();
  }

  /** Whether it ends: what fails now is no damage. */
  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** The files of a scan that it does not hold as they are. */
  async behind({ files }: Scan): Promise<ScannedFile[]> {
    const fingerprints = (await this.#open()).fingerprints();
    return files.filter((file) => !isIndexed(fingerprints.get(file.path), file));
  }

  /** Notifies the follower of changes; returns a function that ends it. */
  follow(follower: Follower): () => void {
    return this.#feed.follow(follower);
  }

  sync(options: SyncOptions): Promise<SyncStats> {
    return this.#recover((store) => {
      const run = async () => (await this.#sync(store, options)).stats;
      // A rebuild may run between answers: each batch leaves the index whole.
      if (!options.full || store.fingerprints().size === 0) return this.#syncs.run(run);
      const rebuilding = run();
      this.#rebuilding.add(rebuilding);
      return rebuilding.finally(() => this.#rebuilding.delete(rebuilding));
    });
  }

  /**
   * Indexes a document that was just written, from `read` and what it says if given. False if that failed: the next query then
   * indexes it.
   */
  async syncFile(path: string, read?: ReadFile, facts?: () => DocumentFacts): Promise<boolean> {
    const { config, log, leavesIndex } = this.#options;
    if (leavesIndex === true) return false;
    try {
      const current = read ?? readFile(gateOf(config.root), path);
      if (current === undefined) return false;
      // A running sync has no transaction open between its batches, except for a large document: then this waits.
      return await this.#recover(async (store) => {
        const isIndexed = await syncFile(this.#context(store), path, { read: current, facts });
        if (isIndexed) store.changed();
        return isIndexed;
      });
    } catch (error) {
      log.warn(`${path} is written, but not indexed yet: ${error instanceof Error ? error.message : error}`);
      return false;
    }
  }

  /** Saves pending changes; no method may be called afterwards. */
  async close(): Promise<void> {
    this.stop();
    this.#detector.close();
    this.#feed.close();
    await Promise.allSettled([this.#syncs.busy(), ...this.#rebuilding]);
    await this.#store?.close();
  }

  async #open(): Promise<IndexStore> {
    this.#opening ??= openIndexStore(this.#options);
    this.#store = await this.#opening;
    return this.#store;
  }

  async #syncNow(store: IndexStore, options?: SyncOptions): Promise<SyncResult> {
    this.#next = undefined;
    const first = this.#firstScan;
    this.#firstScan = null;
    if (store.isOutdated) await store.reset();
    const scan = (await first) ?? (await this.#detector.scanChanges());
    return this.#sync(store, { ...options, scan });
  }

  #scan(): Scan | Promise<Scan> {
    const { scan, config } = this.#options;
    return scan?.() ?? scanWorkspace(config.root);
  }

  async #sync(store: IndexStore, options: SyncOptions): Promise<SyncResult> {
    const signals = [this.#closing.signal, options.signal ?? []].flat();
    const onProgress = (progress: Progress) => {
      this.#progress = progress;
      for (const watcher of this.#watchers) watcher(progress);
    };
    try {
      const context = this.#context(store);
      const result = await syncIndex(context, { ...options, signal: AbortSignal.any(signals), onProgress });
      const { changed, again } = result;
      if (changed && options.full) store.changed();
      else if (changed) store.saw();
      this.#detector.synced(again);
      this.#hasSynced = true;
      return result;
    } catch (error) {
      this.#detector.synced(undefined);
      throw error;
    } finally {
      this.#progress = undefined;
    }
  }

  #context(store: IndexStore): SyncContext {
    const { config, clock, log, sees } = this.#options;
    return {
      root: config.root,
      sees,
      clock,
      log,
      warned: this.#warned,
      db: store.db(),
      fingerprints: store.fingerprints(),
      hasMemory: store.hasMemory,
      largeWrites: store.largeWrites,
      expect: (bytes) => {
        store.expect(bytes);
        return store.db();
      },
      save: () => {
        store.changed();
        return store.save();
      },
      record: this.#hasSynced ? (path, isListing) => this.#feed.record(path, isListing) : undefined,
    };
  }

  /** The index is disposable: if it breaks, it is rebuilt from the files, and the call runs again. */
  async #recover<T>(run: (store: IndexStore) => Promise<T>): Promise<T> {
    const store = await this.#open();
    const fingerprints = store.fingerprints();
    try {
      return await run(store);
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      await this.#syncs.run(async () => {
        if (store.fingerprints() !== fingerprints) return;
        this.#options.log.warn(`the index failed (${error.kind}): rebuilding it from the files`);
        await store.reset();
      });
      return run(store).catch((again: unknown) => {
        throw again instanceof SqliteError ? indexError(again) : again;
      });
    }
  }
}

function shareOf(done: number, total: number): string {
  return `${Math.floor((100 * done) / total)}%`;
}

async function isLate(work: Promise<unknown>, patience: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), patience);
  });
  try {
    return await Promise.race([work.then(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

function indexError(cause: SqliteError): UserError {
  const message =
    cause.kind === "nomem" || cause.kind === "full"
      ? "The workspace is larger than the index can hold. Serve a smaller root, or move files that need no search elsewhere."
      : "The index failed twice. The files are unharmed: restart the server with --reindex.";
  return new UserError("INDEX_ERROR", message, { cause });
}
