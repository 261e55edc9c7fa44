import { pathKey } from "../lib/file-names.ts";
import { createQueue, type Queue } from "../lib/queue.ts";
import { type Lock, withLock } from "./locks.ts";

/** The lock of a project, by its name or a path in it. */
export type LockOf = (path: string) => Lock;

/** Runs `work` while no other work on these projects runs, in any process; it gets the lock of each. */
export type LockProjects = <T>(
  projects: Iterable<string>,
  work: (lockOf: LockOf) => Promise<T>,
) => Promise<T>;

/**
 * A lock for each project: calls of this process queue up, and the first in the queue takes the lock shared by all processes.
 * Several are taken in an order that all processes keep.
 */
export function createProjectLocks(root: string): LockProjects {
  const queues = new Map<string, Queue>();
  const lockOne = async <T>(project: string, work: (lock: Lock) => Promise<T>): Promise<T> => {
    const queue = queues.get(project) ?? createQueue();
    queues.set(project, queue);
    try {
      return await queue.run(() => withLock(root, project, work));
    } finally {
      if (queue.busy() === undefined) queues.delete(project);
    }
  };
  return <T>(projects: Iterable<string>, work: (lockOf: LockOf) => Promise<T>): Promise<T> => {
    const byKey = new Map([...projects].map((name) => [pathKey(name), name]));
    const locks = new Map<string, Lock>();
    const lockOf: LockOf = (path) => locks.get(pathKey(path.split("/", 1)[0] ?? "")) as Lock;
    const lockAll = ([key, ...rest]: string[]): Promise<T> => {
      if (key === undefined) return work(lockOf);
      return lockOne(byKey.get(key) ?? key, (lock) => {
        locks.set(key, lock);
        return lockAll(rest);
      });
    };
    return lockAll([...byKey.keys()].sort());
  };
}
