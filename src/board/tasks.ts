import { groupBy } from "../core/lib/collections.ts";
import { clock } from "./clock.ts";
import type { Task } from "./model.ts";
import { call, type State, state } from "./state.ts";
import { keepUnchanged } from "./task-list.ts";

/** Reads a project's tasks again: after a change, and after each call of this page that writes. */
export async function refresh(project: string): Promise<void> {
  await readTasks(project);
  countChanges([project]);
}

// A claim that runs out changes no file.
clock.follow(() => {
  for (const [project, tasks] of state.get().tasks)
    if (tasks.some(({ held_until: end = "" }) => Date.parse(end) <= clock.get()))
      readTasks(project).catch(() => {});
});

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
  return startRead([project], { project });
}

/** Reads the tasks of all projects together: a call for each takes far longer. Throws what Client.call throws. */
export async function readAll(projects: readonly string[]): Promise<void> {
  const idle = projects.filter((project) => !reads.has(project));
  const busy = projects.filter((project) => reads.has(project));
  await Promise.all([startRead(idle, {}), ...busy.map(readTasks)]);
}

function startRead(projects: readonly string[], filter: { project?: string }): Promise<void> {
  const now = readPages(projects, filter);
  for (const project of projects) {
    const read: Read = { now };
    reads.set(project, read);
    const end = () => {
      if (read.next === undefined) reads.delete(project);
    };
    now.then(end, end);
  }
  return now;
}

/** Views that show documents of these projects read them again. */
export function countChanges(projects: readonly string[]): void {
  state.update((value) => {
    const counted = projects.map((name): [string, number] => [name, (value.changes.get(name) ?? 0) + 1]);
    return { ...value, changes: new Map([...value.changes, ...counted]) };
  });
}

/** The first time, each page is shown as soon as it is there. */
async function readPages(projects: readonly string[], filter: { project?: string }): Promise<void> {
  // A task that changes meanwhile may be on two pages.
  const tasks = new Map<string, Task>();
  const known = state.get().tasks;
  const isFirst = !projects.some((project) => known.has(project));
  const showTasks = () => {
    const byProject = groupBy(tasks.values(), ({ project }) => project);
    return show(projects.map((project) => [project, byProject.get(project) ?? []]));
  };
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: { tasks: Task[]; next_offset?: number } = await call("list_tasks", {
      ...filter,
      offset,
      limit: 500,
    });
    for (const task of page.tasks) tasks.set(task.path, task);
    offset = page.next_offset;
    if (isFirst) void showTasks();
  }
  await showTasks();
}

/** Short enough to look like at once; the first tasks come together anyway. */
const SHOW_MS = 30;
const waiting = new Map<string, readonly Task[]>();
let next: Promise<void> | undefined;

/** Shows together what arrives together: a render for each of many projects takes long. */
function show(lists: readonly (readonly [project: string, tasks: readonly Task[]])[]): Promise<void> {
  for (const [project, tasks] of lists) waiting.set(project, tasks);
  next ??= new Promise((done) => setTimeout(done, state.get().hasTasks ? SHOW_MS : 0)).then(() => {
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
