import { setTimeout as sleep } from "node:timers/promises";
import {
  idleMemory,
  type Memory,
  residentMemory,
  type ServerCommand,
  startServer,
  timeEmptyNode,
} from "./child.ts";
import { type Comparison, compare, type Timed, type Turns } from "./measure.ts";

const PAUSE_MS = 1000;

/** From spawn to the answer to `initialize`, against an empty Node program. */
export function measureColdStart(command: ServerCommand, turns: Turns): Promise<Comparison> {
  return compare(() => timeInitialize(command), timeEmptyNode, turns);
}

async function timeInitialize(command: ServerCommand): Promise<number> {
  const server = startServer(command);
  const taken = await server.initialize();
  await server.stop();
  return taken;
}

/** From spawn to the answer of the first search, against an empty Node program. */
export function measureFirstSearch(command: ServerCommand, query: string, turns: Turns): Promise<Comparison> {
  return compare(() => timeFirstCall(command, "search", { query }), timeEmptyNode, turns);
}

async function timeFirstCall(
  command: ServerCommand,
  tool: string,
  args: Record<string, unknown>,
): Promise<number> {
  const server = startServer(command);
  await server.initialize();
  const taken = await server.callTool(tool, args);
  await server.stop();
  return taken;
}

/** The sum of consecutive queries, a second after a start, against an empty Node program. */
export function measureSession(
  command: ServerCommand,
  queries: readonly string[],
  turns: Turns,
): Promise<Comparison> {
  return compare(() => timeSession(command, queries), timeEmptyNode, turns);
}

async function timeSession(command: ServerCommand, queries: readonly string[]): Promise<number> {
  const server = startServer(command);
  await server.initialize();
  await sleep(PAUSE_MS);
  const start = performance.now();
  for (const query of queries) await server.callTool("search", { query });
  const taken = performance.now() - start;
  await server.stop();
  return taken;
}

export interface ColdBuild {
  comparison: Comparison;
  /** Of the server that has just built the index. */
  memory: Memory | undefined;
  /** Bytes of an idle Node program. */
  idle: number | undefined;
}

/** From spawn to the first answer without an index, against `reference`; `forget` removes the previous index. */
export async function measureColdBuild(
  command: ServerCommand,
  { reference, forget }: { reference: Timed; forget: () => void },
  turns: Turns,
): Promise<ColdBuild> {
  let memory: Memory | undefined;
  const build = async () => {
    forget();
    const server = startServer(command);
    await server.initialize();
    const taken = await server.callTool("list_projects", {});
    memory = residentMemory(server.pid);
    await server.stop();
    return taken;
  };
  const comparison = await compare(build, reference, turns);
  return { comparison, memory, idle: await idleMemory() };
}
