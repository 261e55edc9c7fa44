import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  idleMemory,
  type Memory,
  residentMemory,
  type ServerCommand,
  type ServerProcess,
  visit,
  writtenBytes,
} from "./child.ts";
import type { Query } from "./corpus.ts";
import { type Comparison, compare, spreadOf, type Timed, type Turns, time, timeAsync } from "./measure.ts";

/** A word that only the marker document holds. */
const MARKER = "qzxmarker";
const PROJECT = "bench";

/** Adds a project to write to, with a document to search for. */
export function addMarker(root: string): void {
  mkdirSync(join(root, PROJECT));
  writeFileSync(join(root, PROJECT, "marker.md"), `# Marker\n\n${MARKER}\n`);
}

/** Milliseconds of a search; finds the marker document unless `query` says otherwise. */
export function search(server: ServerProcess, query = MARKER): Promise<number> {
  return timeAsync(() => server.callTool("search", { query }));
}

/** Milliseconds of `create_doc` with a new name. */
export function write(server: ServerProcess, number: number): Promise<number> {
  const content = "# Note\n\nA line.\n";
  return timeAsync(() =>
    server.callTool("create_doc", { project: PROJECT, folder: "scratch", filename: `n${number}`, content }),
  );
}

/** Milliseconds from spawn to the answer of the first search. */
export function timeFirstSearch(command: ServerCommand, query = MARKER): Promise<number> {
  return visit(command, (server) => server.callTool("search", { query }));
}

const PAUSE_MS = 1000;

/** Milliseconds of consecutive searches, a second after a start. */
export function timeSession(command: ServerCommand, queries: readonly string[]): Promise<number> {
  return visit(command, async (server) => {
    await sleep(PAUSE_MS);
    return timeAsync(async () => {
      for (const query of queries) await search(server, query);
    });
  });
}

export interface Build {
  /** Milliseconds from spawn to the first answer. */
  taken: number;
  memory: Memory | undefined;
}

/** A start without an index. */
export function buildIndex(command: ServerCommand): Promise<Build> {
  return visit(command, async (server) => {
    const taken = await server.callTool("list_projects", {});
    return { taken, memory: residentMemory(server.pid) };
  });
}

export interface ColdBuild {
  comparison: Comparison;
  /** The memory of the server that has just built the index. */
  memory: Memory | undefined;
  /** Bytes of an idle Node program. */
  idle: number | undefined;
}

/** Builds against `reference`; `forget` removes the previous index. */
export async function measureColdBuild(
  command: ServerCommand,
  { reference, forget }: { reference: Timed; forget: () => void },
  turns: Turns,
): Promise<ColdBuild> {
  let memory: Memory | undefined;
  const build = async () => {
    forget();
    const built = await buildIndex(command);
    memory = built.memory;
    return built.taken;
  };
  const comparison = await compare(build, reference, turns);
  return { comparison, memory, idle: await idleMemory() };
}

/** Searches before the measurement, for V8 to optimize the code. */
const WARM_UP_SEARCHES = 25;

export interface ServedTimes {
  idle: Comparison;
  write: Comparison;
  /** Undefined if ripgrep is not installed. */
  ripgrep: Comparison | undefined;
}

/** A long-lived server over many documents against one over few, and against ripgrep over the same. */
export function measureServed(
  command: ServerCommand,
  few: string,
  { queries, turns, settle }: { queries: readonly Query[]; turns: Turns; settle: number },
): Promise<ServedTimes> {
  return visit(command, (large) =>
    visit({ ...command, root: few }, async (small) => {
      for (const server of [large, small]) await search(server);
      // Watches are set after the first answers.
      await sleep(settle);
      const inTurns = (use: (server: ServerProcess) => Promise<number>) =>
        compare(
          () => use(large),
          () => use(small),
          turns,
        );
      const idle = await inTurns((server) => search(server));
      const searchAll = () => medianOf(queries, ({ text }) => search(large, text));
      for (let turn = 0; turn < WARM_UP_SEARCHES; turn++) await searchAll();
      const grepAll = () => medianOf(queries, ({ text }) => time(() => findFiles(command.root, text)));
      const repeats = Math.min(turns.repeats, 21);
      const ripgrep = hasRipgrep() ? await compare(searchAll, grepAll, { repeats, warmUp: 1 }) : undefined;
      let count = 0;
      const writes = await inTurns((server) => write(server, ++count));
      return { idle, ripgrep, write: writes };
    }),
  );
}

/** A burst of changes. */
const BURST = 5;
/** By then it is saved. */
const SAVED_MS = 4000;

export interface Written {
  changes: number;
  /** Bytes written by the server that made them, and by both others together. */
  writer: number;
  watchers: number;
}

/** What three servers write for changes that one of them makes; undefined where that is not known. */
export function measureWritten(command: ServerCommand): Promise<Written | undefined> {
  const inThree = (use: (...servers: ServerProcess[]) => Promise<Written | undefined>) =>
    visit(command, (one) => visit(command, (two) => visit(command, (three) => use(one, two, three))));
  return inThree(async (...servers) => {
    const count = ({ pid }: ServerProcess) => writtenBytes(pid) ?? Number.NaN;
    const searchAll = () => Promise.all(servers.map((server) => search(server)));
    await searchAll();
    await sleep(SAVED_MS);
    const before = servers.map(count);
    for (let change = 1; change <= BURST; change++) await write(servers[0] as ServerProcess, -change);
    await searchAll();
    await sleep(SAVED_MS);
    const [writer = 0, ...others] = servers.map((server, at) => count(server) - (before[at] ?? 0));
    const watchers = others.reduce((sum, bytes) => sum + bytes, 0);
    return Number.isNaN(writer) ? undefined : { changes: BURST, writer, watchers };
  });
}

async function medianOf<T>(items: readonly T[], run: (item: T) => number | Promise<number>): Promise<number> {
  const times: number[] = [];
  for (const item of items) times.push(await run(item));
  return spreadOf(times).median;
}

function hasRipgrep(): boolean {
  return spawnSync("rg", ["--version"]).status === 0;
}

/** Finds the files that hold any of the words, without an index. */
function findFiles(root: string, words: string): void {
  const patterns = words.split(" ").flatMap((word) => ["-e", word]);
  const { status } = spawnSync("rg", ["-ciF", "--no-messages", "-g", "*.md", ...patterns, root]);
  // Nothing has a word that was typed wrong.
  if (status !== 0 && status !== 1) throw new Error(`ripgrep fails for: ${words}`);
}
