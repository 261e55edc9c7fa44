import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How to start the measured server. */
export interface ServerCommand {
  /** The built file. */
  program: string;
  root: string;
  args?: string[];
}

/** A server on stdio, called in bare JSON-RPC: the work of a client library would be measured too. */
export interface ServerProcess {
  pid: number;
  /** Returns the milliseconds from spawn to the answer. */
  initialize(): Promise<number>;
  /** Returns the milliseconds from spawn to the answer. */
  callTool(name: string, args: Record<string, unknown>): Promise<number>;
  /** Closes its input and waits for it to end. */
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const PROTOCOL = "2025-06-18";

/** Milliseconds from the spawn of an empty Node program to its end: the lower bound for any program. */
export async function timeEmptyNode(): Promise<number> {
  const start = performance.now();
  const child = startNode(["-e", "0"]);
  await once(child, "exit");
  return performance.now() - start;
}

function startNode(args: string[]): Child {
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith("VIBE_"));
  return spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: Object.fromEntries(settings),
  });
}

function startServer({ program, root, args = [] }: ServerCommand): ServerProcess {
  const start = performance.now();
  const flags = ["--root", root, "--log-level", "error", ...args];
  const child = startNode([program, ...flags]);
  const ended = once(child, "exit");
  const answers = readAnswers(child);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const ask = async (method: string, params: object) => {
    const id = ++last;
    send({ id, method, params });
    return (await answers.wait(id)) - start;
  };
  return {
    pid: child.pid ?? 0,
    initialize: async () => {
      const clientInfo = { name: "bench", version: "0" };
      const taken = await ask("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
      send({ method: "notifications/initialized" });
      return taken;
    },
    callTool: (name, args) => ask("tools/call", { name, arguments: args }),
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** Starts a server, uses it and stops it; `started` is the time to the answer to `initialize`. */
export async function visit<T>(
  command: ServerCommand,
  use: (server: ServerProcess, started: number) => Promise<T>,
): Promise<T> {
  const server = startServer(command);
  try {
    return await use(server, await server.initialize());
  } finally {
    await server.stop();
  }
}

interface Answer {
  id?: number;
  error?: { message: string };
  result?: { isError?: boolean; content?: { text?: string }[] };
}

interface Answers {
  /** The time (`performance.now()`) at which the answer to that request arrived. */
  wait(id: number): Promise<number>;
}

function readAnswers(child: Child): Answers {
  const waiting = new Map<number, { resolve(time: number): void; reject(error: Error): void }>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const now = performance.now();
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const answer of lines.map((line) => JSON.parse(line) as Answer)) {
      const problem = problemOf(answer);
      const request = waiting.get(answer.id ?? 0);
      if (problem === undefined) request?.resolve(now);
      else request?.reject(new Error(`the server answered: ${problem}`));
    }
  });
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the server ended with code ${code}`));
  });
  return { wait: (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject })) };
}

function problemOf({ error, result }: Answer): string | undefined {
  if (error !== undefined) return error.message;
  return result?.isError === true ? (result.content?.[0]?.text ?? "an error") : undefined;
}

/** Bytes of memory that an idle Node program holds; undefined if the system does not report it. */
export async function idleMemory(): Promise<number | undefined> {
  const child = startNode(["-e", "process.stdin.resume(); process.stdout.write('ready')"]);
  await once(child.stdout, "data");
  await sleep(200);
  const memory = residentMemory(child.pid ?? 0)?.now;
  child.stdin.end();
  await once(child, "exit");
  return memory;
}

export interface Memory {
  /** Bytes. */
  now: number;
  /** Bytes at the highest. */
  peak: number;
}

/** What a process holds of the machine's memory; undefined where there is no /proc. */
export function residentMemory(pid: number): Memory | undefined {
  if (process.platform !== "linux") return undefined;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** Bytes that a process has written so far; undefined where there is no /proc. */
export function writtenBytes(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}
