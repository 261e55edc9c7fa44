import { words } from "./app-words.ts";
import { type Client, ConnectionError, createClient, LoginError } from "./mcp-client.ts";
import type { Project, Task } from "./model.ts";
import { keepToken, takeToken } from "./route.ts";
import { createStore } from "./store.ts";

/** What the page knows of the workspace. */
export interface State {
  /** `login`: the server wants a token. `lost`: it cannot be reached; the page tries again by itself. */
  connection: "connecting" | "live" | "lost" | "login";
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
  ...{ connection: "connecting", tools: new Set(), projects: [], tasks: {}, changes: {}, problem: undefined },
});

let token = takeToken();
const client: Client = createClient(new URL("mcp", location.href).href, () => token);

const set = (changes: Partial<State>) => state.update((value) => ({ ...value, ...changes }));

/** Calls a tool; see Client.call. Every view reads and writes through it. */
export async function call<T>(tool: string, args?: object): Promise<T> {
  try {
    return await client.call<T>(tool, args);
  } catch (error) {
    if (error instanceof LoginError) set({ connection: "login" });
    throw error;
  }
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
  else if (state.get().connection !== "login") start();
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
      set({ connection: "login" });
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
      else if (uri !== "list" && uri !== URI) await refresh(decodeURIComponent(uri.slice(URI.length + 1)));
      else if (uri === "list" && (await loadProjects()) !== names.join("\n")) {
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

async function loadTasks(names: readonly string[]): Promise<void> {
  const entries = await Promise.all(names.map(async (name) => [name, await readTasks(name)] as const));
  const { connection, changes } = state.get();
  // After a gap, anything may have changed.
  const counts = connection === "connecting" ? changes : grown(changes, ["", ...names]);
  set({ connection: "live", tasks: Object.fromEntries(entries), changes: counts, problem: undefined });
}

function grown(changes: State["changes"], names: readonly string[]): State["changes"] {
  const counts = names.map((name) => [name, (changes[name] ?? 0) + 1] as const);
  return { ...changes, ...Object.fromEntries(counts) };
}

/** Reads a project's tasks again: after a change, and after each call of this page that writes. */
export async function refresh(project: string): Promise<void> {
  const tasks = await readTasks(project);
  state.update((value) => ({
    ...value,
    tasks: { ...value.tasks, [project]: tasks },
    changes: grown(value.changes, [project, ""]),
  }));
}

async function readTasks(project: string): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: { tasks: Task[]; next_offset?: number } = await client.call("list_tasks", {
      project,
      offset,
      limit: 500,
    });
    tasks.push(...page.tasks);
    offset = page.next_offset;
  }
  return tasks;
}

/** Whether this server and token offer a tool. */
export function can(tool: string): boolean {
  return state.get().tools.has(tool);
}
