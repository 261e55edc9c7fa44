import { appendFileSync, copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { inMs } from "../shared.ts";
import type { ServerCommand } from "./child.ts";
import { type Corpus, queriesFor, sessionQueries, typicalQuery, writeCorpus } from "./corpus.ts";
import { measureNative } from "./engines.ts";
import {
  measurePersist,
  measureSearches,
  measureSync,
  measureUpdate,
  openMeasured,
  readDocuments,
  type SearchTime,
} from "./indexed.ts";
import { type Comparison, type Spread, time } from "./measure.ts";
import { openNative } from "./native.ts";
import type { Row } from "./report.ts";
import { addMarker, measureServed } from "./served.ts";
import {
  type ColdBuild,
  measureColdBuild,
  measureColdStart,
  measureFirstSearch,
  measureSession,
} from "./starts.ts";

export interface BenchOptions {
  documents: number;
  seed: number;
  /** Turns of each short measurement. */
  repeats: number;
  /** Cold builds of the index: each takes seconds. */
  builds: number;
  /** Milliseconds to wait between writing the documents and indexing them. */
  settle: number;
  say: (progress: string) => void;
}

/** The maximum for median ratios. */
const TARGETS = {
  ...{ coldStart: 2.2, firstSearch: 6.5, session: 9.4, sync: 2, idle: 1.5, write: 1.3, peak: 5 },
  ...{ ripgrep: 0.1, native: 1.7, nativeRare: 1.2, nativeInserts: 4 },
} as const;
/** Documents of the small workspace that the large one is compared with. */
const FEW = 100;
/** Queries of a session. */
const QUERIES = 12;
const MB = 1024 * 1024;

/** Measures the built `program` and the sources in the folder `place`, which must exist; gives the report's rows. */
export async function runBench(program: string, place: string, options: BenchOptions): Promise<Row[]> {
  const { seed, repeats, say } = options;
  const turns = { repeats, warmUp: 1 };
  const bench = prepare(program, place, options);
  await sleep(options.settle);
  say("cold build …");
  const build = await buildIndex(bench, options.builds);
  say("starts …");
  if (process.env["NODE_EXTRA_CA_CERTS"])
    say(
      "NODE_EXTRA_CA_CERTS is set: some versions of Node read it at each start, which lowers ratios to an empty program",
    );
  const coldStart = await measureColdStart({ ...bench.command, root: bench.empty }, turns);
  const firstSearch = await measureFirstSearch(bench.command, typicalQuery(seed), turns);
  const session = await measureSession(bench.command, sessionQueries(seed, QUERIES), turns);
  say("index …");
  return [
    against("cold start", coldStart, ["start", "node -e 0"], TARGETS.coldStart),
    against("first search, warm index", firstSearch, ["search", "node -e 0"], TARGETS.firstSearch),
    against(`${QUERIES} queries after a start`, session, ["queries", "node -e 0"], TARGETS.session),
    ...(await indexRows(bench, options, build)),
    ...buildRows(bench, build),
    ...(await servedRows(bench, options)),
  ];
}

interface Bench {
  command: ServerCommand;
  corpus: Corpus;
  index: string;
  /** A root without documents. */
  empty: string;
  /** A root with a hundred documents. */
  few: string;
  place: string;
}

function prepare(program: string, place: string, { documents, seed, say }: BenchOptions): Bench {
  const [root, empty, few] = [join(place, "root"), join(place, "empty"), join(place, "few")];
  const copy = join(place, "vibe-mcp.cjs");
  for (const folder of [root, empty, few]) mkdirSync(folder);
  // A copy, so that a build cannot change it meanwhile.
  copyFileSync(program, copy);
  const start = performance.now();
  const corpus = writeCorpus(root, { documents, seed });
  writeCorpus(few, { documents: FEW, seed });
  for (const folder of [root, few]) addMarker(folder);
  say(`${documents} documents, ${inMb(corpus.bytes)}, written in ${inMs(performance.now() - start)}`);
  const command = { program: copy, root };
  return { command, corpus, index: join(root, "index.db"), empty, few, place };
}

function buildIndex({ command, corpus, index }: Bench, builds: number): Promise<ColdBuild> {
  const reference = () => time(() => readDocuments(corpus.files));
  const forget = () => rmSync(index, { force: true });
  return measureColdBuild(command, { reference, forget }, { repeats: builds, warmUp: 0 });
}

async function indexRows(
  { command, corpus, index, place }: Bench,
  options: BenchOptions,
  build: ColdBuild,
): Promise<Row[]> {
  const turns = { repeats: options.repeats, warmUp: 2 };
  const files = { file: join(place, "persisted.db"), other: join(place, "plain.db") };
  const persist = await measurePersist(index, files, { repeats: Math.min(options.repeats, 7), warmUp: 1 });
  const workspace = await openMeasured(command.root);
  try {
    const sync = await measureSync(workspace, turns);
    const searches = await measureSearches(workspace, queriesFor(options.seed), turns);
    const native = await nativeRows(workspace, options, build);
    const change = () => appendFileSync(corpus.files[0] ?? "", "\nOne more line.\n");
    const update = await measureUpdate(workspace, change, turns);
    return [
      against("sync, nothing changed", sync, ["sync", "stat walk"], TARGETS.sync),
      against("sync, one document changed", update, ["sync", "nothing changed"]),
      against("persist", persist, ["persist", "plain write"]),
      ...searches.map(searchRow),
      ...native,
    ];
  } finally {
    await workspace.close();
  }
}

async function nativeRows(
  workspace: Workspace,
  { documents, seed, repeats, say }: BenchOptions,
  build: ColdBuild,
): Promise<Row[]> {
  const native = openNative();
  if ("missing" in native) {
    say(`native SQLite is not measured: ${native.missing}`);
    return [];
  }
  say("native SQLite …");
  const options = { documents, seed, native: native.open, build: build.comparison.subject.median };
  const measured = await workspace.index.query((db) => measureNative(db, options, { repeats, warmUp: 2 }));
  const rows = (await measured).searches.map(({ query, comparison }) => {
    const target = query.name === "a rare word" ? TARGETS.nativeRare : TARGETS.native;
    return against(`native SQLite: ${query.name}`, comparison, ["ours", "native"], target);
  });
  const labels: [string, string] = ["build", "native inserts"];
  return [
    ...rows,
    against("native SQLite: cold build", (await measured).build, labels, TARGETS.nativeInserts),
  ];
}

async function servedRows({ command, few }: Bench, options: BenchOptions): Promise<Row[]> {
  const { seed, repeats, settle, say } = options;
  say("long-lived server …");
  const words = queriesFor(seed).filter(({ text }) => /^[a-z ]+$/.test(text));
  const turns = { repeats: repeats * 3, warmUp: 3 };
  const { idle, write, ripgrep } = await measureServed(command, few, { queries: words, turns, settle });
  if (ripgrep === undefined) say("ripgrep is not measured: it is not installed");
  return [
    against("idle call, watched", idle, ["call", `with ${FEW} documents`], TARGETS.idle),
    against("write tool", write, ["call", `with ${FEW} documents`], TARGETS.write),
    ...(ripgrep === undefined ? [] : [against("ripgrep: words", ripgrep, ["search", "rg"], TARGETS.ripgrep)]),
  ];
}

function buildRows({ corpus, index }: Bench, { comparison, memory, idle }: ColdBuild): Row[] {
  const size = statSync(index).size;
  const rate = (corpus.documents / comparison.subject.median) * 1000;
  const build = against("cold build", comparison, ["build", "reading the files"]);
  const rows: Row[] = [
    {
      ...build,
      detail: `${Math.round(rate)} documents/s; ${build.detail}`,
      values: { ...build.values, rate },
    },
    {
      name: "index size",
      ratio: exactly(size / corpus.bytes),
      detail: `${inMb(size)} for ${inMb(corpus.bytes)} of text`,
      values: { indexBytes: size, textBytes: corpus.bytes },
    },
  ];
  if (memory === undefined || idle === undefined) return rows;
  const detail = `${inMb(memory.now)} after a cold build (peak ${inMb(memory.peak)}), idle node ${inMb(idle)}`;
  const values = { residentBytes: memory.now, peakBytes: memory.peak, idleBytes: idle };
  const over = (memory.peak - idle) / corpus.bytes;
  return [
    ...rows,
    { name: "memory", ratio: exactly(memory.now / idle), detail, values },
    {
      name: "peak memory over bare Node, to the text",
      ratio: exactly(Math.max(over, 0.01)),
      target: TARGETS.peak,
      detail: `${inMb(memory.peak - idle)} for ${inMb(corpus.bytes)} of text`,
      values: { overBytes: Math.max(memory.peak - idle, 0), textBytes: corpus.bytes },
    },
  ];
}

function against(name: string, comparison: Comparison, labels: [string, string], target?: number): Row {
  const { subject, reference, ratio } = comparison;
  return {
    name,
    ratio,
    ...(target !== undefined && { target }),
    detail: `${labels[0]} ${inMs(subject.median)}, ${labels[1]} ${inMs(reference.median)}`,
    values: { subjectMs: subject.median, referenceMs: reference.median },
  };
}

function searchRow({ query, taken, total }: SearchTime): Row {
  return {
    name: `search: ${query.name}`,
    detail: `${inMs(taken.median)} (${inMs(taken.min)}..${inMs(taken.max)}), ${total} documents match`,
    values: { medianMs: taken.median, minMs: taken.min, maxMs: taken.max, total },
  };
}

function exactly(value: number): Spread {
  return { median: value, min: value, max: value };
}

function inMb(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
