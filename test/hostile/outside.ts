import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Another program that changes a workspace, and what it knows of it: each document holds its own word. */
export interface Outside {
  root: string;
  /** By path. */
  words: Map<string, string>;
  random: () => number;
  count: number;
}

/** What the next call has to find: each word in exactly these documents. */
export type Expected = Record<string, string[]>;

const FOLDERS = ["tasks", "plans/old", "notes"];

export function populate(root: string, documents: number, random: () => number): Outside {
  const outside: Outside = { root, words: new Map(), random, count: 0 };
  for (let n = 0; n < documents; n++) create(outside, `p${n % 20}/${FOLDERS[n % 3]}/${n}.md`);
  return outside;
}

const place = ({ root }: Outside, path: string) => join(root, ...path.split("/"));
const fresh = (outside: Outside) => `w${(++outside.count).toString(36)}q`;

function pick<T>({ random }: Outside, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error("there is nothing to choose from");
  return one;
}

function some(outside: Outside): { path: string; word: string } {
  const path = pick(outside, [...outside.words.keys()]);
  return { path, word: outside.words.get(path) ?? "" };
}

function create(outside: Outside, path: string): Expected {
  const word = fresh(outside);
  mkdirSync(dirname(place(outside, path)), { recursive: true });
  writeFileSync(place(outside, path), `# Note\n\n${word}\n`);
  outside.words.set(path, word);
  return { [word]: [path] };
}

/** Another content for a document, by `write`. */
function rewrite(outside: Outside, write: (file: string, text: string) => void): Expected {
  const { path, word } = some(outside);
  const next = fresh(outside);
  write(place(outside, path), `# Note\n\n${next}\n`);
  outside.words.set(path, next);
  return { [word]: [], [next]: [path] };
}

/** Takes a document, a folder or a project from one path to another. */
function move(outside: Outside, from: string, to: string): Expected {
  mkdirSync(dirname(place(outside, to)), { recursive: true });
  renameSync(place(outside, from), place(outside, to));
  const expected: Expected = {};
  for (const [path, word] of [...outside.words]) {
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    outside.words.delete(path);
    outside.words.set(`${to}${path.slice(from.length)}`, word);
    if (Object.keys(expected).length < 3) expected[word] = [`${to}${path.slice(from.length)}`];
  }
  return expected;
}

function remove(outside: Outside, from: string): Expected {
  const expected: Expected = {};
  rmSync(place(outside, from), { recursive: true });
  for (const [path, word] of [...outside.words]) {
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    outside.words.delete(path);
    if (Object.keys(expected).length < 3) expected[word] = [];
  }
  return expected;
}

const swap = (file: string, text: string) => {
  writeFileSync(`${file}.swp`, text);
  renameSync(`${file}.swp`, file);
};

/** Same size and mtime: only the ctime shows the change, as far as its clock can. */
const quietly = (file: string, text: string) => {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, "x".repeat(text.length));
  writeFileSync(file, text);
  utimesSync(file, atime, mtime);
};

const otherCase = (name: string) => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());

/** What people and programs do to files. */
export const DEEDS: Record<string, (outside: Outside) => Expected> = {
  "an edit in place": (outside) => rewrite(outside, writeFileSync),
  "an edit by rename": (outside) => rewrite(outside, swap),
  "two edits in one tick of the clock": (outside) => rewrite(outside, quietly),
  "an addition": (outside) => {
    const { path, word } = some(outside);
    const next = fresh(outside);
    appendFileSync(place(outside, path), `\n${next}\n`);
    return { [word]: [path], [next]: [path] };
  },
  "a new document": (outside) => create(outside, `p${outside.count % 20}/new/${outside.count}.md`),
  "a new project": (outside) => create(outside, `new${outside.count}/deep/er/${outside.count}.md`),
  "a deletion": (outside) => remove(outside, some(outside).path),
  "a rename": (outside) => move(outside, some(outside).path, `p3/notes/renamed ${outside.count++}.md`),
  "a rename in letter case only": (outside) => {
    const { path } = some(outside);
    return move(outside, path, join(dirname(path), otherCase(basename(path))));
  },
  "a name composed, and its twin apart": (outside) => ({
    ...create(outside, `p1/caf\u00e9 ${outside.count}.md`),
    ...create(outside, `p1/cafe\u0301 ${outside.count - 1}.md`),
  }),
  "a folder moved": (outside) => {
    const { path } = some(outside);
    return path.split("/").length < 3 ? {} : move(outside, dirname(path), `p5/moved${outside.count++}`);
  },
  "a folder replaced": (outside) => {
    const folder = dirname(some(outside).path);
    return { ...remove(outside, folder), ...create(outside, `${folder}/${outside.count}.md`) };
  },
  "a project moved": (outside) => {
    const project = some(outside).path.split("/", 1)[0] ?? "";
    return move(outside, project, `moved${outside.count++}`);
  },
};
