import { type FSWatcher, watch } from "node:fs";
import { openEventBarrier } from "./event-barrier.ts";

/** The entries of a folder that may have changed. */
export interface Dirty {
  names: Set<string>;
  /** Whether names came or went. */
  isRenamed: boolean;
}

/** The system's reports of changes, for single folders. */
export interface Inotify {
  /** From its return on, every change directly in the folder is reported. Throws what the system says. */
  watch(path: string, file: string): FSWatcher;
  /** Marks an entry as changed. */
  markDirty(path: string): void;
  /** The changes up to the call, and since the last one, by folder; undefined when some may be lost. */
  pendingEvents(): Promise<Map<string, Dirty> | undefined>;
  close(): void;
}

interface State {
  dirty: Map<string, Dirty>;
  /** Events of this turn of the loop, which empties the system's queue. */
  count: number;
  most: number;
  isBroken: boolean;
  onChange: () => void;
}

/** With `most` events at once some may be lost: the system silently drops what its queue cannot hold. */
export function openInotify(most: number, onChange: () => void): Inotify {
  const state: State = { dirty: new Map(), count: 0, most, isBroken: false, onChange };
  const barrier = openEventBarrier();
  return {
    watch: (path, file) => watchFolder(state, path, file),
    markDirty: (path) => mark(state.dirty, path),
    pendingEvents: async () => {
      if (!(await barrier.pass()) || state.isBroken) return undefined;
      const { dirty } = state;
      state.dirty = new Map();
      return dirty;
    },
    close: barrier.close,
  };
}

function watchFolder(state: State, path: string, file: string): FSWatcher {
  const watcher = watch(file, { persistent: false }, (type, name) => {
    if (state.count++ === 0) setImmediate(() => (state.count = 0)).unref();
    state.isBroken ||= state.count >= state.most || name === null;
    if (name === null || name.startsWith(".")) return;
    mark(state.dirty, path === "" ? name : `${path}/${name}`, type === "rename");
    state.onChange();
  });
  return watcher.on("error", () => {
    state.isBroken = true;
  });
}

export function mark(dirty: Map<string, Dirty>, path: string, isRenamed = false): void {
  const end = path.lastIndexOf("/");
  const folder = path.slice(0, Math.max(0, end));
  const entries = dirty.get(folder) ?? { names: new Set(), isRenamed };
  entries.isRenamed ||= isRenamed;
  dirty.set(folder, entries);
  entries.names.add(path.slice(end + 1));
}
