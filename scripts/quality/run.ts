import { UserError } from "../../src/lib/errors.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { timeAsync } from "../bench/measure.ts";
import type { Judged } from "./queries.ts";
import { DEPTH, type Outcome, placeOf } from "./score.ts";

/** What the search tool asks for when nobody says more. */
const RESULTS = 20;

export interface Answered extends Outcome {
  query: Judged;
  /** The paths found, best first. */
  ranking: string[];
  /** Milliseconds for what a user waits for: the look at the files, the search and its snippets. */
  taken: number;
}

export async function runQueries(workspace: Workspace, queries: readonly Judged[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const query of queries) answers.push(await answer(workspace, query));
  return answers;
}

async function answer(workspace: Workspace, query: Judged): Promise<Answered> {
  const limit = Math.max(RESULTS, DEPTH + query.ignore.length);
  let ranking: string[] = [];
  const taken = await timeAsync(async () => {
    ranking = await search(workspace, query.query, limit);
  });
  const place = placeOf(ranking, query.relevant, query.ignore);
  return { query, class: query.class, ranking, place, taken };
}

/** A query that is refused finds nothing. */
async function search(workspace: Workspace, query: string, limit: number): Promise<string[]> {
  try {
    const { results } = await workspace.search({ query, limit, filter: {} });
    return results.map(({ path }) => path);
  } catch (error) {
    if (error instanceof UserError && error.code === "INVALID_QUERY") return [];
    throw error;
  }
}
