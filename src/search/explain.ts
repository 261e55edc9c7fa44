import type { Hit } from "./hits.ts";
import type { Clause, QueryPlan } from "./query-plan.ts";

/** Why a document stands where it does. */
export interface Reasons {
  /** What its best passage holds of the query, heaviest first; `weight` is its rarity. */
  held: { what: string; weight: number }[];
  /** What each of these multiplied the score of the text by; those that did nothing are left out. */
  factors: { what: string; times: number }[];
  /** The score of the text, and what a second passage added. */
  text: number;
  second: number;
}

/** Reads nothing: all of it was computed while ranking. */
export function reasonsFor(plan: QueryPlan, { chunk, text, second, factors }: Hit): Reasons {
  const { clauses, phrases, moreForms } = plan;
  const named = [
    ...clauses.map((clause) => ({ clause, what: nameOf(clause, plan) })),
    ...phrases.map((clause) => ({ clause, what: `the words side by side: ${clause.texts.join(" ")}` })),
    ...moreForms.map((clause) => ({ clause, what: nameOf(clause, plan) })),
  ];
  const changed = Object.entries(factors).filter(([, times]) => Math.abs(times - 1) >= 0.005);
  return {
    held: named
      .filter(({ clause }) => clause.chunks.includes(chunk))
      .map(({ clause, what }) => ({ what, weight: clause.weight }))
      .sort((a, b) => b.weight - a.weight),
    factors: changed.map(([what, times]) => ({ what, times })),
    text,
    second,
  };
}

/** One line for what the passage holds, one for the score. */
export function reasonLines({ held, factors, text, second }: Reasons): string[] {
  const words = held.map(({ what, weight }) => `${what} (${weight.toFixed(1)})`);
  const times = factors.map(({ what, times }) => `${what} × ${times.toFixed(2)}`);
  const more = second === 0 ? [] : [`another passage + ${second.toFixed(1)}`];
  return [
    `holds: ${words.join(", ")}`,
    `score: ${[`text ${text.toFixed(1)}`, ...times, ...more].join(", ")}`,
  ];
}

function nameOf({ of, texts }: Clause, { corrections }: QueryPlan): string {
  const [first = "the expression"] = texts;
  const typed = [...corrections].find(([, better]) => better === first)?.[0];
  if (typed !== undefined) return `${texts.join(" or ")} instead of ${typed}`;
  return of === first || of === "" ? first : `${texts.join(" or ")} as a form of ${of}`;
}
