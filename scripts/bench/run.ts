import { appendFileSync, copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerCommand } from "./child.ts";
import { type Corpus, queriesFor, typicalQuery, writeCorpus } from "./corpus.ts";
import { measureEngines } from "./engines.ts";
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
import type { Row } from "./report.ts";
import { type ColdBuild, measureColdBuild, measureColdStart, measureFirstSearch } from "./starts.ts";

export interface BenchOptions {
  documents: number;
  seed: number;
  /** Turns of each short measurement. */
  repeats: number;
  /** Cold builds of the index: each takes seconds. */
  builds: number;
  /** Milliseconds to let pass between writing the documents and indexing them. */
  settle: number;
  say: (progress: string) => void;
}

/** What the whole must not exceed, as median ratios. */
const TARGETS = { coldStart: 2, firstSearch: 4.5, sync: 2 } as const;
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
  const coldStart = await measureColdStart({ ...bench.command, root: bench.empty }, turns);
  const firstSearch = await measureFirstSearch(bench.command, typicalQuery(seed), turns);
  say("index …");
  return [
    against("cold start", coldStart, ["start", "node -e 0"], TARGETS.coldStart),
    against("first search, warm index", firstSearch, ["search", "node -e 0"], TARGETS.firstSearch),
    ...(await indexRows(bench, options)),
    ...buildRows(bench, build),
    ...(await engineRows(options)),
  ];
}

interface Bench {
  command: ServerCommand;
  corpus: Corpus;
  index: string;
  /** A root without documents. */
  empty: string;
  place: string;
}

function prepare(program: string, place: string, { documents, seed, say }: BenchOptions): Bench {
  const [root, empty, copy] = [join(place, "root"), join(place, "empty"), join(place, "vibe-mcp.cjs")];
  mkdirSync(root);
  mkdirSync(empty);
  // A copy: a build that runs meanwhile must not change what is measured.
  copyFileSync(program, copy);
  const start = performance.now();
  const corpus = writeCorpus(root, { documents, seed });
  say(`${documents} documents, ${inMb(corpus.bytes)}, written in ${inMs(performance.now() - start)}`);
  return { command: { program: copy, root }, corpus, index: join(root, "index.db"), empty, place };
}

function buildIndex({ command, corpus, index }: Bench, builds: number): Promise<ColdBuild> {
  const reference = () => time(() => readDocuments(corpus.files));
  const forget = () => rmSync(index, { force: true });
  return measureColdBuild(command, { reference, forget }, { repeats: builds, warmUp: 0 });
}

async function indexRows({ command, corpus, index, place }: Bench, options: BenchOptions): Promise<Row[]> {
  const turns = { repeats: options.repeats, warmUp: 2 };
  const files = { file: join(place, "persisted.db"), other: join(place, "plain.db") };
  const persist = await measurePersist(index, files, { repeats: Math.min(options.repeats, 7), warmUp: 1 });
  const workspace = openMeasured(command.root);
  try {
    const sync = await measureSync(workspace, turns);
    const searches = await measureSearches(workspace, queriesFor(options.seed), turns);
    const change = () => appendFileSync(corpus.files[0] ?? "", "\nOne more line.\n");
    const update = await measureUpdate(workspace, change, turns);
    return [
      against("sync, nothing changed", sync, ["sync", "stat walk"], TARGETS.sync),
      against("sync, one document changed", update, ["sync", "nothing changed"]),
      against("persist", persist, ["persist", "plain write"]),
      ...searches.map(searchRow),
    ];
  } finally {
    await workspace.close();
  }
}

async function engineRows({ documents, seed, repeats }: BenchOptions): Promise<Row[]> {
  const measured = await measureEngines(
    { documents: Math.min(documents, 2000), seed },
    { repeats, warmUp: 1 },
  );
  return measured.map(({ name, comparison }) => against(name, comparison, ["sql.js", "ours"]));
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
  return [...rows, { name: "memory", ratio: exactly(memory.now / idle), detail, values }];
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

function inMs(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;
}

function inMb(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
