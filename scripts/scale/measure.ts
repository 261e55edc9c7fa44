import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMemory, type ServerCommand, startServer } from "../bench/child.ts";
import { queriesFor, writeCorpus } from "../bench/corpus.ts";
import { spreadOf, timeAsync } from "../bench/measure.ts";
import { addMarker, MARKER, PROJECT } from "../bench/served.ts";

/** What a workspace costs, in milliseconds and bytes. */
export interface Point {
  documents: number;
  text: number;
  index: number;
  build: number;
  start: number;
  watched: number;
  walked: number;
  search: number;
  write: number;
  peak: number;
  warm: number;
}

export interface PointOptions {
  documents: number;
  repeats: number;
  /** Milliseconds to wait after writing the files, and for watches to be set. */
  settle: number;
}

/** Writes a workspace below `root`, which must exist, and measures the built server over it. */
export async function measurePoint(
  program: string,
  root: string,
  { documents, repeats, settle }: PointOptions,
): Promise<Point> {
  const { bytes } = writeCorpus(root, { documents, seed: 1 });
  addMarker(root);
  await sleep(settle);
  const command = { program, root };
  const built = await buildOf(command);
  const starts: number[] = [];
  for (let turn = 0; turn < repeats; turn++) starts.push(await startOf(command));
  const index = statSync(join(root, "index.db")).size;
  return {
    ...{ documents, text: bytes, index, ...built, start: spreadOf(starts).median },
    ...(await servedOf(command, repeats * 5, settle)),
    walked: await walkedOf(command, repeats * 5),
  };
}

async function buildOf(command: ServerCommand): Promise<{ build: number; peak: number }> {
  rmSync(join(command.root, "index.db"), { force: true });
  const server = startServer(command);
  await server.initialize();
  const build = await server.callTool("search", { query: MARKER });
  const peak = residentMemory(server.pid)?.peak ?? 0;
  await server.stop();
  return { build, peak };
}

async function startOf(command: ServerCommand): Promise<number> {
  const server = startServer(command);
  await server.initialize();
  const taken = await server.callTool("search", { query: MARKER });
  await server.stop();
  return taken;
}

type Server = ReturnType<typeof startServer>;

async function median(repeats: number, run: (turn: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < repeats; turn++) times.push(await timeAsync(() => run(turn)));
  return spreadOf(times).median;
}

const idle = (server: Server, repeats: number) =>
  median(repeats, () => server.callTool("search", { query: MARKER }));

async function servedOf(
  command: ServerCommand,
  repeats: number,
  settle: number,
): Promise<Pick<Point, "watched" | "search" | "write" | "warm">> {
  const server = startServer(command);
  await server.initialize();
  await idle(server, 3);
  await sleep(settle); // Watches are set after the first answers.
  const watched = await idle(server, repeats);
  const queries = queriesFor(1);
  const search = await median(repeats, (turn) =>
    server.callTool("search", { query: queries[turn % queries.length]?.text }),
  );
  const warm = residentMemory(server.pid)?.now ?? 0;
  const write = await median(repeats, (turn) =>
    server.callTool("create_doc", {
      ...{ project: PROJECT, folder: "scratch", filename: `n${turn}`, content: "# Note\n\nA line.\n" },
    }),
  );
  await server.stop();
  return { watched, search, write, warm };
}

async function walkedOf(command: ServerCommand, repeats: number): Promise<number> {
  const server = startServer({ ...command, args: ["--watch", "off"] });
  await server.initialize();
  await idle(server, 3);
  const walked = await idle(server, repeats);
  await server.stop();
  return walked;
}
