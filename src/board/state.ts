import { words } from "./app-words.ts";
import { type Client, ConnectionError, createClient, LoginError } from "./mcp-client.ts";
import type { Project, Task } from "./model.ts";
import { keepToken, takeToken } from "./route.ts";
import { createStore } from "./store.ts";
import { keepUnchanged } from "./task-list.ts";

/** What the page knows of the workspace. */
export interface State {
  /** `login`: the server wants a token, or refuses the one it got. `lost`: it cannot be reached; the page tries again by itself. */
  connection: "connecting" | "live" | "lost" | "login" | "refused";
  /** The tools that this token may call: without those that write, views show no actions. */
  tools: ReadonlySet<string>;
  projects: readonly Project[];
  /** By project. */
  tasks: Readonly<Record<string, readonly Task[]>>;
  /** Counts the changes of each project, of `""` for any: views that show documents read them again when it grows. */
  changes: Readonly<Record<string, number>>;
  /** What went wrong, for people. */
  problem: string | undefined;
}

export const state = createStore<State>({
  ...{ connection: "connecting", tools: new Set(), projects: [], problem: undefined },
  ...{ tasks: byProject(), changes: byProject() },
});

/** Without a prototype: a project may be called `constructor`. */
function byProject<T>(...parts: Readonly<Record<string, T>>[]): Record<string, T> {
  return Object.assign(Object.create(null), ...parts);
}

let token = takeToken();
const client: Client = createClient(new URL("mcp", location.href).href, () => token);

const set = (changes: Partial<State>) => state.update((value) => ({ ...value, ...changes }));

/** Calls a tool; see Client.call. Every view reads and writes through it. */
export async function call<T>(tool: string, args?: object): Promise<T> {
  try {
    return await client.call<T>(tool, args);
  } catch (error) {
    if (error instanceof LoginError) askForToken();
    throw error;
  }
}

function askForToken(): void {
  set({ connection: token === undefined ? "login" : "refused" });
}

export function login(text: string): void {
  token = text.trim();
  keepToken(token);
  set({ connection: "connecting" });
  start();
}

/** Without these, `--tools` leaves nothing to show. */
const NEEDED = ["list_projects", "list_tasks", "read_doc"];
const URI = "vibe://projects";
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
let stream = new AbortController();

/** Loads everything, then follows changes while the page is seen. */
export function start(): void {
  stream.abort();
  stream = new AbortController();
  if (!document.hidden) void follow(stream.signal);
}

// Browsers open six connections to a server, all tabs together, and the stream takes one: hidden tabs must hold none.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream.abort();
  else if (!["login", "refused"].includes(state.get().connection)) start();
});

async function follow(signal: AbortSignal): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    const since = performance.now();
    if (!(await connect(signal))) return;
    if (performance.now() - since > MAX_WAIT_MS) wait = FIRST_WAIT_MS;
    set({ connection: "lost" });
    await new Promise((done) => setTimeout(done, wait));
  }
}

/** Stays until the connection ends; false if there is no use in trying again. */
async function connect(signal: AbortSignal): Promise<boolean> {
  try {
    if (!(await load())) return false;
    await listen(signal);
  } catch (error) {
    if (error instanceof LoginError) {
      askForToken();
      return false;
    }
    if (!(error instanceof ConnectionError) && !signal.aborted)
      set({ problem: String((error as Error).message) });
  }
  return !signal.aborted;
}

/** False if the server lacks tools that the page needs. */
async function load(): Promise<boolean> {
  const tools = await client.listTools();
  const missing = NEEDED.filter((tool) => !tools.has(tool));
  if (missing.length > 0) {
    set({ connection: "live", problem: words.missing(missing.join(", ")) });
    return false;
  }
  set({ tools });
  await loadProjects();
  return true;
}

/** Ends when the stream does, or when a project comes or goes: then another stream names them. */
async function listen(signal: AbortSignal): Promise<void> {
  for (let again = true; again && !signal.aborted; ) {
    again = false;
    const names = state.get().projects.map(({ name }) => name);
    const stop = new AbortController();
    const uris = [URI, ...names.map((name) => `${URI}/${encodeURIComponent(name)}`)];
    const heard = async (uri: string) => {
      if (uri === "open") await loadTasks(names);
      else if (uri.startsWith(`${URI}/`)) await refresh(decodeURIComponent(uri.slice(URI.length + 1)));
      else if (uri === URI && (await loadProjects()) !== names.join("\n")) {
        again = true;
        stop.abort();
      }
    };
    const both = AbortSignal.any([signal, stop.signal]);
    await client
      .listen(uris, (uri) => void heard(uri).catch(() => {}), both)
      .catch((error) => {
        if (!again) throw error;
      });
  }
}

/** The names of the projects, one per line. */
async function loadProjects(): Promise<string> {
  const { projects } = await client.call<{ projects: Project[] }>("list_projects", { limit: 1000 });
  set({ projects });
  return projects.map(({ name }) => name).join("\n");
}

/** The tasks of each project are shown as soon as they are there. */
async function loadTasks(names: readonly string[]): Promise<void> {
  const known = Object.entries(state.get().tasks).filter(([name]) => names.includes(name));
  set({ connection: "live", tasks: byProject(Object.fromEntries(known)), problem: undefined });
  // Documents may have changed while the connection was lost.
  const read = known.length === 0 ? readInTurn : refresh;
  await Promise.allSettled(names.map(read));
}

/** Reads a project's tasks again: after a change, and after each call of this page that writes. */
export async function refresh(project: string): Promise<void> {
  await readInTurn(project);
  countChange(project);
}

const reads = new Map<string, { now: Promise<void>; next?: Promise<void> }>();

/** What is being read may miss a change: one more read serves all that ask meanwhile. */
function readInTurn(project: string): Promise<void> {
  const read = reads.get(project);
  if (read === undefined) return readNow(project);
  read.next ??= read.now.catch(() => {}).then(() => readNow(project));
  return read.next;
}

function readNow(project: string): Promise<void> {
  const read = { now: readTasks(project) };
  reads.set(project, read);
  const end = () => {
    if (reads.get(project) === read && !("next" in read)) reads.delete(project);
  };
  read.now.then(end, end);
  return read.now;
}

function countChange(project: string): void {
  state.update((value) => ({
    ...value,
    changes: byProject(value.changes, {
      [project]: (value.changes[project] ?? 0) + 1,
      "": (value.changes[""] ?? 0) + 1,
    }),
  }));
}

/** The first time, each page is shown as soon as it is there. */
async function readTasks(project: string): Promise<void> {
  // A task that changes meanwhile may be on two pages.
  const tasks = new Map<string, Task>();
  const isFirst = state.get().tasks[project] === undefined;
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: { tasks: Task[]; next_offset?: number } = await client.call("list_tasks", {
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
  const before = value.tasks[project];
  const after = keepUnchanged(before ?? [], tasks);
  return after === before ? value : { ...value, tasks: byProject(value.tasks, { [project]: after }) };
}

/** Whether this server and token offer a tool. */
export function can(tool: string): boolean {
  return state.get().tools.has(tool);
}
