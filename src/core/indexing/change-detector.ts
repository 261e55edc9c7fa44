import type { FileFingerprints } from "../index/index-image.ts";
import { elapsed } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Scan } from "../storage/walk.ts";
import { scanChanges } from "../watch/scan-changes.ts";
import { closeTree, openWatchTree, refresh, type WatchTree } from "../watch/watch-tree.ts";
import { isIndexed } from "./diff.ts";

interface ChangeDetectorOptions {
  root: string;
  /** A scan of everything. */
  scan(): Scan | Promise<Scan>;
  log: Log;
  watch?: boolean | undefined;
  /** Called while watching, when something may have changed. */
  onChange(): void;
  /** The fingerprints of the indexed files, once the index is loaded. */
  fingerprints(): FileFingerprints | undefined;
}

/** Watching is set up this long after an answer, so that no answer waits for it. */
const DELAY_MS = 100;
/** Some changes are not reported (a memory-mapped file, a disk mounted over a folder): a scan this often finds them. */
const ROUND_MS = 30_000;
/** The first retry after giving up: a checkout of thousands of files is over by then. */
const RETRY_MS = 1000;
const MAX_DOUBLINGS = 6;

/** Finds what may have changed since the last scan: by the system's events if they are reliable, else by a full scan. */
export class ChangeDetector {
  readonly #options: ChangeDetectorOptions;
  readonly #logged = new Set<string>();
  #tree: WatchTree | undefined;
  /** Whether all folders are watched. */
  #isComplete = false;
  #needsFullScan = true;
  /** The fingerprints at the last scan: another map means another index, which may miss anything. */
  #fingerprints: FileFingerprints | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** By `elapsed()`. */
  #nextRound = 0;
  /** How often watching was given up. */
  #failures = 0;
  #isClosed: boolean;

  constructor(options: ChangeDetectorOptions) {
    this.#options = options;
    this.#isClosed = options.watch !== true;
  }

  /** Whether changes come from the system's events. */
  get isWatching(): boolean {
    return this.#isComplete;
  }

  async scanChanges(): Promise<Scan> {
    return (await this.#watchedChanges()) ?? this.#options.scan();
  }

  /** After a sync: the documents to check again in any case; undefined if it failed. */
  synced(again: readonly string[] | undefined): void {
    for (const path of again ?? []) this.#tree?.inotify.markDirty(path);
    this.#needsFullScan ||= again === undefined;
    if (this.#isClosed || this.#timer !== undefined || elapsed() < this.#nextRound) return;
    this.#timer = setTimeout(() => void this.#round(), DELAY_MS).unref();
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #watchedChanges(): Promise<Scan | undefined> {
    const tree = this.#tree;
    if (tree === undefined || !this.#isComplete) return undefined;
    const fingerprints = this.#options.fingerprints();
    try {
      const isWhole = this.#needsFullScan || fingerprints !== this.#fingerprints;
      const scan = await scanChanges(tree, this.#options.root, isWhole);
      if (scan === undefined) throw new Error("events may be lost");
      this.#fingerprints = fingerprints;
      this.#needsFullScan = false;
      return scan;
    } catch (error) {
      if (this.#tree === tree) this.#giveUp(error);
      return undefined;
    }
  }

  async #round(): Promise<void> {
    this.#nextRound = elapsed() + ROUND_MS;
    try {
      this.#tree ??= openWatchTree(this.#options.root, this.#options.onChange);
      await this.#watchAll(this.#tree);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#timer = undefined;
  }

  /** Watches the folders that are not watched yet, and finds unreported changes. */
  async #watchAll(tree: WatchTree): Promise<void> {
    const { fingerprints, onChange } = this.#options;
    const { size } = tree.folders;
    const changed = new Set(fingerprints()?.keys());
    const isCurrent = () => this.#tree === tree;
    const isDone = await refresh(tree, isCurrent, ({ files, temporaries }) => {
      const indexed = fingerprints();
      for (const file of files) {
        if (isIndexed(indexed?.get(file.path), file)) changed.delete(file.path);
        else changed.add(file.path);
      }
      this.#needsFullScan ||= temporaries.length > 0;
    });
    if (!isDone || !isCurrent()) return;
    for (const path of changed) tree.inotify.markDirty(path);
    this.#needsFullScan ||= tree.folders.size > size;
    if (this.#needsFullScan || changed.size > 0) onChange();
    if (this.#isComplete) this.#failures = 0;
    this.#isComplete = true;
    this.#logOnce(`watching ${tree.folders.size} folders`);
  }

  #giveUp(error: unknown): void {
    this.#stop();
    this.#nextRound = elapsed() + RETRY_MS * 4 ** Math.min(this.#failures++, MAX_DOUBLINGS);
    const reason = error instanceof Error ? error.message : error;
    this.#logOnce(`not watching (${reason}): every call scans all files`);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.#tree !== undefined) closeTree(this.#tree);
    this.#tree = this.#timer = undefined;
    this.#isComplete = false;
  }

  #logOnce(message: string): void {
    if (!this.#logged.has(message)) this.#options.log.info(message);
    this.#logged.add(message);
  }
}
