import { isHiragana, isStopWord, type Language } from "../index/language.ts";
import { LISTED_CHUNKS, readJson } from "../index/postings.ts";
import { foldedWords, nameParts } from "../index/tokenizer.ts";
import { fold } from "../lib/text.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { QueryPlan } from "./query-plan.ts";
import { compareHits, type Hit } from "./rank.ts";
import type { Tuning } from "./weights.ts";

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

interface RerankOptions {
  plan: QueryPlan;
  /** Of the query. */
  language: Language | null;
  /** The project that the query is most likely about. */
  preferred: string | undefined;
  tuning: Tuning;
}

/** Reorders candidates by how much of the query their title, file name or heading holds, by language and by project. */
export function rerank(db: SqlDatabase, hits: Hit[], options: RerankOptions): Hit[] {
  const { plan, language, preferred, tuning } = options;
  const weights = new Map(plan.clauses.map(({ match, weight }) => [singular(match.slice(1, -1)), weight]));
  const query = { weights, firsts: [...weights.keys()].map((words) => words.split(" ", 1)[0] ?? "") };
  const chunks = JSON.stringify(hits.map(({ chunk }) => chunk));
  const rows = new Map(readJson<Names[]>(db, NAMES, [chunks]).map((names) => [names.chunk, names]));
  const scored = hits.map((hit) => {
    const names = rows.get(hit.chunk) ?? NAMELESS;
    const both = [names.title, names.filename.replace(/\.md$/i, "")].map((name) => match(name, query));
    const share = Math.max(...both.map((one) => one.share));
    const isComplete = both.some((one) => one.isComplete);
    const factor =
      (1 + tuning.title * share + (isComplete ? tuning.completeTitle : 0)) *
      (1 + tuning.heading * match(names.heading ?? "", query).share) *
      (language !== null && names.language === language ? tuning.sameLanguage : 1) *
      (preferred !== undefined && names.project === preferred ? tuning.preferredProject : 1);
    return { ...hit, score: hit.score * factor };
  });
  return scored.sort(compareHits);
}

/** So that `centers` in a title equals `center`; English and Spanish form plurals alike. */
function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[a-z]{2})e?s$/, "") : word;
}

interface Query {
  /** Of words, and of pairs of them. */
  weights: ReadonlyMap<string, number>;
  /** The first word of each term: a name without any of them cannot match, which is cheap to check. */
  firsts: readonly string[];
}

/** The share of the query that a name holds, and whether it holds nothing else but stop words. */
function match(name: string, { weights, firsts }: Query): { share: number; isComplete: boolean } {
  const folded = fold(name);
  if (!firsts.some((word) => folded.includes(word))) return { share: 0, isComplete: false };
  const words = foldedWords(name).map(singular);
  const held = new Set([...words, ...foldedWords(nameParts(name)).map(singular)]);
  for (let at = 1; at < words.length; at++) held.add(`${words[at - 1]} ${words[at]}`);
  const rest = new Set(words.filter((word) => !isStopWord(word) && !isHiragana(word)));
  let [covered, whole] = [0, 0];
  for (const [term, weight] of weights) {
    whole += weight;
    if (!held.has(term)) continue;
    covered += weight;
    for (const word of term.split(" ")) rest.delete(word);
  }
  const share = covered / (whole || 1);
  return { share, isComplete: share > 0.999 && rest.size === 0 };
}
