import {
  closeSync,
  type FSWatcher,
  futimesSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  watch,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { attempt } from "../storage/fs-errors.ts";
import { temporaryFor } from "../storage/temp-files.ts";

/** File systems whose every change goes through Linux, which reports it, by their magic number in statfs(2). */
const LOCAL = new Map([
  [0xef53, "ext4"],
  [0x58465342, "XFS"],
  [0x9123683e, "Btrfs"],
  [0xf2f52010, "F2FS"],
  [0x2fc12fc1, "ZFS"],
  [0xca451a4e, "bcachefs"],
  [0x01021994, "tmpfs"],
]);

/** Why the changes of a folder are not reported; undefined if they are. */
export function unwatchable(folder: string): string | undefined {
  if (process.platform !== "linux") return "only Linux reports changes in time";
  const type = attempt(() => statfsSync(folder).type);
  if (type === undefined) return "the disk does not say what it is";
  return LOCAL.has(type) ? undefined : "the disk is shared or layered";
}

interface WatchLimits {
  /** Folders one user may watch, in all programs. */
  watches: number;
  /** Events waiting to be read. */
  queue: number;
}

export function watchLimits(): WatchLimits {
  return { watches: limit("max_user_watches", 8192), queue: limit("max_queued_events", 16384) };
}

function limit(name: string, usual: number): number {
  return Number(attempt(() => readFileSync(`/proc/sys/fs/inotify/${name}`, "latin1"))) || usual;
}

/** The entries of a folder that may have changed. */
export interface Dirty {
  names: Set<string>;
  /** Whether names came or went. */
  isRenamed: boolean;
}

/** The system's reports of changes, for single folders. */
export interface Inotify {
  /** Once it returns, every change directly in the folder is reported. Throws system errors. */
  watch(path: string, file: string): FSWatcher;
  /** Marks an entry as changed. */
  markDirty(path: string): void;
  /** The changes since the last call, by folder; undefined if some may be lost. */
  pendingEvents(): Promise<Map<string, Dirty> | undefined>;
  close(): void;
}

interface State {
  dirty: Map<string, Dirty>;
  /** Events in this turn of the loop; each turn empties the system's queue. */
  count: number;
  most: number;
  isBroken: boolean;
  onChange: () => void;
}

/** If `most` events arrive at once, some may be lost: the system silently drops events when its queue is full. */
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

/** A watched file of our own: when its event arrives, all events before it have arrived. */
interface EventBarrier {
  /** Waits for the events up to the call; false if its own does not arrive. */
  pass(): Promise<boolean>;
  close(): void;
}

// Events arrive in one turn of the loop, or the next for a call in mid-turn. Turns, not time: the loop may be busy.
const MAX_TURNS = 4;

/** Linux keeps one queue for each process, in order. Throws system errors. */
function openEventBarrier(): EventBarrier {
  const file = temporaryFor(join(tmpdir(), "event-barrier"));
  const descriptor = openSync(file, "wx", 0o600);
  let events = 0;
  try {
    const watcher = watch(file, { persistent: false }, () => events++);
    watcher.on("error", () => {}); // Then no event arrives, and `pass` answers false.
    return {
      pass: async () => {
        const before = events;
        futimesSync(descriptor, 1, 1);
        for (let turns = 0; events === before && turns < MAX_TURNS; turns++) await turn();
        return events !== before;
      },
      close: () => {
        watcher.close();
        closeSync(descriptor);
      },
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  } finally {
    // An open file can be watched without a name, and leaves nothing behind if the process crashes.
    rmSync(file, { force: true });
  }
}
