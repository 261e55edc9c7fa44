import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { longText } from "../../test/fixtures/texts.ts";
import { DEEDS, type Outside, populate } from "../../test/hostile/outside.ts";
import { createRandom, type Random } from "../bench/random.ts";

/** A workspace and what must be found in it: words that one document each holds. */
export interface World {
  root: string;
  random: Random;
  /** The documents that an editor changes. */
  outside: Outside;
  /** The words that tools have written, with their paths; known after the answer. */
  written: Map<string, string>;
  /** Words that no document holds any more. */
  removed: string[];
  /** How often a word or a project of the tools changed; odd while a change is under way. */
  changes: Map<string, number>;
}

/** Its notes hold any text at all. */
export const ODD_PROJECT = "tools-odd";
export const TOOL_PROJECTS = ["tools-a", "tools-b", "tools-c"];
const OWN_PROJECTS = [...TOOL_PROJECTS, ODD_PROJECT];
const STATUSES = ["pending", "in-progress", "done", "blocked"];
/** Beyond these the oldest are removed, so that the workspace keeps its size. */
const MAX = { documents: 500, tasks: 60, removed: 500 };

export function createWorld(root: string, seed: number): World {
  const random = createRandom(seed);
  const outside = populate(root, 300, random.next);
  for (const project of OWN_PROJECTS) mkdirSync(join(root, project, "tasks"), { recursive: true });
  const world = { root, random, outside, written: new Map(), removed: [], changes: new Map() };
  writeOddly(world);
  return world;
}

export function changed({ changes }: World, what: string): void {
  changes.set(what, (changes.get(what) ?? 0) + 1);
}

/** The paths that hold a word now. */
export function placesOf({ outside, written }: World, word: string): string[] {
  const place = written.get(word);
  if (place !== undefined) return [place];
  return [...outside.words].filter(([, held]) => held === word).map(([path]) => path);
}

/** One change by a person with an editor. */
export function edit(world: World): void {
  const { random, outside } = world;
  if (random.chance(0.1)) writeOddly(world);
  if (random.chance(0.2)) {
    setStatus(world, random.pick(TOOL_PROJECTS));
    return;
  }
  const deed = random.pick(Object.values(DEEDS));
  for (const [word, paths] of Object.entries(deed(outside))) {
    changed(world, word);
    if (paths.length === 0) forget(world, word);
  }
}

function forget({ removed }: World, word: string): void {
  removed.push(word);
  if (removed.length > MAX.removed) removed.shift();
}

/** Edits a status by hand, but not while a tool writes there: the order would be unknown. */
function setStatus(world: World, project: string): void {
  const name = tasksOn(world, project)[0]?.filename;
  if (name === undefined || (world.changes.get(project) ?? 0) % 2 === 1) return;
  changed(world, project);
  const file = join(world.root, project, "tasks", name);
  const status = world.random.pick(STATUSES);
  writeFileSync(file, readFileSync(file, "utf8").replace(/^Status: .*$/m, `Status: ${status}`));
  changed(world, project);
  // For a moment the file was empty.
  const path = `${project}/tasks/${name}`;
  for (const [word, place] of world.written) if (place === path) changed(world, word);
}

/** Any text in place of one of the odd tasks. */
function writeOddly({ root, random }: World): void {
  const [text = ""] = fc.sample(longText, { seed: random.below(2 ** 31), numRuns: 1 });
  writeFileSync(join(root, ODD_PROJECT, "tasks", `00${random.below(9)}-odd.md`), text);
}

/** The tasks of a project, by a plain scan of the files. */
export function tasksOn({ root }: World, project: string): { filename: string; status: string }[] {
  const folder = join(root, project, "tasks");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return names.sort().map((filename) => {
    const text = readFileSync(join(folder, filename), "utf8");
    return { filename, status: /^Status: (.*)$/m.exec(text)?.[1] ?? "" };
  });
}

/** Reduces the workspace to its size; only at rest. */
export function tidy(world: World): void {
  const { root, outside } = world;
  const projects = new Set([...outside.words.keys()].map((path) => path.split("/", 1)[0] ?? ""));
  for (const project of [...projects].reverse()) {
    if (outside.words.size <= MAX.documents && projects.size <= 40) break;
    projects.delete(project);
    removeBelow(world, project);
  }
  const orphans = readdirSync(root, { withFileTypes: true }).filter(
    ({ name }) => !name.includes(".") && !projects.has(name) && !OWN_PROJECTS.includes(name),
  );
  for (const { name } of orphans) rmSync(join(root, name), { recursive: true });
  for (const project of TOOL_PROJECTS) {
    for (const { filename } of tasksOn(world, project).slice(0, -MAX.tasks))
      removeBelow(world, `${project}/tasks/${filename}`);
    removeBelow(world, `${project}/sessions`);
  }
}

function removeBelow(world: World, place: string): void {
  const { root, outside, written } = world;
  rmSync(join(root, place), { recursive: true, force: true });
  const isBelow = (path: string) => path === place || path.startsWith(`${place}/`);
  for (const [path, word] of [...outside.words].filter(([path]) => isBelow(path))) {
    outside.words.delete(path);
    forget(world, word);
  }
  for (const [word] of [...written].filter(([, path]) => isBelow(path))) {
    written.delete(word);
    forget(world, word);
  }
}
