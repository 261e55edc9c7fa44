import { pathKey } from "../lib/file-names.ts";
import { projectOf } from "../notes/names.ts";
import { type HeldLock, type Lock, takeLock } from "./locks.ts";

/** The locks of the projects of a root: calls of this process queue up, and the first takes the lock shared by all processes. */
export interface ProjectLocks {
  root: string;
  /** When the last of the calls ends that wait for a project. */
  ends: Map<string, Promise<void>>;
}

/** The lock of a project, by its name or a path in it. */
export type LockOf = (path: string) => Lock;

/** The locks of some projects, held until they are disposed of. */
interface HeldLocks extends AsyncDisposable {
  lockOf: LockOf;
}

/** Takes the locks of these projects, in an order that all processes keep. */
export async function holdProjects(locks: ProjectLocks, projects: Iterable<string>): Promise<HeldLocks> {
  const names = new Map([...projects].map((name) => [pathKey(name), name]));
  const held = new Map<string, HeldLock>();
  const release = async () => {
    await Promise.all([...held.values()].map((lock) => lock[Symbol.asyncDispose]()));
  };
  try {
    for (const [key, name] of [...names].sort(([a], [b]) => (a < b ? -1 : 1)))
      held.set(key, await holdProject(locks, key, name));
  } catch (error) {
    await release();
    throw error;
  }
  const lockOf = (path: string) => held.get(pathKey(projectOf(path))) as Lock;
  return { lockOf, [Symbol.asyncDispose]: release };
}

async function holdProject({ root, ends }: ProjectLocks, key: string, name: string): Promise<HeldLock> {
  const before = ends.get(key);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const leave = () => {
    if (ends.get(key) === ended) ends.delete(key);
    end();
  };
  ends.set(key, ended);
  await before;
  try {
    const lock = await takeLock(root, name);
    return { ...lock, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}
