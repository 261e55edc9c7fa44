import { useEffect, useState } from "preact/hooks";
import { setMostRecent } from "../../core/lib/collections.ts";
import { writerName } from "../../core/notes/writer.ts";
import { isOwn, settled } from "../changes.ts";
import { can, state } from "../state.ts";
import { browserStorage, readKept } from "../storage.ts";
import { createStore, useStore } from "../store.ts";
import type { Entry, Version } from "./model.ts";
import { changedTasks, outsideEntry } from "./outside.ts";
import { readHistory } from "./read.ts";

export interface Activity {
  /** The newest first; undefined until they are read. */
  entries: readonly Entry[] | undefined;
  /** What others changed since, by path, until someone looks at it. */
  fresh: ReadonlyMap<string, Entry>;
  /** The newest of each path. */
  latest: ReadonlyMap<string, Entry>;
  /** The names of agents that changed something. */
  agents: ReadonlySet<string>;
}

export const activity = createStore<Activity>({
  entries: undefined,
  fresh: new Map(),
  latest: new Map(),
  agents: new Set(),
});

/** How many of the newest changes the page always knows. */
export const KNOWN = 100;
const MOST_FRESH = 500;
/** Changes that come together are read together. */
const WAIT_MS = 400;
/** A change may be in the history well before its task is read again. */
const LATE_MS = 10_000;

/** Reads what changed whenever something does. */
export function followActivity(): void {
  const seen = { tasks: state.get().tasks, at: new Map<string, number>() };
  let { changes } = state.get();
  let isWaiting = false;
  let reading = Promise.resolve();
  const readSoon = () => {
    isWaiting = false;
    reading = reading.then(() => read(seen)).catch(() => {});
  };
  state.follow(() => {
    const now = state.get();
    const isFirst = now.hasTasks && activity.get().entries === undefined;
    if (now.changes === changes && !isFirst) return;
    changes = now.changes;
    if (!isWaiting) setTimeout(readSoon, WAIT_MS);
    isWaiting = true;
  });
}

/** What was known at the last read; `at` says when the page heard of each of its changes. */
interface Seen {
  tasks: ReturnType<typeof state.get>["tasks"];
  at: Map<string, number>;
}

async function read(seen: Seen): Promise<void> {
  if (!can("history")) return;
  await settled();
  // Whatever these show is in the history already, unless it came from outside.
  const { tasks } = state.get();
  const { versions } = await readHistory({}, KNOWN);
  const now = performance.now();
  const isFirst = activity.get().entries === undefined;
  const unseen = versions.filter(({ change }) => !seen.at.has(change));
  seen.at = new Map(versions.map(({ change }) => [change, seen.at.get(change) ?? now]));
  const recent = versions.filter(({ change }) => now - (seen.at.get(change) ?? 0) < LATE_MS);
  const recorded = new Set(recent.map(({ path }) => path));
  // After so many changes at once, the history that was read may lack some.
  const isWhole = !isFirst && unseen.length < versions.length;
  const changed = isWhole ? changedTasks(seen.tasks, tasks) : [];
  const outside = changed.filter(({ path }) => !recorded.has(path));
  seen.tasks = tasks;
  const others = isFirst ? [] : unseen.filter(({ change }) => !isOwn(change));
  add(
    versions,
    outside.map((one) => outsideEntry(one, new Date())),
    others,
  );
}

function add(versions: readonly Version[], outside: readonly Entry[], others: readonly Version[]): void {
  activity.update(({ entries = [], fresh, agents }) => {
    const noticed = [...outside, ...entries.filter(({ isOutside }) => isOutside)].slice(0, KNOWN);
    const named = versions.filter(({ person }) => person !== true).map(writerName);
    const marks = [...others, ...outside].map((entry): [string, Entry] => [entry.path, entry]).reverse();
    const all = newestFirst([...versions, ...noticed]);
    return {
      entries: all,
      latest: new Map(all.map((entry): [string, Entry] => [entry.path, entry]).reverse()),
      fresh: new Map([...fresh, ...marks].slice(-MOST_FRESH)),
      agents: new Set([...agents, ...named]),
    };
  });
}

export function newestFirst(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
}

const LOOKS = "vibe-mcp-looked";
const MOST_LOOKS = 300;

/** When someone looked last in this browser: at a document, at a project, or at all of them (`""`). */
export function lastLooks(): Map<string, string> {
  const kept = readKept(browserStorage, LOOKS);
  return new Map(Array.isArray(kept) ? kept.filter(isLook) : []);
}

function isLook(kept: unknown): kept is [path: string, time: string] {
  return Array.isArray(kept) && !Number.isNaN(Date.parse(kept[1]));
}

/** Someone looks at what is shown, until it or the tab is left. Returns when they did before. */
export function useLook(at: string, isKept = true): string | undefined {
  const isFresh = useStore(activity, ({ fresh }) => fresh.has(at));
  const [before, setBefore] = useState(() => lastLooks().get(at));
  useEffect(() => {
    const leave = () => {
      const kept = lastLooks();
      setMostRecent(kept, MOST_LOOKS, [at, new Date().toISOString()]);
      if (isKept) browserStorage.setItem(LOOKS, JSON.stringify([...kept]));
    };
    const turn = () => (document.hidden ? leave() : setBefore(lastLooks().get(at)));
    document.addEventListener("visibilitychange", turn);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      leave();
    };
  }, [at]);
  useEffect(() => {
    if (isFresh) look(at);
  }, [at, isFresh]);
  return before;
}

/** Someone looks at a document. */
export function look(path: string | undefined): void {
  if (path === undefined || !activity.get().fresh.has(path)) return;
  activity.update((value) => {
    const fresh = new Map(value.fresh);
    fresh.delete(path);
    return { ...value, fresh };
  });
}
