import { isHiragana, isStopWord } from "../index/language.ts";
import { between, LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { foldedWords, nameParts, namesIn } from "../index/tokenizer.ts";
import { withoutMarkdownExtension } from "../lib/file-names.ts";
import { fold } from "../lib/text.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { compareHits, type Hit, type RankOptions } from "./hits.ts";
import type { QueryPlan } from "./query-plan.ts";
import { TUNING } from "./weights.ts";

/** Documents whose titles are compared: if bm25 ranks the right one lower, its title hardly helps. */
export const CANDIDATES = 100;

const NAMES = `SELECT json_group_array(json_object('chunk', c.id, 'title', d.title, 'filename', d.filename,
    'language', d.language, 'heading', c.heading, 'project', p.name))
  FROM ${LISTED_CHUNKS}
  JOIN documents d ON d.id = c.document_id JOIN projects p ON p.id = d.project_id`;

interface Names {
  chunk: number;
  title: string;
  filename: string;
  language: string | null;
  heading: string | null;
  project: string;
}

const NAMELESS = { title: "", filename: "", language: null, heading: null, project: "" };

/** Reorders candidates by how much of the query their title, file name or heading holds, by quotation, language and project. */
export function rerank(
  db: SqlDatabase,
  hits: Hit[],
  plan: QueryPlan,
  { preferred }: Pick<RankOptions, "preferred">,
): Hit[] {
  const { language } = plan;
  const quoting = new Set(plan.quoting);
  const query = queryOf(plan);
  const chunks = JSON.stringify(hits.map(({ chunk }) => chunk));
  const rows = new Map(readJson<Names[]>(db, NAMES, [chunks]).map((names) => [names.chunk, names]));
  const scored = hits.map((hit) => {
    const names = rows.get(hit.chunk) ?? NAMELESS;
    const both = [names.title, withoutMarkdownExtension(names.filename)].map((name) => match(name, query));
    const factors = {
      "title or file name": 1 + Math.max(...both.map((one) => titleBonus(one))),
      "whole question": quoting.has(hit.chunk) ? TUNING.verbatim : quoted(plan, hit.chunk),
      heading: 1 + TUNING.heading * match(names.heading ?? "", query).share,
      "language of the question": language !== null && names.language === language ? TUNING.sameLanguage : 1,
      "current project": preferred !== undefined && names.project === preferred ? TUNING.preferredProject : 1,
    };
    const score = Object.values(factors).reduce((product, times) => product * times, hit.score);
    return { ...hit, score, factors };
  });
  return scored.sort(compareHits);
}

/** So many words and pairs make a sentence. */
const SENTENCE = 5;

/** A sentence of which some words are missing still has most of its pairs, far more than a question about the same has. */
function quoted({ phrases, terms }: QueryPlan, chunk: number): number {
  if (Math.min(terms.length, phrases.length) < SENTENCE) return 1;
  const held = phrases.filter(({ chunks }) => between(chunks, chunk, chunk + 1).length > 0);
  const share = held.length / phrases.length;
  return 1 + Math.max(0, share - TUNING.quotedPairs) / (1 - TUNING.quotedPairs);
}

/** A title that says little besides the query beats one that mentions it. */
function titleBonus({ share, precision }: Match): number {
  return share * (TUNING.title + TUNING.preciseTitle * precision);
}

/** So that `centers` in a title equals `center`; English and Spanish form plurals alike. */
function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[a-z]{2})e?s$/, "") : word;
}

interface Query {
  /** What a name may hold: words, and pairs of them. */
  sought: { of: string; texts: string[]; weight: number }[];
  /** The weight of the whole query. */
  whole: number;
  /** The first word of each text: a name without any of them cannot match, which is cheap to check. */
  firsts: readonly string[];
}

function queryOf({ clauses, whole }: QueryPlan): Query {
  // The exact word comes before its other forms: it counts if a name holds both.
  const sought = clauses.map(({ of, texts, weight }) => ({ of, texts: texts.map(singular), weight }));
  const firsts = sought.flatMap(({ texts }) => texts.map((text) => text.split(" ", 1)[0] ?? ""));
  return { sought, whole: whole || 1, firsts };
}

interface Match {
  /** How much of the query a name holds. */
  share: number;
  /** How much of the name the query holds, without stop words. */
  precision: number;
}

function match(name: string, { sought, whole, firsts }: Query): Match {
  const folded = fold(name);
  if (!firsts.some((word) => folded.includes(word))) return { share: 0, precision: 0 };
  const words = foldedWords(name).map(singular);
  const held = new Set([...words, ...foldedWords(nameParts(name)).map(singular)]);
  for (let at = 1; at < words.length; at++) {
    held.add(`${words[at - 1]} ${words[at]}`);
    // A day has three.
    held.add(words.slice(at - 1, at + 2).join(" "));
  }
  const said = new Set<string>();
  const covered = new Map<string, number>();
  for (const { of, texts, weight } of sought) {
    const found = texts.filter((text) => held.has(text));
    if (found.length > 0 && !covered.has(of)) covered.set(of, weight);
    for (const text of found) for (const word of text.split(" ")) said.add(word);
  }
  for (const word of wholeNames(name, said)) said.add(word);
  const all = new Set(words.filter((word) => !isStopWord(word) && !isHiragana(word)));
  const rest = [...all].filter((word) => !said.has(word));
  const sum = [...covered.values()].reduce((a, b) => a + b, 0);
  return { share: Math.min(1, sum / whole), precision: 1 - rest.length / (all.size || 1) };
}

/** The names inside a text of which all words are said: `get user` says `getUser`. */
function wholeNames(text: string, said: ReadonlySet<string>): string[] {
  const isSaid = (part: string) => said.has(singular(part)) || isStopWord(part);
  const names = namesIn(text).split(" ");
  return names
    .filter((name) => foldedWords(nameParts(name)).every(isSaid))
    .map((name) => singular(fold(name)));
}
