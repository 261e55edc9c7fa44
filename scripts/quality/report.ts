import { alignColumns } from "../bench/report.ts";
import { inMs } from "../shared.ts";
import type { QueryResult } from "./run.ts";
import { byClass, charsPerAnswer, type Figures, macroOf, percentile } from "./score.ts";

export interface Report {
  classes: Record<string, Figures>;
  macro: Figures;
  /** Milliseconds that a user waits for a search. */
  latency: { median: number; p95: number };
}

export function reportOf(answers: readonly QueryResult[]): Report {
  const classes = byClass(answers);
  const times = answers.map(({ taken }) => taken);
  return {
    classes: Object.fromEntries(classes),
    macro: macroOf(classes),
    latency: { median: percentile(times, 0.5), p95: percentile(times, 0.95) },
  };
}

const TITLES = [
  "class",
  "queries",
  "MRR@10",
  "recall@1",
  "recall@5",
  "recall@10",
  "in the answer",
  "characters for each",
];

export function renderReport({ classes, macro, latency }: Report): string {
  const rows = [...Object.entries(classes), ["macro average", macro] as const];
  const table = alignColumns([TITLES, ...rows.map(([name, figures]) => cells(name, figures))]);
  return `${table}\nA search took ${inMs(latency.median)} (median), ${inMs(latency.p95)} (95th percentile).\n`;
}

function cells(name: string, { queries, ...shares }: Figures): string[] {
  const { mrr, recall1, recall5, recall10, answered } = shares;
  const values = [mrr, recall1, recall5, recall10, answered].map((value) => value.toFixed(1));
  return [name, String(queries), ...values, charsPerAnswer(shares)];
}

/** The queries whose right document was not first, worst first, with the document that was. */
export function renderMisses(answers: readonly QueryResult[]): string {
  const missed = answers.filter(({ place }) => place > 1).toSorted((a, b) => b.place - a.place);
  const lines = missed.map(({ query, place, ranking, reasons }) => {
    const found = place === Number.POSITIVE_INFINITY ? "-" : String(place);
    const [got = "nothing"] = ranking;
    const why = (path: string) => (reasons.get(path) ?? []).map((line) => `            ${line}\n`).join("");
    const wanted = query.relevant.map(why).join("");
    return `${found.padStart(3)}  ${query.id}  ${query.query}\n     wanted ${query.relevant.join(", ")}\n${wanted}     got    ${got}\n${why(got)}`;
  });
  return `\n${lines.join("")}`;
}
