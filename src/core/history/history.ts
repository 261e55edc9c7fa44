import type { HistoryBounds } from "../config/history.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { explain } from "../storage/fs-errors.ts";
import type { ProjectLocks } from "../storage/project-locks.ts";
import { type Actors, createActors } from "./actor.ts";
import { Journal } from "./journal.ts";
import { isPruneDue, prune } from "./prune.ts";

export interface HistoryOptions {
  root: string;
  /** The user's state folder. */
  state: string | undefined;
  bounds: HistoryBounds;
  clock: Clock;
  log: Log;
}

/** Stores what this server replaces, moves and removes, before it does. */
export interface History extends HistoryOptions, Actors {
  journal: Journal;
  locks: ProjectLocks;
  /** What is too old or too much is being removed. */
  pruning: Promise<void> | undefined;
  /** Called after each file of a change. */
  onWrite?: (done: number, total: number) => void;
}

export function openHistory(options: HistoryOptions): History {
  const { root, state } = options;
  const locks = { root, ends: new Map() };
  return { ...options, ...createActors(), journal: new Journal(root, state), locks, pruning: undefined };
}

/** Removes what is too old or too much. */
export function pruneIfDue(history: History): void {
  const { root, bounds, clock, log, journal, pruning } = history;
  const now = clock.now().getTime();
  if (pruning !== undefined || !isPruneDue(root, now)) return;
  history.pruning = prune(root, bounds, { now, open: () => journal.read() })
    .catch((error: unknown) => log.warn(`the history was not pruned: ${explain(error)}`))
    .finally(() => {
      history.pruning = undefined;
    });
}
