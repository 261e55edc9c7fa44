import { pathKey } from "../lib/file-names.ts";
import { createQueue, type Queue } from "../lib/queue.ts";
import { projectOf } from "../notes/names.ts";
import { type Lock, takeLock } from "./locks.ts";

/** The locks of the projects of a root: calls of this process queue up, and the first takes the lock shared by all processes. */
export interface ProjectLocks {
  root: string;
  queues: Map<string, Queue>;
}

/** The lock of a project, by its name or a path in it. */
export type LockOf = (path: string) => Lock;

/** The locks of some projects, held until they are disposed of. */
interface HeldLocks extends AsyncDisposable {
  lockOf: LockOf;
}

/** Takes the locks of these projects, in an order that all processes keep. */
export async function holdProjects(
  { root, queues }: ProjectLocks,
  projects: Iterable<string>,
): Promise<HeldLocks> {
  const names = new Map([...projects].map((name) => [pathKey(name), name]));
  const locks = new Map<string, Lock>();
  const endings: (() => Promise<void>)[] = [];
  const release = async () => {
    await Promise.all(endings.map((end) => end()));
  };
  try {
    for (const key of [...names.keys()].sort()) {
      const queue = queues.get(key) ?? createQueue();
      queues.set(key, queue);
      const endTurn = await queue.turn();
      const lock = await takeLock(root, names.get(key) ?? key).catch((error: unknown) => {
        endTurn();
        throw error;
      });
      endings.push(async () => {
        try {
          await lock[Symbol.asyncDispose]();
        } finally {
          endTurn();
        }
      });
      locks.set(key, lock);
    }
  } catch (error) {
    await release();
    throw error;
  }
  const lockOf = (path: string) => locks.get(pathKey(projectOf(path))) as Lock;
  return { lockOf, [Symbol.asyncDispose]: release };
}
