import { type Lock, withLock } from "../files/locks.ts";

/** A lock per project: calls of this process stand in line here, and the first of them asks the other processes. */
export function createLocks(
  root: string,
): <T>(project: string, work: (lock: Lock) => Promise<T>) => Promise<T> {
  const lines = new Map<string, Promise<unknown>>();
  return async <T>(project: string, work: (lock: Lock) => Promise<T>): Promise<T> => {
    const before = lines.get(project) ?? Promise.resolve();
    const turn = before.then(() => withLock(root, project, work));
    const settled = turn.catch(() => {});
    lines.set(project, settled);
    try {
      return await turn;
    } finally {
      if (lines.get(project) === settled) lines.delete(project);
    }
  };
}
