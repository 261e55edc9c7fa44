import { UserError } from "../lib/errors.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { gateOf } from "../storage/path-gate.ts";
import { readFile, readWritten } from "../storage/read.ts";
import { type Scan, scanWorkspace } from "../storage/walk.ts";
import type { SyncContext } from "./batch.ts";
import { ChangeDetector } from "./change-detector.ts";
import { Feed, type Follower } from "./change-feed.ts";
import type { IndexContext } from "./find-index.ts";
import { type IndexStore, openIndexStore } from "./index-store.ts";
import { type SyncOptions, type SyncStats, syncFile, syncIndex } from "./sync.ts";

export interface IndexOptions extends IndexContext {
  /** Whether to watch for changes: not worth it for a few calls. */
  watch?: boolean | undefined;
}

/** The index, kept in step with the files: a query sees the disk as of its call. */
export class CurrentIndex {
  readonly #options: IndexOptions;
  readonly #detector: ChangeDetector;
  readonly #feed: Feed;
  readonly #warned = new Set<string>();
  #opening: Promise<IndexStore> | undefined;
  #store: IndexStore | undefined;
  /** The running sync and the next one: a call waits for the first sync that starts after it. */
  #running: Promise<unknown> | undefined;
  #waiting: Promise<unknown> | undefined;
  /** Full rebuilds, which let other syncs run between their batches. */
  readonly #rebuilding = new Set<Promise<unknown>>();
  /** Whether the disk was scanned while the index was loading. */
  #hasScanned = false;
  /** False during the first sync, whose changes are older than any follower. */
  #hasSynced = false;

  constructor(options: IndexOptions) {
    const { config, log, watch } = options;
    this.#options = options;
    this.#detector = new ChangeDetector({
      ...{ root: config.root, log, watch },
      fingerprints: () => this.#store?.fingerprints(),
      onChange: () => this.#feed.markDirty(),
    });
    this.#feed = new Feed({
      log,
      sync: () => this.query(() => {}),
      isWatching: () => this.#detector.isWatching,
    });
  }

  /** Starts loading, or with `--reindex` building, the index before a call needs it; that call reports a failure. */
  warm(): void {
    const isBuilt = !this.#options.config.reindex || this.#hasScanned;
    void (isBuilt ? this.#open() : this.query(() => {})).catch(() => {});
  }

  /** Runs `read` on an index that is in step with the disk. */
  query<T>(read: (db: SqlDatabase) => T): Promise<T> {
    let early = this.#scanEarly();
    return this.#recover(async (store) => {
      for (;;) {
        const fingerprints = store.fingerprints();
        const scan = early;
        early = undefined;
        await this.#syncOnce(store, scan);
        while (store.turns.busy() !== undefined) await store.turns.busy();
        // A recovery on behalf of another call may have replaced the index meanwhile.
        if (store.fingerprints() === fingerprints) return read(store.db());
      }
    });
  }

  /** Notifies the follower of changes; returns a function that ends it. */
  follow(follower: Follower): () => void {
    return this.#feed.follow(follower);
  }

  sync(options: SyncOptions): Promise<SyncStats> {
    return this.#recover((store) => {
      const run = () => this.#sync(store, options);
      // A rebuild may run between answers: each batch leaves the index whole.
      if (!options.full || store.fingerprints().size === 0) return this.#exclusively(run);
      const rebuilding = run();
      this.#rebuilding.add(rebuilding);
      return rebuilding.finally(() => this.#rebuilding.delete(rebuilding));
    });
  }

  /**
   * Indexes a document that was just written, from `written` if given. False if that failed: the next query then indexes
   * it.
   */
  async indexDocument(path: string, written?: { file: string; bytes: Buffer }): Promise<boolean> {
    const { config, log } = this.#options;
    try {
      const read = written ? readWritten(written.file, written.bytes) : readFile(gateOf(config.root), path);
      if (read === undefined) return false;
      // A running sync has no transaction open between its batches, except for a large document: then this waits.
      return await this.#recover(async (store) => {
        const isIndexed = await syncFile(this.#context(store), path, read);
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
    this.#detector.close();
    this.#feed.close();
    await Promise.allSettled([this.#running, ...this.#rebuilding]);
    await this.#store?.close();
  }

  async #open(): Promise<IndexStore> {
    this.#opening ??= openIndexStore(this.#options);
    this.#store = await this.#opening;
    return this.#store;
  }

  /** For the first call, scans the disk while the index loads: no write can come before that call's sync. */
  #scanEarly(): Scan | undefined {
    if (this.#store !== undefined || this.#hasScanned) return undefined;
    this.#hasScanned = true;
    void this.#open().catch(() => {});
    return scanWorkspace(this.#options.config.root);
  }

  /** Waits for a sync that starts now or later; waiting calls share the next one. */
  #syncOnce(store: IndexStore, scan?: Scan): Promise<unknown> {
    if (this.#running === undefined)
      return this.#exclusively(async () =>
        this.#sync(store, { scan: scan ?? (await this.#detector.scanChanges()) }),
      );
    this.#waiting ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#waiting = undefined;
        return this.#syncOnce(store);
      });
    return this.#waiting;
  }

  async #exclusively<T>(run: () => Promise<T>): Promise<T> {
    while (this.#running !== undefined) await this.#running.catch(() => {});
    const running = run();
    this.#running = running;
    try {
      return await running;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  async #sync(store: IndexStore, options: SyncOptions): Promise<SyncStats> {
    try {
      const { stats, changed, again } = await syncIndex(this.#context(store), options);
      if (changed) store.changed();
      this.#detector.synced(again);
      this.#hasSynced = true;
      return stats;
    } catch (error) {
      this.#detector.synced(undefined);
      throw error;
    }
  }

  #context(store: IndexStore): SyncContext {
    const { config, clock, log } = this.#options;
    return {
      ...{ root: config.root, clock, log, warned: this.#warned },
      ...{
        db: store.db(),
        fingerprints: store.fingerprints(),
        hasMemory: store.hasMemory,
        turns: store.turns,
      },
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
      await this.#exclusively(async () => {
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

function indexError(cause: SqliteError): UserError {
  const message =
    cause.kind === "nomem" || cause.kind === "full"
      ? "The workspace is larger than the index can hold. Serve a smaller root, or move files that need no search elsewhere."
      : "The index failed twice. The files are unharmed: restart the server with --reindex.";
  return new UserError("INDEX_ERROR", message, { cause });
}
