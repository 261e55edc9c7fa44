import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Kind, phrase, renderDocument } from "./document.ts";
import { createRandom, type Random } from "./random.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

export interface CorpusOptions {
  documents: number;
  seed: number;
}

interface CorpusDocument {
  /** Workspace-relative. */
  path: string;
  text: string;
  /** Last modification in seconds since 1970, for the boost by age. */
  modified: number;
}

export interface Corpus {
  documents: number;
  bytes: number;
  /** Absolute, in the order they were written. */
  files: string[];
}

const PROJECTS = 20;
const DAYS = 400;
const DAY_SECONDS = 86_400;
const LAST_DAY = Date.UTC(2026, 9, 31) / 1000;
const SHARES = {
  ...{ tasks: 0.34, sessions: 0.24, references: 0.14, plans: 0.07, reports: 0.06 },
  ...{ changelog: 0.05, scratch: 0.06, assets: 0.01, "": 0.03 },
};

/** The documents of a seed, one after the other; each depends only on the seed and its own number. */
export function* generateDocuments({ documents, seed }: CorpusOptions): Generator<CorpusDocument> {
  const vocabulary = createVocabulary(seed);
  for (let number = 0; number < documents; number++) {
    // Close seeds would repeat each other's draws one step later.
    const random = createRandom(seed + Math.imul(number + 1, 0x9e3779b1));
    yield makeDocument(number, random, vocabulary);
  }
}

function makeDocument(number: number, random: Random, vocabulary: Vocabulary): CorpusDocument {
  const isStatus = number < PROJECTS;
  // The product of two draws makes some projects large and most of them small.
  const project = isStatus ? number : Math.floor(random.next() * random.next() * PROJECTS);
  const folder = isStatus ? "" : chooseFolder(random);
  const modified = LAST_DAY - random.below(DAYS) * DAY_SECONDS;
  const date = new Date(modified * 1000).toISOString().slice(0, 10);
  const title = isStatus ? "Status" : phrase({ random, vocabulary }, 2 + random.below(4));
  const name = isStatus ? "status" : filename({ number, folder, title, date });
  const path = [projectName(vocabulary, project), folder, `${name}.md`]
    .filter((part) => part !== "")
    .join("/");
  return { path, modified, text: renderDocument({ kind: kindOf(folder), title, date, random, vocabulary }) };
}

function projectName(vocabulary: Vocabulary, project: number): string {
  return `${vocabulary.ranked(2000 + project)}-${vocabulary.ranked(3000 + project)}`;
}

function chooseFolder(random: Random): string {
  let rest = random.next();
  for (const [folder, share] of Object.entries(SHARES)) {
    if (rest < share) return folder;
    rest -= share;
  }
  return "";
}

function kindOf(folder: string): Kind {
  if (folder === "tasks") return "task";
  return folder === "sessions" ? "session" : "note";
}

function filename(document: { number: number; folder: string; title: string; date: string }): string {
  const { number, folder, title, date } = document;
  const slug = title.replaceAll(" ", "-");
  if (folder === "tasks") return `${String(number).padStart(3, "0")}-${slug}`;
  return folder === "sessions" ? `${date}-${slug}-${number}` : `${slug}-${number}`;
}

/** Writes the documents below `root`, which must exist. */
export function writeCorpus(root: string, options: CorpusOptions): Corpus {
  const corpus: Corpus = { documents: 0, bytes: 0, files: [] };
  const made = new Set<string>();
  for (const { path, text, modified } of generateDocuments(options)) {
    const file = join(root, path);
    const folder = dirname(file);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    const bytes = Buffer.from(text);
    writeFileSync(file, bytes);
    utimesSync(file, modified, modified);
    corpus.documents++;
    corpus.bytes += bytes.length;
    corpus.files.push(file);
  }
  return corpus;
}

export interface Query {
  name: string;
  text: string;
}

/** The queries of the benchmark, with words of different frequency in the corpus of the seed. */
export function queriesFor(seed: number): Query[] {
  const { ranked } = createVocabulary(seed);
  return [
    { name: "a rare word", text: ranked(20_000) },
    { name: "a common word", text: ranked(1) },
    { name: "three words", text: typicalQuery(seed) },
    { name: "a phrase", text: '"rotate the bearer token"' },
    { name: "a prefix", text: `${ranked(400).slice(0, 3)}*` },
    { name: "a Japanese pair", text: "検索" },
  ];
}

/** A frequent word, a less frequent one and a rare one, as in most real queries. */
export function typicalQuery(seed: number): string {
  return sessionQueries(seed, 1).join();
}

/** Typical queries, each with other words. */
export function sessionQueries(seed: number, count: number): string[] {
  const { ranked } = createVocabulary(seed);
  return Array.from({ length: count }, (_, n) => [50 + n, 500 + n, 5000 + n].map(ranked).join(" "));
}
