import { fold } from "../lib/text.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { Language } from "./language.ts";
import type { Plan } from "./match.ts";
import { pairsOf } from "./query.ts";
import type { Hit } from "./rank.ts";
import { nameParts, tokenize } from "./segment.ts";

/** Documents whose titles are looked at: bm25 has found the right one among them, or nothing will. */
export const CANDIDATES = 100;
/** What a title or file name adds that holds the whole query, and one that is nothing but the query. */
const TITLE = { covered: 0.5, complete: 0.5 };

/** A document in the language of the question is worth more than its translation. */
const SAME_LANGUAGE = 1.3;

/** Orders candidates anew by how much of the query their title or file name holds, and by their language. */
export function rerank(
  db: SqlDatabase,
  hits: Hit[],
  { plan, language }: { plan: Plan; language: Language | null },
): Hit[] {
  const weights = titleWeights(plan);
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1;
  const statement = db.prepare("SELECT title, filename, language FROM documents WHERE id = ?");
  try {
    const scored = hits.map((hit) => {
      const [title, filename, written] = statement.get([hit.document]);
      const factor = titleFactor([String(title), String(filename).replace(/\.md$/i, "")], weights, whole);
      const spoken = language !== null && written === language ? SAME_LANGUAGE : 1;
      return { ...hit, score: hit.score * factor * spoken };
    });
    return scored.sort((a, b) => b.score - a.score || b.day - a.day || a.document - b.document);
  } finally {
    statement.free();
  }
}

/** The tokens to find in a title, each with its rarity: words, and the pairs of unspaced runs. */
function titleWeights({ terms, parts }: Plan): Map<string, number> {
  const byMatch = new Map(parts.map(({ match, weight }) => [match, weight]));
  const weights = new Map<string, number>();
  for (const term of terms) {
    const pairs = pairsOf(term);
    for (const tokens of pairs.length === 0 ? [term.tokens] : pairs) {
      weights.set(tokens.join(" "), byMatch.get(`"${tokens.join(" ")}"`) ?? 0);
    }
  }
  return weights;
}

function titleFactor(names: string[], weights: Map<string, number>, whole: number): number {
  const held = names.map((name) => tokensAndPairs(name));
  let covered = 0;
  for (const [token, weight] of weights) {
    if (held.some(({ all }) => all.has(token))) covered += weight;
  }
  const share = covered / whole;
  const precise = held.some(
    ({ all, size }) =>
      share > 0.999 && size <= weights.size && [...weights.keys()].every((token) => all.has(token)),
  );
  return 1 + TITLE.covered * share + (precise ? TITLE.complete : 0);
}

function tokensAndPairs(name: string): { all: Set<string>; size: number } {
  const tokens = tokenize(`${name} ${nameParts(name)}`).map(({ text }) => fold(text));
  const all = new Set(tokens);
  const size = all.size;
  for (const [at, token] of tokens.entries()) all.add(`${tokens[at - 1] ?? ""} ${token}`);
  return { all, size };
}
