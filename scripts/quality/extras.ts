import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "../../src/core/workspace/workspace.ts";
import { alignColumns } from "../bench/report.ts";
import { formQueries } from "./forms.ts";
import { OWN_SET } from "./own.ts";
import { readQueries } from "./queries.ts";
import { type QueryResult, runQueries, search } from "./run.ts";
import { byClass, type Figures, figuresOf } from "./score.ts";

const ABSENT = join(OWN_SET, "absent.jsonl");
/** Reworded questions, with words to ask with besides. */
export const ALSO = join(OWN_SET, "also.jsonl");

/** What a set of judged queries does not show. */
export interface Extras {
  /** Queries of three words in a form that the document does not have, and the same in its own. */
  forms: Record<string, Figures>;
  /** Questions about what no document is about. */
  absent: { questions: number; empty: number; weak: number; confident: string[] };
  /** Judged queries answered in the first three places, and how many of them are marked as weak. */
  answered: { queries: number; weak: number };
  /** Reworded questions without and with other words; only for the set of this repository. */
  also?: { without: Figures; with: Figures };
}

/** `isOwn`: whether the workspace is the one of this repository. */
export async function measureExtras(
  workspace: Workspace,
  answers: readonly QueryResult[],
  isOwn: boolean,
): Promise<Extras> {
  const forms = await runQueries(workspace, formQueries(workspace.root));
  const answered = answers.filter(({ place }) => place <= 3);
  const weak = answered.filter(({ isWeak }) => isWeak).length;
  return {
    forms: Object.fromEntries(byClass(forms)),
    absent: await askAbsent(workspace),
    answered: { queries: answered.length, weak },
    ...(isOwn && { also: await askWithMore(workspace) }),
  };
}

async function askAbsent(workspace: Workspace): Promise<Extras["absent"]> {
  const lines = readFileSync(ABSENT, "utf8").trim().split("\n");
  const questions = lines.map((line) => (JSON.parse(line) as { query: string }).query);
  const confident: string[] = [];
  let [empty, weak] = [0, 0];
  for (const query of questions) {
    const { ranking, isWeak } = await search(workspace, { query });
    if (ranking.length === 0) empty++;
    else if (isWeak) weak++;
    else confident.push(query);
  }
  return { questions: questions.length, empty, weak, confident };
}

async function askWithMore(workspace: Workspace) {
  const queries = readQueries(ALSO, workspace.root);
  const alone = queries.map(({ also: _, ...query }) => query);
  return {
    without: figuresOf(await runQueries(workspace, alone)),
    with: figuresOf(await runQueries(workspace, queries)),
  };
}

export function renderExtras({ forms, absent, answered, also }: Extras): string {
  const row = (name: string, { queries, mrr, recall10 }: Figures) => [
    name,
    String(queries),
    mrr.toFixed(1),
    recall10.toFixed(1),
  ];
  const rows = [
    ...Object.entries(forms).map(([name, figures]) => row(name, figures)),
    ...(also === undefined ? [] : [row("reworded", also.without), row("reworded, with also", also.with)]),
  ];
  const share = (100 * answered.weak) / Math.max(answered.queries, 1);
  return [
    `\n${alignColumns([["", "queries", "MRR@10", "recall@10"], ...rows])}`,
    `\nAbsent subjects: of ${absent.questions} questions ${absent.empty} find nothing, ${absent.weak} are weak, ${absent.confident.length} are neither.\n`,
    ...absent.confident.map((query) => `  ${query}\n`),
    `Weak by mistake: ${answered.weak} of ${answered.queries} queries answered in the first three places (${share.toFixed(1)}%).\n`,
  ].join("");
}
