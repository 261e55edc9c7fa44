import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inMb, inMs } from "../shared.ts";
import { type ServerCommand, timeEmptyNode, visit } from "./child.ts";
import { type Corpus, queriesFor, sessionQueries, typicalQuery, writeCorpus } from "./corpus.ts";
import {
  measurePersist,
  measureSearches,
  openMeasured,
  type SearchTime,
  statDocuments,
  timeSync,
} from "./indexed.ts";
import { type Comparison, compare, type Spread, type Timed, time } from "./measure.ts";
import type { Row } from "./report.ts";
import {
  addMarker,
  type ColdBuild,
  measureColdBuild,
  measureServed,
  measureWritten,
  timeFirstSearch,
  timeSession,
  type Written,
} from "./served.ts";

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
const STARTS = { coldStart: 2.2, firstSearch: 6.5, session: 9.4 };
const TARGETS = { ...STARTS, sync: 2, idle: 1.5, write: 1.3, peak: 5, ripgrep: 0.1, written: 1.2 };
/** Documents of the small workspace that the large one is compared with. */
const FEW = 100;
/** Queries of a session. */
const QUERIES = 12;

/** Measures the built `program` and the sources in the folder `place`, which must exist; gives the report's rows. */
export async function runBench(program: string, place: string, options: BenchOptions): Promise<Row[]> {
  const { say } = options;
  const bench = prepare(program, place, options);
  await sleep(options.settle);
  say("cold build …");
  const reference = () => time(() => bench.corpus.files.map((file) => readFileSync(file).length));
  const forget = () => rmSync(bench.index, { force: true });
  const turns = { repeats: options.builds, warmUp: 0 };
  const build = await measureColdBuild(bench.command, { reference, forget }, turns);
  say("starts …");
  if (process.env["NODE_EXTRA_CA_CERTS"])
    say(
      "NODE_EXTRA_CA_CERTS is set: some versions of Node read it at each start, which lowers ratios to an empty program",
    );
  const starts = await startRows(bench, options);
  say("index …");
  const indexed = await indexRows(bench, options);
  const built = buildRows(bench, build);
  say("long-lived server …");
  return [...starts, ...indexed, ...built, ...(await servedRows(bench, options))];
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

/** What a process takes after its start, against an empty Node program. */
async function startRows({ command, empty }: Bench, { seed, repeats }: BenchOptions): Promise<Row[]> {
  const row = async (name: string, label: string, subject: Timed, target: number) => {
    const compared = await compare(subject, timeEmptyNode, { repeats, warmUp: 1 });
    return against(name, compared, [label, "node -e 0"], target);
  };
  const coldStart = () => visit({ ...command, root: empty }, async (_, started) => started);
  const firstSearch = () => timeFirstSearch(command, typicalQuery(seed));
  const session = () => timeSession(command, sessionQueries(seed, QUERIES));
  return [
    await row("cold start", "start", coldStart, TARGETS.coldStart),
    await row("first search, warm index", "search", firstSearch, TARGETS.firstSearch),
    await row(`${QUERIES} queries after a start`, "queries", session, TARGETS.session),
  ];
}

async function indexRows(
  { command, corpus, index, place }: Bench,
  { repeats, seed }: BenchOptions,
): Promise<Row[]> {
  const turns = { repeats, warmUp: 2 };
  const files = { file: join(place, "persisted.db"), other: join(place, "plain.db") };
  const persist = await measurePersist(index, files, { repeats: Math.min(repeats, 7), warmUp: 1 });
  const workspace = await openMeasured(command.root);
  try {
    const unchanged = () => timeSync(workspace);
    const sync = await compare(unchanged, () => time(() => statDocuments(workspace.root)), turns);
    const searches = await measureSearches(workspace, queriesFor(seed), repeats);
    const change = () => appendFileSync(corpus.files[0] ?? "", "\nOne more line.\n");
    const update = await compare(() => timeSync(workspace, change), unchanged, turns);
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

async function servedRows({ command, few, index }: Bench, options: BenchOptions): Promise<Row[]> {
  const { seed, repeats, settle, say } = options;
  const words = queriesFor(seed).filter(({ text }) => /^[a-z ]+$/.test(text));
  const turns = { repeats: repeats * 3, warmUp: 3 };
  const { idle, write, ripgrep } = await measureServed(command, few, { queries: words, turns, settle });
  const written = await measureWritten(command);
  if (ripgrep === undefined) say("ripgrep is not measured: it is not installed");
  return [
    against("idle call, watched", idle, ["call", `with ${FEW} documents`], TARGETS.idle),
    against("write tool", write, ["call", `with ${FEW} documents`], TARGETS.write),
    ...(ripgrep === undefined ? [] : [against("ripgrep: words", ripgrep, ["search", "rg"], TARGETS.ripgrep)]),
    ...(written === undefined ? [] : [writtenRow(written, statSync(index).size)]),
  ];
}

function writtenRow({ changes, writer, watchers }: Written, indexBytes: number): Row {
  return {
    name: "bytes written per burst, to the index",
    ratio: exactly((writer + watchers) / indexBytes),
    target: TARGETS.written,
    detail: `${changes} changes by one of three servers: ${inMb(writer)}; by the two that watch: ${inMb(watchers)}`,
    values: { writerBytes: writer, watcherBytes: watchers, indexBytes },
  };
}

function buildRows({ corpus, index }: Bench, { comparison, memory, idle }: ColdBuild): Row[] {
  const size = statSync(index).size;
  const rate = (corpus.documents / comparison.subject.median) * 1000;
  const build = against("cold build", comparison, ["build", "reading the files"]);
  const detailed = `${Math.round(rate)} documents/s; ${build.detail}`;
  const rows: Row[] = [
    { ...build, detail: detailed, values: { ...build.values, rate } },
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
