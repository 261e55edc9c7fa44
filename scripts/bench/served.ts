import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServerCommand, startServer } from "./child.ts";
import type { Query } from "./corpus.ts";
import { type Comparison, compare, spreadOf, type Turns, time, timeAsync } from "./measure.ts";

/** A word that only the marker document holds. */
export const MARKER = "qzxmarker";
export const PROJECT = "bench";

/** Adds a project to write to, with a document to search for. */
export function addMarker(root: string): void {
  mkdirSync(join(root, PROJECT));
  writeFileSync(join(root, PROJECT, "marker.md"), `# Marker\n\n${MARKER}\n`);
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
export async function measureServed(
  command: ServerCommand,
  few: string,
  { queries, turns, settle }: { queries: readonly Query[]; turns: Turns; settle: number },
): Promise<ServedTimes> {
  const servers = [startServer(command), startServer({ ...command, root: few })] as const;
  const [large, small] = servers;
  type Server = typeof large;
  const search = (server: Server, query: string) => timeAsync(() => server.callTool("search", { query }));
  try {
    for (const server of servers) await server.initialize();
    for (const server of servers) await search(server, MARKER);
    // Watches are set after the first answers.
    await sleep(settle);
    const idle = await compare(
      () => search(large, MARKER),
      () => search(small, MARKER),
      turns,
    );
    const searchAll = () => medianOf(queries, ({ text }) => search(large, text));
    for (let turn = 0; turn < WARM_UP_SEARCHES; turn++) await searchAll();
    const ripgrep = hasRipgrep()
      ? await compare(
          searchAll,
          () => medianOf(queries, ({ text }) => time(() => findFiles(command.root, text))),
          { repeats: Math.min(turns.repeats, 21), warmUp: 1 },
        )
      : undefined;
    let count = 0;
    const write = (server: Server) => () =>
      timeAsync(() =>
        server.callTool("create_doc", {
          ...{ project: PROJECT, folder: "scratch", filename: `n${++count}`, content: "# Note\n\nA line.\n" },
        }),
      );
    return { idle, ripgrep, write: await compare(write(large), write(small), turns) };
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function medianOf(
  queries: readonly Query[],
  run: (query: Query) => number | Promise<number>,
): Promise<number> {
  const times: number[] = [];
  for (const query of queries) times.push(await run(query));
  return spreadOf(times).median;
}

function hasRipgrep(): boolean {
  return spawnSync("rg", ["--version"]).status === 0;
}

/** Finds the files that hold any of the words, without an index. */
function findFiles(root: string, words: string): void {
  const patterns = words.split(" ").flatMap((word) => ["-e", word]);
  const { status } = spawnSync("rg", ["-ciF", "--no-messages", "-g", "*.md", ...patterns, root]);
  if (status !== 0) throw new Error(`ripgrep finds no file for: ${words}`);
}
