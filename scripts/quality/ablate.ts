import { search } from "../../src/search/search.ts";
import type { Tuning } from "../../src/search/weights.ts";
import type { SqlDatabase } from "../../src/sqlite/types.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { alignColumns } from "../bench/report.ts";
import type { JudgedQuery } from "./queries.ts";
import { byClass, DEPTH, type Figures, macroOf, type Outcome, placeOf } from "./score.ts";

/** Each technique of the ranking, and the tuning that disables it. */
export const TECHNIQUES: Readonly<Record<string, Partial<Tuning>>> = {
  phrases: { phrases: false },
  "correction of unknown words": { correction: false },
  "word forms": { forms: 0 },
  "forms beside their word": { moreForms: 0 },
  "many candidates": { candidates: 150 },
  "quoted passages": { verbatim: 1 },
  "leaving out small words": { dropSmallWords: false },
  "coverage of the query": { coverage: 0 },
  "minimum coverage": { leastCoverage: 0 },
  "title and file name": { title: 0, preciseTitle: 0 },
  "precise titles": { preciseTitle: 0 },
  "heading of the passage": { heading: 0 },
  "language of the query": { sameLanguage: 1 },
  "second passage": { secondChunk: 0 },
};

export interface Ablation {
  without: string;
  figures: Figures;
  /** Queries whose right document ranks lower, and higher, without the technique. */
  lower: number;
  higher: number;
}

interface AblateOptions {
  damping: number;
  now: Date;
}

/** How well search ranks with everything, then without each technique, and without the boosts. */
export function ablate(
  workspace: Workspace,
  queries: readonly JudgedQuery[],
  options: AblateOptions,
): Promise<Ablation[]> {
  return workspace.index.query((db) => {
    const all = outcomesOf(db, queries, { ...options, tuning: {} });
    const without = (name: string, changed: Partial<AskOptions>) =>
      compare(name, all, outcomesOf(db, queries, { ...options, tuning: {}, ...changed }));
    return [
      compare("(nothing)", all, all),
      ...Object.entries(TECHNIQUES).map(([name, tuning]) => without(name, { tuning })),
      ...(options.damping === 0 ? [] : [without("boosts", { damping: 0 })]),
    ];
  });
}

interface AskOptions extends AblateOptions {
  tuning: Partial<Tuning>;
}

function outcomesOf(db: SqlDatabase, queries: readonly JudgedQuery[], options: AskOptions): Outcome[] {
  const rest = { ...options, filter: {}, now: options.now.getTime(), textOf: () => undefined };
  return queries.map(({ query, class: name, relevant, ignore }) => {
    const { results } = search(db, { ...rest, query, limit: DEPTH + ignore.length });
    const ranking = results.map(({ path }) => path);
    return { class: name, place: placeOf(ranking, relevant, ignore) };
  });
}

function compare(without: string, all: readonly Outcome[], outcomes: readonly Outcome[]): Ablation {
  const count = (isOther: (place: number, before: number) => boolean) =>
    outcomes.filter(({ place }, at) => isOther(place, all[at]?.place ?? place)).length;
  return {
    without,
    figures: macroOf(byClass(outcomes)),
    lower: count((place, before) => place > before),
    higher: count((place, before) => place < before),
  };
}

export function renderAblation(rows: readonly Ablation[]): string {
  const whole = rows[0]?.figures;
  const cells = rows.map(({ without, figures, lower, higher }, at) => {
    const change = (value: "mrr" | "recall10") =>
      at === 0 ? "" : signed(figures[value] - (whole?.[value] ?? 0));
    const figure = (value: "mrr" | "recall10") => [figures[value].toFixed(1), change(value)];
    return [
      without,
      ...figure("mrr"),
      ...figure("recall10"),
      ...(at === 0 ? [] : [`${lower} lower, ${higher} higher`]),
    ];
  });
  return alignColumns([["without", "MRR@10", "", "recall@10", "", "queries"], ...cells]);
}

function signed(value: number): string {
  const text = value.toFixed(1);
  return value > 0 && text !== "0.0" ? `+${text}` : text;
}
