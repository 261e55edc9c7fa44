import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { residentMemory } from "../bench/child.ts";
import { spreadOf } from "../bench/measure.ts";
import { callOf, each, end, open, post, type Target, target } from "./client.ts";
import { ATTACKS } from "./hostile.ts";

export interface LoadOptions {
  root: string;
  sessions: number;
  requests: number;
  /** 1 runs the attacks at full size. */
  scale: number;
  say(line: string): void;
}

export interface Wave {
  failures: number;
  perSecond: number;
  /** Median milliseconds of a search: with one client, and under load. */
  idle: number;
  loaded: number;
  /** Bytes, after the end of the sessions. */
  memory: number | undefined;
}

export interface AttackResult {
  name: string;
  /** Requests of a well-behaved client during the attack: answered, and failed. */
  answered: number;
  failures: number;
  /** Milliseconds of the slowest request. */
  slowest: number;
  memory: number | undefined;
}

export interface Running {
  child: ChildProcess;
  server: Target;
}

/** Requests in flight at once. */
export const WIDTH = 16;
const QUERIES = ["token refresh", "deploy", "cache", "認証", "release plan", "error handling"];

export async function startServer(program: string, root: string): Promise<Running> {
  const token = randomBytes(32).toString("hex");
  const child = spawn(process.execPath, [program, "serve", "--root", root, "--port", "0"], {
    env: { ...process.env, VIBE_AUTH_TOKEN: token },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const port = await new Promise<number>((found, failed) => {
    let start = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (start.length < 10_000) start += chunk.toString();
      const match = /listening on http:\/\/\S+:(\d+)/.exec(start);
      if (match !== null) found(Number(match[1]));
    });
    child.once("exit", () => failed(new Error(`the server did not start: ${start}`)));
  });
  return { child, server: target(port, token) };
}

/** Sends mixed requests over many sessions, and ends them. */
export async function wave({ child, server }: Running, options: LoadOptions): Promise<Wave> {
  const one = await open(server);
  const alone: number[] = [];
  for (let n = 0; n < 30; n++) alone.push((await post(server, searchOf(n), { session: one })).taken);
  const sessions: string[] = [one];
  await each(options.sessions - 1, WIDTH, async () => void sessions.push(await open(server)));
  const searches: number[] = [];
  let failures = 0;
  const start = performance.now();
  await each(options.requests, WIDTH, async (n) => {
    const message = mixed(n);
    const answer = await post(server, message, { session: sessions[n % sessions.length] });
    if (answer.status !== 200 || /"isError":true|"error":\{/.test(answer.body)) failures++;
    if (n % 4 === 0) searches.push(answer.taken);
  });
  const seconds = (performance.now() - start) / 1000;
  await each(sessions.length, WIDTH, (n) => end(server, sessions[n] ?? ""));
  const memory = await settledMemory(child);
  return {
    failures,
    perSecond: options.requests / seconds,
    idle: spreadOf(alone).median,
    loaded: spreadOf(searches).median,
    memory,
  };
}

function searchOf(n: number): object {
  return callOf(n + 1, "search", { query: QUERIES[n % QUERIES.length], limit: 5 });
}

function mixed(n: number): object {
  const plain = (method: string) => ({ jsonrpc: "2.0", id: n + 1, method });
  if (n % 4 === 0) return searchOf(n);
  if (n % 100 === 1)
    return callOf(n + 1, "create_task", { project: "load", title: `Task ${n}`, objective: "x" });
  if (n % 20 === 2) return plain("tools/list");
  if (n % 10 === 3) return callOf(n + 1, "list_projects", {});
  if (n % 4 === 1) return callOf(n + 1, "read_doc", { project: "load", folder: "", filename: "status.md" });
  return plain("ping");
}

const SETTLE_MS = 3000;

/** The lowest of a few samples, with time for garbage collection. */
async function settledMemory({ pid = 0 }: ChildProcess): Promise<number | undefined> {
  const samples: number[] = [];
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS / 5));
    const memory = residentMemory(pid)?.now;
    if (memory !== undefined) samples.push(memory);
  }
  return samples.length === 0 ? undefined : Math.min(...samples);
}

/** Runs each attack while a well-behaved client keeps working in its session. */
export async function attack(
  { child, server }: Running,
  { scale, say }: LoadOptions,
): Promise<AttackResult[]> {
  const results: AttackResult[] = [];
  for (const { name, run } of ATTACKS) {
    const session = await open(server);
    const result: AttackResult = { name, answered: 0, failures: 0, slowest: 0, memory: undefined };
    let isOver = false;
    const good = async () => {
      for (let n = 0; !isOver || n < 5; n++) await visit(server, { session, n, result });
    };
    const working = good();
    await run(server, scale);
    isOver = true;
    await working;
    result.memory = await settledMemory(child);
    say(
      `${name}: ${result.answered} valid requests answered, ${result.failures} failed, slowest ${Math.round(result.slowest)} ms`,
    );
    results.push(result);
  }
  return results;
}

/** Every other request opens a connection, as a new client does. */
async function visit(
  server: Target,
  { session, n, result }: { session: string; n: number; result: AttackResult },
): Promise<void> {
  const headers: Record<string, string> = n % 2 === 0 ? {} : { Connection: "close" };
  try {
    const { status, taken } = await post(server, searchOf(n), { session, headers });
    result.slowest = Math.max(result.slowest, taken);
    if (status === 200) result.answered++;
    else result.failures++;
  } catch {
    result.failures++;
  }
}

export async function stop({ child }: Running): Promise<number | null> {
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}
