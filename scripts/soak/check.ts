import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { placesOf, TOOL_PROJECTS, tasksOn, type World } from "./world.ts";

export type Call = <T>(name: string, args: Record<string, unknown>) => Promise<T>;

export interface Tally {
  /** Answers that were compared, by tool. */
  compared: Record<string, number>;
  /** Answers that overlapped a change of their subject: both the old and the new one would be right. */
  overlapped: number;
  wrong: string[];
}

export interface Question {
  tool: string;
  /** The right answer, read from the files. */
  truth: () => unknown;
  /** Grows with every change of the subject; odd during one. */
  version: () => number;
  ask: () => Promise<unknown>;
}

/** Compares an answer with the files, unless they changed in the meantime. */
export async function compare(tally: Tally, { tool, truth, version, ask }: Question): Promise<void> {
  const [before, at] = [truth(), version()];
  const answer = await ask().catch((error: unknown) => `it failed: ${error}`);
  if (at % 2 === 1 || version() !== at || !isDeepStrictEqual(truth(), before)) tally.overlapped++;
  else {
    tally.compared[tool] = (tally.compared[tool] ?? 0) + 1;
    if (!isDeepStrictEqual(answer, before))
      tally.wrong.push(`${tool}: ${JSON.stringify(answer)} instead of ${JSON.stringify(before)}`);
  }
}

/** A random question. */
export function chooseQuestion(world: World, call: Call): Question {
  const { random } = world;
  if (random.chance(0.2)) return aboutTasks(world, call, random.pick(TOOL_PROJECTS));
  if (random.chance(0.2) && world.removed.length > 0)
    return aboutWord(world, call, random.pick(world.removed));
  const words = random.chance(0.3) ? [...world.written.keys()].slice(-20) : [...world.outside.words.values()];
  const word = words.length === 0 ? "nothing" : random.pick(words);
  return random.chance(0.7) ? aboutWord(world, call, word) : aboutDocument(world, call, word);
}

interface Found {
  results: { path: string }[];
  /** Of a first build. */
  indexing?: string;
}

export function aboutWord(world: World, call: Call, word: string): Question {
  const ask = async (): Promise<string[]> => {
    const args = { query: `"${word}"`, limit: 5 };
    const { results, indexing } = await call<Found>("search", args);
    return indexing === undefined ? results.map(({ path }) => path).sort() : ask();
  };
  // The count of a word grows once per change; doubled, it is never odd.
  const version = () => 2 * (world.changes.get(word) ?? 0);
  return { tool: "search", truth: () => placesOf(world, word).sort(), version, ask };
}

interface Listed {
  filename: string;
  status: string;
}

export function aboutTasks(world: World, call: Call, project: string): Question {
  const ask = async () => {
    const listed: Listed[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const args = { project, limit: 500, offset };
      const page: { tasks: Listed[]; next_offset?: number } = await call("list_tasks", args);
      listed.push(...page.tasks.map(({ filename, status }) => ({ filename, status })));
      offset = page.next_offset;
    }
    return listed.sort((a, b) => (a.filename < b.filename ? -1 : 1));
  };
  const version = () => world.changes.get(project) ?? 0;
  return { tool: "list_tasks", truth: () => tasksOn(world, project), version, ask };
}

function aboutDocument(world: World, call: Call, word: string): Question {
  const path = placesOf(world, word)[0];
  if (path === undefined) return aboutWord(world, call, word);
  const [project = "", ...rest] = path.split("/");
  const filename = rest.pop() ?? "";
  const ask = async () => {
    const args = { project, folder: rest.join("/"), filename };
    return (await call<{ content: string }>("read_doc", args)).content;
  };
  const truth = () => {
    try {
      return readFileSync(join(world.root, path), "utf8");
    } catch {
      return undefined; // Gone meanwhile.
    }
  };
  const version = () => 2 * (world.changes.get(word) ?? 0);
  return { tool: "read_doc", truth, version, ask };
}
