import { elapsed } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { projectOf } from "../notes/names.ts";

/** The changes found since the last notification. */
export interface Changes {
  /** The paths of documents and projects that changed, came or went, and always `""` for the workspace itself. */
  paths: ReadonlySet<string>;
  /** Whether anything came or went. */
  isListing: boolean;
}

export interface Follower {
  notify(changes: Changes): void;
  /** Whether it needs notifications even while no calls come in. */
  isWaiting(): boolean;
}

interface FeedOptions {
  log: Log;
  /** A sync, which records the changes it finds. */
  sync(): Promise<unknown>;
  /** Whether `markDirty` is called for every change. */
  isWatching(): boolean;
}

/** Notifications wait this long: editors and checkouts write many times in a row. */
const CALM_MS = 200;
/** Without watching, a sync runs this often while a follower waits, but takes at most a hundredth of the time. */
const POLL_MS = 5000;
const POLL_SHARE = 1 / 100;

/** Notifies followers of changes, a moment later and all at once. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #followers = new Set<Follower>();
  #paths = new Set<string>();
  #isListing = false;
  #isDirty = false;
  #timer: NodeJS.Timeout | undefined;
  #interval: NodeJS.Timeout | undefined;
  /** By `elapsed()`. */
  #nextPoll = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** A sync found that a path changed, or, with `isListing`, came or went. */
  record(path: string, isListing: boolean): void {
    if (this.#followers.size === 0) return;
    for (const place of ["", projectOf(path), path]) this.#paths.add(place);
    this.#isListing ||= isListing;
    this.#schedule();
  }

  /** Something may have changed. */
  markDirty(): void {
    if (this.#followers.size === 0) return;
    this.#isDirty = true;
    this.#schedule();
  }

  /** Returns a function that ends it. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    this.#interval ??= setInterval(() => this.#poll(), POLL_MS).unref();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.close();
    };
  }

  close(): void {
    this.#followers.clear();
    clearTimeout(this.#timer);
    clearInterval(this.#interval);
    this.#timer = this.#interval = undefined;
    this.#paths.clear();
    this.#isDirty = false;
  }

  #poll(): void {
    const isWaiting = [...this.#followers].some((follower) => follower.isWaiting());
    if (isWaiting && !this.#options.isWatching() && elapsed() >= this.#nextPoll) this.markDirty();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#notify(), CALM_MS).unref();
  }

  async #notify(): Promise<void> {
    this.#timer = undefined;
    const start = elapsed();
    try {
      if (this.#isDirty) await this.#options.sync();
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      this.#options.log.debug(`could not find what changed: ${reason}`);
    }
    const now = elapsed();
    if (this.#isDirty) this.#nextPoll = now + (now - start) / POLL_SHARE;
    const changes = { paths: this.#paths, isListing: this.#isListing };
    this.#paths = new Set();
    this.#isListing = this.#isDirty = false;
    if (changes.paths.size > 0) for (const follower of this.#followers) follower.notify(changes);
  }
}
