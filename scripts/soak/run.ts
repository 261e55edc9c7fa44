import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { callers } from "../../test/fixtures/workspace.ts";
import { residentMemory } from "../bench/child.ts";
import { spreadOf } from "../bench/measure.ts";
import { startClient } from "../shared.ts";
import { aboutTasks, aboutWord, type Call, chooseQuestion, compare, type Tally } from "./check.ts";
import { changed, createWorld, edit, ODD_PROJECT, TOOL_PROJECTS, tidy, type World } from "./world.ts";

export interface SoakOptions {
  program: string;
  root: string;
  /** The home folder of the servers. */
  home: string;
  seed: number;
  minutes: number;
  say(line: string): void;
}

export interface Sample {
  /** Bytes. */
  memory: number;
  descriptors: number;
}

export interface SoakResult extends Tally {
  edits: number;
  writes: number;
  /** The longest that a ping waited for its answer, in ms. */
  longestWait: number;
  /** The load of the reading and the writing server, measured once a round. */
  samples: [Sample[], Sample[]];
}

interface Server {
  call: Call;
  ping: () => Promise<unknown>;
  pid: number;
  close: () => Promise<void>;
}

const ROUND_MS = 2000;
const READERS = 3;
const ABOUT_ODD: [tool: string, args: Record<string, unknown>][] = [
  ["list_tasks", { project: ODD_PROJECT }],
  ["get_briefing", { project: ODD_PROJECT, focus: "odd" }],
  ["search", { project: ODD_PROJECT, query: "word line step status" }],
];

/** Runs an editor, a writing and an answering server in rounds; after each, everything is compared at rest. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const world = createWorld(options.root, options.seed);
  const [reader, writer] = await Promise.all([start(options), start(options)]);
  const tally: Tally = { compared: {}, overlapped: 0, wrong: [] };
  const result: SoakResult = { ...tally, edits: 0, writes: 0, longestWait: 0, samples: [[], []] };
  const end = performance.now() + options.minutes * 60_000;
  for (let round = 1; performance.now() < end && result.wrong.length === 0; round++) {
    await work(world, { reader, writer, result, until: Math.min(end, performance.now() + ROUND_MS) });
    await compareAll(world, [reader, writer], result);
    tidy(world);
    for (const [at, { pid }] of [reader, writer].entries()) result.samples[at]?.push(sample(pid));
    if (round % 30 === 0) options.say(`${round} rounds: ${summary(result)}`);
  }
  await Promise.all([reader.close(), writer.close()]);
  return result;
}

async function start({ program, root, home }: SoakOptions): Promise<Server> {
  const { client, pid } = await startClient([program, "--root", root], home);
  return {
    call: callers(client).call,
    ping: () => client.ping(),
    pid,
    close: () => client.close(),
  };
}

interface Round {
  reader: Server;
  writer: Server;
  result: SoakResult;
  until: number;
}

async function work(world: World, { reader, writer, result, until }: Round): Promise<void> {
  const repeat = async (step: () => Promise<void>) => {
    while (performance.now() < until) await step();
  };
  const editing = repeat(async () => {
    edit(world);
    result.edits++;
    await sleep(world.random.below(20));
  });
  const writing = repeat(async () => {
    await write(world, writer.call);
    result.writes++;
    await sleep(world.random.below(10));
  });
  const reading = Array.from({ length: READERS }, () =>
    repeat(() => compare(result, chooseQuestion(world, reader.call))),
  );
  const readingOddly = repeat(async () => {
    for (const [tool, args] of ABOUT_ODD) await reader.call(tool, args);
    await sleep(100);
  });
  const waiting = repeat(async () => {
    const start = performance.now();
    await reader.ping();
    result.longestWait = Math.max(result.longestWait, performance.now() - start);
    await sleep(20);
  });
  await Promise.all([editing, writing, readingOddly, waiting, ...reading]);
}

/** Makes one call that writes; its word counts as written after the answer. */
async function write(world: World, call: Call): Promise<void> {
  const { random, written } = world;
  const project = random.pick(TOOL_PROJECTS);
  const word = `t${random.below(2 ** 31).toString(36)}x`;
  changed(world, project);
  const path = await pathOf(world, call, { project, word });
  changed(world, project);
  if (path !== undefined) written.set(word, path);
}

async function pathOf(
  { random }: World,
  call: Call,
  { project, word }: { project: string; word: string },
): Promise<string | undefined> {
  const kind = random.below(3);
  if (kind === 0) {
    const args = { project, title: "Something to do", objective: word };
    return (await call<{ task: { path: string } }>("create_task", args)).task.path;
  }
  if (kind === 1) {
    const args = { project, content: `- ${word}` };
    return (await call<{ session: { path: string } }>("log_session", args)).session.path;
  }
  const { tasks } = await call<{ tasks: { filename: string }[] }>("list_tasks", { project, limit: 20 });
  const status = random.pick(["pending", "in-progress", "done", "blocked"]);
  if (tasks.length > 0)
    await call("update_task_status", { project, task: random.pick(tasks).filename, status });
  return undefined;
}

/** At rest, every answer of every server is exact. */
async function compareAll(world: World, servers: readonly Server[], tally: Tally): Promise<void> {
  const words = [...world.outside.words.values(), ...world.written.keys(), ...world.removed];
  for (const { call } of servers) {
    for (const project of TOOL_PROJECTS) await compare(tally, aboutTasks(world, call, project));
    for (let count = 0; count < 20; count++)
      await compare(tally, aboutWord(world, call, world.random.pick(words)));
  }
}

function sample(pid: number): Sample {
  const descriptors = process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : 0;
  return { memory: residentMemory(pid)?.now ?? 0, descriptors };
}

const EARLY = { from: 0.25, to: 0.5 };
const MB = 1024 * 1024;
/** Garbage collection comes in waves; an hour of leaks grows further. */
const ALLOWED = { times: 1.3, bytes: 24 * MB, descriptors: 4 };

export interface Level {
  memory: [number, number];
  descriptors: [number, number];
  isLevel: boolean;
}

/** The medians of the second and of the last quarter. */
export function levelOf(samples: readonly Sample[]): Level {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  const [early, late] = [part(EARLY.from, EARLY.to), part(0.75, 1)];
  const of = (name: keyof Sample): [number, number] => [
    spreadOf(early.map((one) => one[name])).median,
    spreadOf(late.map((one) => one[name])).median,
  ];
  const [memory, descriptors] = [of("memory"), of("descriptors")];
  const isLevel =
    memory[1] <= memory[0] * ALLOWED.times + ALLOWED.bytes &&
    descriptors[1] <= descriptors[0] + ALLOWED.descriptors;
  return { memory, descriptors, isLevel };
}

export function summary({ compared, overlapped, wrong, edits, writes, longestWait }: SoakResult): string {
  const answers = Object.entries(compared).map(([tool, count]) => `${count} ${tool}`);
  return `${edits} edits, ${writes} writes; compared: ${answers.join(", ")}; ${overlapped} overlapped a change; ${wrong.length} wrong; a ping waited ${Math.round(longestWait)} ms at most`;
}
