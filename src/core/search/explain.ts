import { dayOf, folderBoost, headingBoost, recencyBoost, statusBoost } from "../index/boosts.ts";
import type { Hit, RankOptions } from "./hits.ts";
import type { Clause, QueryPlan } from "./query-plan.ts";

/** Why a document stands where it does. */
export interface Reasons {
  /** What its best passage holds of the query, heaviest first; `weight` is its rarity. */
  held: { what: string; weight: number }[];
  /** The score of that passage, and what else multiplied it to the score of the text; what did nothing is left out. */
  passage: number;
  lifts: Factor[];
  text: number;
  /** What the score of the text was multiplied by to the score that is shown. */
  factors: Factor[];
}

interface Factor {
  what: string;
  times: number;
}

/** What the boosts of a passage depend on. */
export interface BoostedRow {
  folder: string;
  filename: string;
  task: unknown;
  status: string | null;
  heading: string | null;
}

/** Each boost of a passage at the strength that was asked for. */
export function boostsOf(
  { day }: Pick<Hit, "day">,
  row: BoostedRow,
  { now, damping }: Pick<RankOptions, "now" | "damping">,
): Factor[] {
  const boosts = {
    folder: folderBoost(row),
    recency: recencyBoost(dayOf(now) - day),
    heading: headingBoost(row.heading),
    status: statusBoost(row),
  };
  return Object.entries(boosts).map(([what, times]) => ({ what, times: times ** damping }));
}

/** Reads nothing: all of it was computed while ranking. */
export function reasonsFor(
  plan: QueryPlan,
  { chunk, text: passage, second, score, factors: times }: Hit,
  factors: Factor[],
): Reasons {
  const { clauses, phrases } = plan;
  const named = [
    ...clauses.map((clause) => ({ clause, what: nameOf(clause, plan) })),
    ...phrases.map((clause) => ({ clause, what: `the words side by side: ${clause.texts.join(" ")}` })),
  ];
  const boost = factors.reduce((product, { times }) => product * times, 1);
  const lifts = Object.entries({ "another passage": 1 + second / (passage * boost || 1), ...times });
  return {
    held: named
      .filter(({ clause }) => clause.chunks.includes(chunk))
      .map(({ clause, what }) => ({ what, weight: clause.weight }))
      .sort((a, b) => b.weight - a.weight),
    passage,
    lifts: lifts
      .filter(([, times]) => Math.abs(times - 1) >= 0.0005)
      .map(([what, times]) => ({ what, times })),
    text: score / boost,
    factors,
  };
}

/** One line for what the passage holds, one for the score of the text, one for the score. */
export function reasonLines({ held, passage, lifts, text, factors }: Reasons): string[] {
  const words = held.map(({ what, weight }) => `${what} (${weight.toFixed(1)})`);
  const product = (from: Factor, times: readonly Factor[]) =>
    [from, ...times].map(({ what, times }) => `${what} ${figure(times)}`).join(" × ");
  const score = factors.reduce((product, { times }) => product * times, text);
  return [
    `holds: ${words.join(", ")}`,
    `text ${figure(text)} = ${product({ what: "passage", times: passage }, lifts)}`,
    `score ${figure(score)} = ${product({ what: "text", times: text }, factors)}`,
  ];
}

/** As precise as the score that is shown. */
function figure(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function nameOf({ of, texts }: Clause, { corrections }: QueryPlan): string {
  const [first = "the expression"] = texts;
  const typed = [...corrections].find(([, better]) => better === first)?.[0];
  if (typed !== undefined) return `${texts.join(" or ")} instead of ${typed}`;
  return of === first || of === "" ? first : `${texts.join(" or ")} as a form of ${of}`;
}
