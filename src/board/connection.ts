import { say, words } from "./language.ts";
import { keepToken, token } from "./login.ts";
import { ConnectionError, LoginError, redeemCode, ToolError } from "./mcp-client.ts";
import type { Listing } from "./model.ts";
import { report } from "./notices.ts";
import { takeSecret } from "./route.ts";
import { askForToken, call, client, set, state } from "./state.ts";
import { countChanges, readAll, refresh } from "./tasks.ts";

export function login(text: string): void {
  keepToken(text);
  set({ connection: "connecting" });
  start();
}

/** Starts, with the token for a code in the address if there is one. */
export function enter(): void {
  const code = takeSecret("code");
  if (code === undefined) start();
  else void redeem(code);
}

// In a tab that shows the page already, an address changes the fragment alone.
addEventListener("hashchange", () => {
  const code = takeSecret("code");
  if (code !== undefined) void redeem(code);
});

async function redeem(code: string): Promise<void> {
  const redeemed = await redeemCode(new URL("code", location.href).href, code).catch(() => undefined);
  if (redeemed !== undefined) login(redeemed);
  else if (token() !== undefined) start();
  else set({ connection: "spent" });
}

/** Without these, `--tools` leaves nothing to show. */
const NEEDED = ["list_projects", "list_tasks", "read_doc"];
const URI = "vibe://projects";
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
let stream = new AbortController();

/** The title of a hidden tab says within a minute what waits. */
const LOOK_MS = 45_000;
let looking: ReturnType<typeof setInterval> | undefined;

/**
 * Loads everything, then follows changes while the page is seen. Browsers open six connections to a server, all tabs together,
 * and the stream takes one: hidden tabs hold none, and look now and then.
 */
export function start(): void {
  stream.abort();
  clearInterval(looking);
  stream = new AbortController();
  if (!document.hidden) void follow(stream.signal);
  // What fails now is read when the page is seen again.
  else looking = setInterval(() => void look().catch(() => {}), LOOK_MS);
}

document.addEventListener("visibilitychange", () => {
  if (!["login", "refused", "spent"].includes(state.get().connection)) start();
});

async function look(): Promise<void> {
  await loadProjects();
  await readAll(state.get().projects.map(({ name }) => name));
  set({ hasTasks: true });
}

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
  const [asked, listed] = [client.listTools(), loadProjects()];
  listed.catch(() => {});
  const tools = await asked;
  const missing = NEEDED.filter((tool) => !tools.has(tool));
  if (missing.length > 0) {
    set({ connection: "live", problem: say(words.app.missing, { tools: missing.join(", ") }) });
    return false;
  }
  await listed;
  set({ tools });
  return true;
}

/** Ends when the stream does, or when a project comes or goes: then another stream names them. */
async function listen(signal: AbortSignal): Promise<void> {
  for (let again = true; again && !signal.aborted; ) {
    again = false;
    const names = state.get().projects.map(({ name }) => name);
    const stop = new AbortController();
    signal.addEventListener("abort", () => stop.abort(), { signal: stop.signal });
    const uris = [URI, ...names.map((name) => `${URI}/${encodeURIComponent(name)}`)];
    const heard = async (uri: string) => {
      if (uri === "open") await loadTasks(names);
      else if (uri.startsWith(`${URI}/`)) await refresh(decodeURIComponent(uri.slice(URI.length + 1)));
      else if (uri === URI && (await loadProjects()) !== names.join("\n")) {
        again = true;
        stop.abort();
      }
    };
    const hear = (uri: string) =>
      void heard(uri).catch((error) => {
        if (uri === "open" && error instanceof ToolError) report(error);
      });
    await client.listen(uris, hear, stop.signal).catch((error) => {
      if (!again) throw error;
    });
  }
}

/** Looks again how far the notes are in step with other machines. */
export async function readSync(): Promise<void> {
  const { sync } = await call<Listing>("list_projects", { limit: 1 });
  set({ sync });
}

/** The names of the projects, one per line. */
async function loadProjects(): Promise<string> {
  const { answer } = await client.call<Listing>("list_projects", { limit: 1000 });
  const { projects = [], sync, you } = answer;
  set({ projects, sync, you });
  return projects.map(({ name }) => name).join("\n");
}

async function loadTasks(names: readonly string[]): Promise<void> {
  const known = [...state.get().tasks].filter(([name]) => names.includes(name));
  set({ connection: "live", tasks: new Map(known), problem: undefined });
  await readAll(names);
  set({ hasTasks: true });
  // Documents may have changed while the connection was lost.
  countChanges(known.map(([name]) => name));
}
