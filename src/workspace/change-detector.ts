import { scanChanges } from "../files/scan-changes.ts";
import { type Scan, type ScannedFile, scanWorkspace } from "../files/walk.ts";
import { openWatchTree, refresh, type WatchTree } from "../files/watch-tree.ts";
import type { Stamps } from "../index/stamps.ts";
import { elapsed } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** What may have changed since the last look: by the system's word where that holds, else by a walk over everything. */
export interface ChangeDetector {
  scanChanges(): Promise<Scan>;
  /** After a sync: the documents to look at again in any case; undefined when it failed. */
  done(again: readonly string[] | undefined): void;
  /** Whether the system's word holds. */
  isWatching(): boolean;
  close(): void;
}

export interface ChangeDetectorOptions {
  root: string;
  log: Log;
  watch?: boolean | undefined;
  /** Told when something may have changed, where watching holds. */
  onChange(): void;
  /** The stamps of what is indexed, when it is loaded. */
  known(): Stamps | undefined;
}

interface State {
  watched: WatchTree | undefined;
  /** Whether all watches are set. */
  isComplete: boolean;
  /** Whether the next look has to be at everything. */
  whole: boolean;
  again: Set<string>;
  /** What the looks were compared with so far. */
  known: Stamps | undefined;
  timer: NodeJS.Timeout | undefined;
  /** When the watches are gone over, by `elapsed()`. */
  next: number;
  /** How often watching was given up. */
  failures: number;
  said: Set<string>;
  isClosed: boolean;
}

/** A moment after an answer: setting watches takes time that no answer should wait for. */
const DELAY_MS = 100;
/** Some changes are told by nobody (a memory-mapped file, a disk mounted over a folder): all is gone over in such turns. */
const ROUND_MS = 30_000;
/** What was given up is tried again, at first so soon; a checkout of thousands of files is over then. */
const RETRY_MS = 1000;
const MOST_DOUBLINGS = 6;

export function createChangeDetector(options: ChangeDetectorOptions): ChangeDetector {
  const state: State = {
    ...{ watched: undefined, isComplete: false, whole: true, again: new Set(), known: undefined },
    ...{ timer: undefined, next: 0, failures: 0, said: new Set(), isClosed: options.watch !== true },
  };
  return {
    scanChanges: async () => (await watchedChanges(options, state)) ?? scanWorkspace(options.root),
    done: (again) => {
      for (const path of again ?? []) state.again.add(path);
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
  const { watched, isComplete, again } = state;
  state.again = new Set();
  if (watched === undefined || !isComplete) return undefined;
  const known = options.known();
  const whole = state.whole || known !== state.known;
  try {
    const scan = await scanChanges(watched, options.root, { again, whole });
    if (scan === undefined) throw new Error("some changes may not have been told");
    Object.assign(state, { known, whole: false });
    return scan;
  } catch (error) {
    if (state.watched === watched) giveUp(options, state, error);
    return undefined;
  }
}

function schedule(options: ChangeDetectorOptions, state: State): void {
  if (state.isClosed || state.timer !== undefined || elapsed() < state.next) return;
  state.timer = setTimeout(() => void round(options, state), DELAY_MS).unref();
}

/** Sets the watches that are missing, and finds what nobody told. */
async function round(options: ChangeDetectorOptions, state: State): Promise<void> {
  const seen = new Set<string>();
  state.next = elapsed() + ROUND_MS;
  try {
    state.watched ??= openWatchTree(options.root, options.onChange);
    const { watched } = state;
    const isWanted = () => state.watched === watched;
    const isDone = await refresh(watched, isWanted, ({ files, temporaries }, isNew) => {
      state.whole ||= isNew || temporaries.length > 0;
      for (const file of files) {
        seen.add(file.path);
        if (!isAsKnown(options, file)) state.again.add(file.path);
      }
    });
    if (isDone && isWanted()) finish(options, state, seen);
    if (state.whole || state.again.size > 0) options.onChange();
  } catch (error) {
    giveUp(options, state, error);
  }
  state.timer = undefined;
}

function isAsKnown(
  { known }: ChangeDetectorOptions,
  { path, size, modified, changed }: ScannedFile,
): boolean {
  const stamp = known()?.get(path);
  return stamp?.size === size && stamp.mtime === modified && stamp.ctime === changed;
}

function finish({ log, known }: ChangeDetectorOptions, state: State, seen: ReadonlySet<string>): void {
  for (const path of known()?.keys() ?? []) if (!seen.has(path)) state.again.add(path);
  if (state.isComplete) state.failures = 0;
  state.isComplete = true;
  sayOnce(log, state, `watching ${state.watched?.inotify.size} folders`);
}

function giveUp({ log }: ChangeDetectorOptions, state: State, error: unknown): void {
  stop(state);
  state.next = elapsed() + RETRY_MS * 4 ** Math.min(state.failures++, MOST_DOUBLINGS);
  const reason = error instanceof Error ? error.message : error;
  sayOnce(log, state, `not watching (${reason}): every call looks at all files`);
}

function stop(state: State): void {
  clearTimeout(state.timer);
  state.watched?.inotify.close();
  Object.assign(state, { watched: undefined, isComplete: false, timer: undefined });
}

function sayOnce(log: Log, { said }: State, message: string): void {
  if (!said.has(message)) log.info(message);
  said.add(message);
}
