import { type Lock, lockKey, withLock } from "../storage/locks.ts";

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

/** Runs `work` while no other work on its project runs, in any process. */
export type Locked = <T>(project: string, work: (lock: Lock) => Promise<T>) => Promise<T>;

/** Locks several projects, in an order that all processes keep; `work` gets the lock of each. */
export async function lockAll<T>(
  locked: Locked,
  projects: Iterable<string>,
  work: (lockOf: (project: string) => Lock) => Promise<T>,
): Promise<T> {
  const byKey = new Map([...projects].map((name) => [lockKey(name), name]));
  const locks = new Map<string, Lock>();
  const lockOf = (project: string) => locks.get(lockKey(project)) as Lock;
  const take = ([key, ...rest]: string[]): Promise<T> => {
    if (key === undefined) return work(lockOf);
    return locked(byKey.get(key) ?? key, (lock) => {
      locks.set(key, lock);
      return take(rest);
    });
  };
  return take([...byKey.keys()].sort());
}

/** A lock per project: calls of this process queue up, and the first in the queue takes the lock shared by all processes. */
export function createLocks(root: string): Locked {
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
