import { elapsed } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** What was found to have changed since the last time. */
export interface Changes {
  /** Of documents and projects that changed, came or went; `""` for the workspace, which did in any case. */
  paths: ReadonlySet<string>;
  /** Whether anything came or went. */
  isListing: boolean;
}

export interface Follower {
  notify(changes: Changes): void;
  /** Whether it wants to hear even of what no call meets. */
  isWaiting(): boolean;
}

/** Tells followers what changed, a moment later and all at once. */
export interface Feed {
  /** Something changed, as a sync found. */
  record(path: string, isListing: boolean): void;
  /** Something may have changed. */
  markDirty(): void;
  /** Until what it gives is called. */
  follow(follower: Follower): () => void;
  close(): void;
}

export interface FeedOptions {
  log: Log;
  /** Has changes recorded. */
  sync(): Promise<unknown>;
  /** Whether `markDirty` is called when something changes. */
  isWatching(): boolean;
}

/** Editors and checkouts write many times in a row. */
const CALM_MS = 200;
/** Without watching, a sync runs so often while a follower waits, and for a hundredth of the time at most. */
const POLL_MS = 5000;
const POLL_SHARE = 1 / 100;

interface State {
  followers: Set<Follower>;
  paths: Set<string>;
  isListing: boolean;
  isDirty: boolean;
  timer: NodeJS.Timeout | undefined;
  poll: NodeJS.Timeout | undefined;
  /** No poll before, by `elapsed()`. */
  rested: number;
}

export function createFeed(options: FeedOptions): Feed {
  const state: State = {
    ...{ followers: new Set(), paths: new Set(), isListing: false, isDirty: false },
    ...{ timer: undefined, poll: undefined, rested: 0 },
  };
  const { followers } = state;
  return {
    record: (path, isListing) => {
      if (followers.size === 0) return;
      for (const place of ["", path.split("/", 1)[0] ?? "", path]) state.paths.add(place);
      state.isListing ||= isListing;
      plan(options, state);
    },
    markDirty: () => markDirty(options, state),
    follow: (follower) => {
      followers.add(follower);
      state.poll ??= setInterval(() => poll(options, state), POLL_MS).unref();
      return () => {
        followers.delete(follower);
        if (followers.size === 0) stop(state);
      };
    },
    close: () => {
      followers.clear();
      stop(state);
    },
  };
}

function markDirty(options: FeedOptions, state: State): void {
  if (state.followers.size === 0) return;
  state.isDirty = true;
  plan(options, state);
}

function poll(options: FeedOptions, state: State): void {
  const isWanted = [...state.followers].some((follower) => follower.isWaiting());
  if (isWanted && !options.isWatching() && elapsed() >= state.rested) markDirty(options, state);
}

function plan(options: FeedOptions, state: State): void {
  state.timer ??= setTimeout(() => void run(options, state), CALM_MS).unref();
}

async function run({ log, sync }: FeedOptions, state: State): Promise<void> {
  state.timer = undefined;
  const start = elapsed();
  try {
    if (state.isDirty) await sync();
  } catch (error) {
    log.debug(`what changed could not be found: ${error instanceof Error ? error.message : error}`);
  }
  const now = elapsed();
  if (state.isDirty) state.rested = now + (now - start) / POLL_SHARE;
  const { followers, paths, isListing } = state;
  Object.assign(state, { paths: new Set(), isListing: false, isDirty: false });
  if (paths.size > 0) for (const follower of followers) follower.notify({ paths, isListing });
}

function stop(state: State): void {
  clearTimeout(state.timer);
  clearInterval(state.poll);
  Object.assign(state, { timer: undefined, poll: undefined, paths: new Set(), isDirty: false });
}
