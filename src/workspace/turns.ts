import { type Lock, withLock } from "../storage/locks.ts";

/**
 * Lets a large document be written in one transaction while other work runs. That may not use the index meanwhile: right
 * before it does, it waits while `busy` returns a promise.
 */
export interface Turns {
  busy(): Promise<unknown> | undefined;
  /** Runs `work` when nothing else is written, or saved. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** `saving` is what has to end before a document may be written in turns. */
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

/** A lock per project: calls of this process queue here, and the first of them takes the lock that processes share. */
export function createLocks(
  root: string,
): <T>(project: string, work: (lock: Lock) => Promise<T>) => Promise<T> {
  const lines = new Map<string, Promise<unknown>>();
  return async <T>(project: string, work: (lock: Lock) => Promise<T>): Promise<T> => {
    const before = lines.get(project) ?? Promise.resolve();
    const turn = before.then(() => withLock(root, project, work));
    const ended = turn.catch(() => {});
    lines.set(project, ended);
    try {
      return await turn;
    } finally {
      if (lines.get(project) === ended) lines.delete(project);
    }
  };
}
