import { scanChanges } from "../files/scan-changes.ts";
import { type Scan, scanWorkspace } from "../files/walk.ts";
import { closeTree, openWatchTree, refresh, type WatchTree } from "../files/watch-tree.ts";
import type { Stamps } from "../index/stamps.ts";
import { elapsed } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { isKnown } from "./compare.ts";

/** What may have changed since the last scan: as the system reports it where that can be relied on, else by a walk. */
export interface ChangeDetector {
  scanChanges(): Promise<Scan>;
  /** After a sync: the documents to check again in any case; undefined when it failed. */
  done(again: readonly string[] | undefined): void;
  /** Whether the system's reports are relied on. */
  isWatching(): boolean;
  close(): void;
}

export interface ChangeDetectorOptions {
  root: string;
  log: Log;
  watch?: boolean | undefined;
  /** Called when something may have changed, while watching. */
  onChange(): void;
  /** The stamps of what is indexed, when it is loaded. */
  known(): Stamps | undefined;
}

interface State {
  tree: WatchTree | undefined;
  /** Whether all folders are watched. */
  isComplete: boolean;
  /** Whether the next scan has to be of everything. */
  whole: boolean;
  /** What the scans were compared with so far. */
  known: Stamps | undefined;
  timer: NodeJS.Timeout | undefined;
  /** When the next round begins, by `elapsed()`. */
  next: number;
  /** How often watching was given up. */
  failures: number;
  said: Set<string>;
  isClosed: boolean;
}

/** A moment after an answer: watching takes time to set up that no answer should wait for. */
const DELAY_MS = 100;
/** Some changes are not reported (a memory-mapped file, a disk mounted over a folder): all is walked in such rounds. */
const ROUND_MS = 30_000;
/** What was given up is tried again, at first so soon; a checkout of thousands of files is over then. */
const RETRY_MS = 1000;
const MOST_DOUBLINGS = 6;

export function createChangeDetector(options: ChangeDetectorOptions): ChangeDetector {
  const state: State = {
    ...{ tree: undefined, isComplete: false, whole: true, known: undefined },
    ...{ timer: undefined, next: 0, failures: 0, said: new Set(), isClosed: options.watch !== true },
  };
  return {
    scanChanges: async () => (await watchedChanges(options, state)) ?? scanWorkspace(options.root),
    done: (again) => {
      for (const path of again ?? []) state.tree?.inotify.markDirty(path);
      state.whole ||= again === undefined;
      schedule(options, state);
    },
    isWatching: () => state.isComplete,
    close: () => {
      state.isClosed = true;
      stop(state);
    },
  };
}

async function watchedChanges(options: ChangeDetectorOptions, state: State): Promise<Scan | undefined> {
  const { tree, isComplete } = state;
  if (tree === undefined || !isComplete) return undefined;
  const known = options.known();
  try {
    const scan = await scanChanges(tree, options.root, state.whole || known !== state.known);
    if (scan === undefined) throw new Error("some changes may not have been told");
    Object.assign(state, { known, whole: false });
    return scan;
  } catch (error) {
    if (state.tree === tree) giveUp(options, state, error);
    return undefined;
  }
}

function schedule(options: ChangeDetectorOptions, state: State): void {
  if (state.isClosed || state.timer !== undefined || elapsed() < state.next) return;
  state.timer = setTimeout(() => void round(options, state), DELAY_MS).unref();
}

async function round(options: ChangeDetectorOptions, state: State): Promise<void> {
  state.next = elapsed() + ROUND_MS;
  try {
    state.tree ??= openWatchTree(options.root, options.onChange);
    await watchAll(options, state, state.tree);
  } catch (error) {
    giveUp(options, state, error);
  }
  state.timer = undefined;
}

/** Watches what is not watched yet, and finds what was not reported. */
async function watchAll(
  { log, known, onChange }: ChangeDetectorOptions,
  state: State,
  tree: WatchTree,
): Promise<void> {
  const { size } = tree.folders;
  const changed = new Set(known()?.keys());
  const isWanted = () => state.tree === tree;
  const isDone = await refresh(tree, isWanted, ({ files, temporaries }) => {
    const stamps = known();
    for (const file of files) {
      if (stamps !== undefined && isKnown({ known: stamps }, file)) changed.delete(file.path);
      else changed.add(file.path);
    }
    state.whole ||= temporaries.length > 0;
  });
  if (!isDone || !isWanted()) return;
  for (const path of changed) tree.inotify.markDirty(path);
  state.whole ||= tree.folders.size > size;
  if (state.whole || changed.size > 0) onChange();
  if (state.isComplete) state.failures = 0;
  state.isComplete = true;
  sayOnce(log, state, `watching ${tree.folders.size} folders`);
}

function giveUp({ log }: ChangeDetectorOptions, state: State, error: unknown): void {
  stop(state);
  state.next = elapsed() + RETRY_MS * 4 ** Math.min(state.failures++, MOST_DOUBLINGS);
  const reason = error instanceof Error ? error.message : error;
  sayOnce(log, state, `not watching (${reason}): every call looks at all files`);
}

function stop(state: State): void {
  clearTimeout(state.timer);
  if (state.tree !== undefined) closeTree(state.tree);
  Object.assign(state, { tree: undefined, isComplete: false, timer: undefined });
}

function sayOnce(log: Log, { said }: State, message: string): void {
  if (!said.has(message)) log.info(message);
  said.add(message);
}
