import type { Task } from "./model.ts";
import { call, type State, state } from "./state.ts";
import { keepUnchanged } from "./task-list.ts";

/** Reads a project's tasks again: after a change, and after each call of this page that writes. */
export async function refresh(project: string): Promise<void> {
  await readTasks(project);
  countChange(project);
}

interface Read {
  now: Promise<void>;
  next?: Promise<void>;
}

/** By project. */
const reads = new Map<string, Read>();

/** What is being read may miss a change: one more read serves all that ask meanwhile. */
export function readTasks(project: string): Promise<void> {
  const read = reads.get(project);
  if (read === undefined) return readNow(project);
  read.next ??= read.now.catch(() => {}).then(() => readNow(project));
  return read.next;
}

function readNow(project: string): Promise<void> {
  const read: Read = { now: readPages(project) };
  reads.set(project, read);
  const end = () => {
    if (read.next === undefined) reads.delete(project);
  };
  read.now.then(end, end);
  return read.now;
}

function countChange(project: string): void {
  state.update((value) => ({
    ...value,
    changes: new Map(value.changes).set(project, (value.changes.get(project) ?? 0) + 1),
  }));
}

/** The first time, each page is shown as soon as it is there. */
async function readPages(project: string): Promise<void> {
  // A task that changes meanwhile may be on two pages.
  const tasks = new Map<string, Task>();
  const isFirst = !state.get().tasks.has(project);
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: { tasks: Task[]; next_offset?: number } = await call("list_tasks", {
      project,
      offset,
      limit: 500,
    });
    for (const task of page.tasks) tasks.set(task.path, task);
    offset = page.next_offset;
    if (isFirst) void show(project, [...tasks.values()]);
  }
  await show(project, [...tasks.values()]);
}

/** Short enough to look like at once. */
const SHOW_MS = 30;
const waiting = new Map<string, readonly Task[]>();
let next: Promise<void> | undefined;

/** Shows together what arrives together: a render for each of many projects takes long. */
function show(project: string, tasks: readonly Task[]): Promise<void> {
  waiting.set(project, tasks);
  next ??= new Promise((done) => setTimeout(done, SHOW_MS)).then(() => {
    next = undefined;
    const arrived = [...waiting];
    waiting.clear();
    state.update((value) => arrived.reduce(withTasks, value));
  });
  return next;
}

function withTasks(value: State, [project, tasks]: readonly [string, readonly Task[]]): State {
  const before = value.tasks.get(project);
  const after = keepUnchanged(before ?? [], tasks);
  return after === before ? value : { ...value, tasks: new Map(value.tasks).set(project, after) };
}
