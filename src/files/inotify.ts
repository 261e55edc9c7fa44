import { type FSWatcher, watch } from "node:fs";
import { openEventBarrier } from "./event-barrier.ts";

/** What was told of one folder. */
export interface Notice {
  /** The entries that changed; U+FFFD stands for a name that is not told as it is. */
  names: Set<string>;
  /** Whether names came or went. */
  isListing: boolean;
}

/** What the system tells of changes in single folders, since it was last taken. */
export interface Inotify {
  /** When it returns, nothing that happens directly in the folder is missed any more. Throws what the system says. */
  add(path: string, file: string): void;
  has(path: string): boolean;
  readonly size: number;
  /** Forgets a folder and all below it. */
  drop(path: string): void;
  /** Brings in what happened before the call; false when something may be missing. */
  drain(): Promise<boolean>;
  /** By the path of the folder. */
  take(): Map<string, Notice>;
  close(): void;
}

interface State {
  watchers: Map<string, FSWatcher>;
  told: Map<string, Notice>;
  /** Changes told in this turn of the loop, which empties the system's queue. */
  count: number;
  most: number;
  isBroken: boolean;
  onChange: () => void;
}

/**
 * `most` is how many changes at once are believed to be all: what its queue cannot hold the system drops without a word.
 * Throws what the system says.
 */
export function openInotify(most: number, onChange: () => void): Inotify {
  const state: State = { watchers: new Map(), told: new Map(), count: 0, most, isBroken: false, onChange };
  const { watchers } = state;
  const barrier = openEventBarrier();
  return {
    add: (path, file) => add(state, path, file),
    has: (path) => watchers.has(path),
    get size() {
      return watchers.size;
    },
    drop: (path) => drop(state, path),
    drain: async () => (await barrier.pass()) && !state.isBroken,
    take: () => {
      const { told } = state;
      state.told = new Map();
      return told;
    },
    close: () => {
      drop(state, "");
      barrier.close();
    },
  };
}

function add(state: State, path: string, file: string): void {
  const watcher = watch(file, { persistent: false }, (type, name) => tell(state, path, { type, name }));
  watcher.on("error", () => {
    state.isBroken = true;
  });
  state.watchers.get(path)?.close();
  state.watchers.set(path, watcher);
}

function tell(state: State, path: string, { type, name }: { type: string; name: string | null }): void {
  if (state.count++ === 0) setImmediate(() => (state.count = 0)).unref();
  state.isBroken ||= state.count >= state.most;
  if (name?.startsWith(".")) return;
  let notice = state.told.get(path);
  if (notice === undefined) {
    notice = { names: new Set(), isListing: false };
    state.told.set(path, notice);
  }
  notice.names.add(name ?? "\uFFFD");
  notice.isListing ||= type === "rename";
  state.onChange();
}

function drop({ watchers }: State, path: string): void {
  for (const [folder, watcher] of watchers) {
    if (path !== "" && folder !== path && !folder.startsWith(`${path}/`)) continue;
    watcher.close();
    watchers.delete(folder);
  }
}
