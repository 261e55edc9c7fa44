import { type Lock, withLock } from "../storage/locks.ts";

/**
 * Lets a large document be written in one transaction while other work runs. Other work may not use the index meanwhile:
 * right before it does, it waits as long as `busy` returns a promise.
 */
export interface Turns {
  busy(): Promise<unknown> | undefined;
  /** Runs `work` once no other large document is being written and no save is running. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** `saving` returns a promise while the index is being saved. */
export function createTurns(saving: () => Promise<unknown> | undefined = () => undefined): Turns {
  let running: Promise<unknown> | undefined;
  const take = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let other = running ?? saving(); other !== undefined; other = running ?? saving()) await other;
    const taken = work();
    running = taken.catch(() => {});
    try {
      return await taken;
    } finally {
      running = undefined;
    }
  };
  return { busy: () => running, take };
}

/** A lock per project: calls of this process queue up, and the first in the queue takes the lock shared by all processes. */
export function createLocks(
  root: string,
): <T>(project: string, work: (lock: Lock) => Promise<T>) => Promise<T> {
  const queues = new Map<string, Promise<unknown>>();
  return async <T>(project: string, work: (lock: Lock) => Promise<T>): Promise<T> => {
    const before = queues.get(project) ?? Promise.resolve();
    const turn = before.then(() => withLock(root, project, work));
    const ended = turn.catch(() => {});
    queues.set(project, ended);
    try {
      return await turn;
    } finally {
      if (queues.get(project) === ended) queues.delete(project);
    }
  };
}
