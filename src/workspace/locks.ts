import { type Lock, withLock } from "../storage/locks.ts";

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
