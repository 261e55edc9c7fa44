import { fold } from "../../src/lib/text.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { createRandom, type Random } from "../bench/random.ts";
import { alignColumns } from "../bench/report.ts";
import { IDENTIFIER_KINDS, type IdentifierKind, type Material, readMaterial } from "./material.ts";
import { DEPTH } from "./score.ts";

/** The result of one kind of question that is made from the documents. */
export interface Evidence {
  name: string;
  questions: number;
  /** A percentage. */
  reached: number;
  target: number;
  /** The questions without a full answer. */
  misses: string[];
}

interface Trial {
  workspace: Workspace;
  random: Random;
  documents: readonly Material[];
  /** Questions of each kind. */
  sample: number;
}

/** A part of a document that holds identifiers. */
interface Place {
  name: string;
  field: "name" | "headings";
}

const PLACES: readonly Place[] = [
  { name: "file name or title", field: "name" },
  { name: "heading", field: "headings" },
];

/** A name that more documents share is too common to find one of them. */
const MAX_NAMESAKES = 5;
const EVERY_RESULT = 1_000_000;
/** Lines that are searched for CJK words of two characters: all documents would take minutes. */
const LINES = 3000;
const CJK_PAIR = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;
const IS_PAIR = new RegExp(`^${CJK_PAIR.source}$`, "u");

export async function gatherEvidence(
  workspace: Workspace,
  { seed, sample }: { seed: number; sample: number },
): Promise<Evidence[]> {
  const documents = readMaterial(workspace.root);
  const trial = { workspace, random: createRandom(seed), documents, sample };
  const found: Evidence[] = [];
  for (const place of PLACES) {
    for (const kind of IDENTIFIER_KINDS) found.push(...(await tryIdentifiers(trial, kind, place)));
  }
  found.push(await tryPairs(trial), ...(await tryTitles(trial)));
  return found;
}

export function renderEvidence(rows: readonly Evidence[]): string {
  const cells = rows.map(({ name, questions, reached, target }) => {
    const verdict = questions === 0 ? "no material" : reached >= target ? "ok" : "SHORT";
    return [name, String(questions), reached.toFixed(1), String(target), verdict];
  });
  return alignColumns([["question", "asked", "reached", "target", ""], ...cells]);
}

/** The questions without a full answer, by kind. */
export function renderShortfalls(rows: readonly Evidence[]): string {
  const short = rows.filter(({ misses }) => misses.length > 0);
  return short.map(({ name, misses }) => `\n${name}\n  ${misses.join("\n  ")}\n`).join("");
}

/** The share of the documents with an identifier that are among the first ten. */
async function tryIdentifiers(trial: Trial, kind: IdentifierKind, place: Place): Promise<Evidence[]> {
  const all = pathsByIdentifier(trial.documents, ({ [place.field]: text }) => text.matchAll(kind.pattern));
  const rare = [...all].filter(([, paths]) => paths.size <= MAX_NAMESAKES);
  const chosen = draw(trial, rare);
  const rows: Evidence[] = [];
  for (const { how, form } of kind.variants) {
    const questions = chosen.map(([identifier, paths]) => ({ query: form(identifier), paths: [...paths] }));
    rows.push(
      await recall(trial, `${kind.name} in a ${place.name}, ${how}`, { questions, limit: DEPTH, target: 95 }),
    );
  }
  return rows;
}

/** Each identifier, with the documents that hold it. */
function pathsByIdentifier(
  documents: readonly Material[],
  identifiersOf: (document: Material) => Iterable<RegExpMatchArray>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const document of documents) {
    for (const [identifier] of identifiersOf(document)) {
      const paths = found.get(identifier) ?? new Set();
      found.set(identifier, paths.add(document.path));
    }
  }
  return found;
}

/** Whether a CJK word of two characters finds all documents that hold it. */
async function tryPairs(trial: Trial): Promise<Evidence> {
  const lines = draw(
    trial,
    trial.documents.flatMap(({ body }) => body.split("\n").filter((line) => CJK_PAIR.test(line))),
    LINES,
  );
  const words = new Set(lines.flatMap((line) => wordsOf(line).filter((word) => IS_PAIR.test(word))));
  const questions = draw(trial, [...words]).map((query) => ({
    query,
    paths: trial.documents.filter(({ body }) => body.includes(query)).map(({ path }) => path),
  }));
  return recall(trial, "a CJK word of two characters", { questions, limit: EVERY_RESULT, target: 100 });
}

interface QuestionSet {
  questions: { query: string; paths: string[] }[];
  limit: number;
  target: number;
}

async function recall(
  trial: Trial,
  name: string,
  { questions, limit, target }: QuestionSet,
): Promise<Evidence> {
  const misses: string[] = [];
  let sum = 0;
  for (const { query, paths } of questions) {
    const found = new Set(await search(trial.workspace, query, limit));
    const share = paths.filter((path) => found.has(path)).length / paths.length;
    if (share < 1) misses.push(`${query}: ${paths.filter((path) => !found.has(path)).join(", ")}`);
    sum += share;
  }
  return { name, questions: questions.length, reached: percent(sum, questions.length), target, misses };
}

/** Whether three words of a title rank its document first. */
async function tryTitles(trial: Trial): Promise<Evidence[]> {
  const titled = trial.documents.map((document) => ({ ...document, words: distinctWords(document.title) }));
  const count = new Map<string, number>();
  for (const { title } of titled) count.set(fold(title), (count.get(fold(title)) ?? 0) + 1);
  const unique = titled.filter(({ title, words }) => words.length >= 3 && count.get(fold(title)) === 1);
  const questions = draw(trial, unique).map(({ path, words }) => ({
    path,
    words: pickThree(trial.random, words),
  }));
  const isDistinctive = (words: readonly string[]) =>
    titled.filter((other) => words.every((word) => other.words.includes(word))).length === 1;
  const distinctive = questions.filter(({ words }) => isDistinctive(words));
  return [
    await first(trial, "three words of a title", questions),
    await first(trial, "three words that only one title has", distinctive),
  ];
}

async function first(
  { workspace }: Trial,
  name: string,
  questions: readonly { path: string; words: string[] }[],
): Promise<Evidence> {
  const misses: string[] = [];
  for (const { path, words } of questions) {
    const [best] = await search(workspace, words.join(" "), 1);
    if (best !== path) misses.push(`${words.join(" ")}: ${path}, not ${best}`);
  }
  const hits = questions.length - misses.length;
  return { name, questions: questions.length, reached: percent(hits, questions.length), target: 85, misses };
}

async function search(workspace: Workspace, query: string, limit: number): Promise<string[]> {
  const { results } = await workspace.search({ query, limit, filter: {} });
  return results.map(({ path }) => path);
}

/** A random sample without repetition. */
function draw<T>({ random, sample }: Trial, values: readonly T[], count = sample): T[] {
  return values
    .map((value) => ({ value, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Three of the words, in their order. */
function pickThree(random: Random, words: readonly string[]): string[] {
  const kept = new Set<string>();
  while (kept.size < 3) kept.add(random.pick(words));
  return words.filter((word) => kept.has(word));
}

function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

function distinctWords(text: string): string[] {
  return [...new Set(wordsOf(fold(text)))];
}

function percent(sum: number, of: number): number {
  return of === 0 ? 0 : (100 * sum) / of;
}
