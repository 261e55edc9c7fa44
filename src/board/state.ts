import { token } from "./login.ts";
import { type Called, type Client, createClient, LoginError } from "./mcp-client.ts";
import type { Listing, Project, Task } from "./model.ts";
import { createStore } from "./store.ts";

/** What the page knows of the workspace. */
export interface State {
  /**
   * `login`: the server wants a token. `refused`: it refuses the one it got; `spent`: the code of the address. `lost`: it cannot be
   * reached; the page tries again by itself.
   */
  connection: "connecting" | "live" | "lost" | "login" | "refused" | "spent";
  /** The tools that this token may call: without those that write, views show no actions. */
  tools: ReadonlySet<string>;
  projects: readonly Project[];
  /** By project. */
  tasks: ReadonlyMap<string, readonly Task[]>;
  /** Whether all tasks were read. */
  hasTasks: boolean;
  /** Counts the changes of each project: views that show documents read them again when it grows. */
  changes: ReadonlyMap<string, number>;
  /** How far the notes are in step with other machines; undefined if they are not synced. */
  sync: Listing["sync"];
  /** The name of the person; undefined if the server knows none. */
  you: Listing["you"];
  /** How many calls that write have no answer after a second. */
  unsaved: number;
  /** What went wrong, for people. */
  problem: string | undefined;
}

export const state = createStore<State>({
  connection: "connecting",
  tools: new Set(),
  projects: [],
  sync: undefined,
  you: undefined,
  unsaved: 0,
  problem: undefined,
  tasks: new Map(),
  hasTasks: false,
  changes: new Map(),
});

export const client: Client = createClient(new URL("mcp", location.href).href, token);

export const set = (changes: Partial<State>) => state.update((value) => ({ ...value, ...changes }));

/** Calls a tool that reads; see Client.call. */
export async function call<T>(tool: string, args?: object): Promise<T> {
  return (await callTool<T>(tool, args)).answer;
}

/** Calls a tool; see Client.call. Every view reads through `call`, and writes through `changes.ts`. */
export function callTool<T>(tool: string, args?: object): Promise<Called<T>> {
  return loggedIn(() => client.call<T>(tool, args));
}

/** See Client.addExample. */
export function addExample(): Promise<void> {
  return loggedIn(() => client.addExample());
}

export async function loggedIn<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof LoginError) askForToken();
    throw error;
  }
}

export function askForToken(): void {
  set({ connection: token() === undefined ? "login" : "refused" });
}

/** Whether this server and token offer a tool. */
export function can(tool: string): boolean {
  return state.get().tools.has(tool);
}
