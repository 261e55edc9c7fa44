import { fold } from "../lib/text.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { Language } from "./language.ts";
import type { Plan } from "./match.ts";
import { LISTED_CHUNKS, readJson } from "./one-text.ts";
import type { Hit } from "./rank.ts";
import { foldedWords, nameParts } from "./segment.ts";
import { isHiragana, isStopWord } from "./stop-words.ts";
import type { Tuning } from "./tuning.ts";

/** Documents whose titles are looked at: bm25 has found the right one among them, or nothing will. */
export const CANDIDATES = 100;

const NAMES = `SELECT json_group_array(json_array(c.id, d.title, d.filename, d.language, c.heading, p.name))
  FROM ${LISTED_CHUNKS}
  JOIN documents d ON d.id = c.document_id JOIN projects p ON p.id = d.project_id`;

type Names = [
  chunk: number,
  title: string,
  filename: string,
  language: string | null,
  heading: string | null,
  project: string,
];

/** What the order depends on besides the text. */
export interface Circumstances {
  plan: Plan;
  language: Language | null;
  /** The project that the question most likely is about. */
  preferred: string | undefined;
  tuning: Tuning;
}

/** Orders candidates anew by how much of the query their title, file name or heading holds, by their language and their project. */
export function rerank(
  db: SqlDatabase,
  hits: Hit[],
  { plan, language, preferred, tuning }: Circumstances,
): Hit[] {
  const weights = new Map(plan.parts.map(({ match, weight }) => [singular(match.slice(1, -1)), weight]));
  const asked = { weights, firsts: [...weights.keys()].map((words) => words.split(" ", 1)[0] ?? "") };
  const names = namesOf(db, hits);
  const scored = hits.map((hit) => {
    const [, title, filename, written, heading, project] = names.get(hit.chunk) ?? NAMELESS;
    const both = [title, filename.replace(/\.md$/i, "")].map((name) => match(name, asked));
    const covered = Math.max(...both.map(({ share }) => share));
    const complete = both.some(({ isComplete }) => isComplete);
    const factor =
      (1 + tuning.title * covered + (complete ? tuning.completeTitle : 0)) *
      (1 + tuning.heading * match(heading ?? "", asked).share) *
      (language !== null && written === language ? tuning.sameLanguage : 1) *
      (preferred !== undefined && project === preferred ? tuning.preferredProject : 1);
    return { ...hit, score: hit.score * factor };
  });
  return scored.sort((a, b) => b.score - a.score || b.day - a.day || a.document - b.document);
}

const NAMELESS: Names = [0, "", "", null, null, ""];

function namesOf(db: SqlDatabase, hits: Hit[]): Map<number, Names> {
  const chunks = JSON.stringify(hits.map(({ chunk }) => chunk));
  return new Map(readJson<Names[]>(db, NAMES, [chunks]).map((names) => [names[0], names]));
}

/** `centers` and `center` are one word in a title; English and Spanish make their plurals alike. */
function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<=[a-z]{2})e?s$/, "") : word;
}

/** What is asked for: words, and pairs of them, with their weights. */
interface Asked {
  weights: ReadonlyMap<string, number>;
  /** The first words: a name with none of them holds nothing of the query, which costs little to find out. */
  firsts: readonly string[];
}

interface Match {
  share: number;
  isComplete: boolean;
}

const NOTHING: Match = { share: 0, isComplete: false };

/** The share of the query that a name holds, and whether it is nothing but the query, small words aside. */
function match(name: string, { weights, firsts }: Asked): Match {
  const folded = fold(name);
  if (!firsts.some((word) => folded.includes(word))) return NOTHING;
  const words = foldedWords(name).map(singular);
  const held = new Set([...words, ...foldedWords(nameParts(name)).map(singular)]);
  for (let at = 1; at < words.length; at++) held.add(`${words[at - 1]} ${words[at]}`);
  const rest = new Set(words.filter((word) => !isStopWord(word) && !isHiragana(word)));
  let [covered, whole] = [0, 0];
  for (const [asked, weight] of weights) {
    whole += weight;
    if (!held.has(asked)) continue;
    covered += weight;
    for (const word of asked.split(" ")) rest.delete(word);
  }
  const share = covered / (whole || 1);
  return { share, isComplete: share > 0.999 && rest.size === 0 };
}
