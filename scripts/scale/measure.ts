import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMemory, type ServerCommand, visit } from "../bench/child.ts";
import { queriesFor, writeCorpus } from "../bench/corpus.ts";
import { spreadOf } from "../bench/measure.ts";
import { addMarker, buildIndex, search, timeFirstSearch, write } from "../bench/served.ts";

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
  const { bytes: text } = writeCorpus(root, { documents, seed: 1 });
  addMarker(root);
  await sleep(settle);
  const [command, db] = [{ program, root }, join(root, "index.db")];
  rmSync(db, { force: true });
  const { taken: build, memory } = await buildIndex(command);
  const start = await median(repeats, () => timeFirstSearch(command));
  const index = statSync(db).size;
  const served = await servedOf(command, repeats * 5, settle);
  const walked = await visit({ ...command, args: ["--watch", "off"] }, async (server) => {
    await median(3, () => search(server));
    return median(repeats * 5, () => search(server));
  });
  return { documents, text, index, build, start, ...served, walked, peak: memory?.peak ?? 0 };
}

async function median(repeats: number, run: (turn: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < repeats; turn++) times.push(await run(turn));
  return spreadOf(times).median;
}

function servedOf(
  command: ServerCommand,
  repeats: number,
  settle: number,
): Promise<Pick<Point, "watched" | "search" | "write" | "warm">> {
  return visit(command, async (server) => {
    await median(3, () => search(server));
    await sleep(settle); // Watches are set after the first answers.
    const watched = await median(repeats, () => search(server));
    const queries = queriesFor(1);
    const searched = await median(repeats, (turn) => search(server, queries[turn % queries.length]?.text));
    const warm = residentMemory(server.pid)?.now ?? 0;
    return { watched, search: searched, write: await median(repeats, (turn) => write(server, turn)), warm };
  });
}
