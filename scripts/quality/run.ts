import { join } from "node:path";
import { UserError } from "../../src/core/lib/errors.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { answerSearch } from "../../src/core/mcp/tools/search.ts";
import { reasonLines } from "../../src/core/search/explain.ts";
import { openWorkspace, type Workspace } from "../../src/core/workspace/workspace.ts";
import { timeAsync } from "../bench/measure.ts";
import { evidenceOf, holdsEvidence } from "./evidence.ts";
import type { JudgedQuery } from "./queries.ts";
import { DEPTH, type Outcome, placeOf } from "./score.ts";

export interface MeasureOptions {
  root: string;
  /** The strength of the boosts; undefined is the default. */
  boost: number | undefined;
  /** Today, for the boost by age. */
  now: Date;
}

/** Opens a workspace with a new index in memory: only its documents are read, and nothing is written. */
export async function withWorkspace<T>(
  { root, boost, now }: MeasureOptions,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const log = createLog("error", (line) => process.stderr.write(line));
  const place = { root, db: join(root, "index.db"), dbNamed: false, readOnly: true, reindex: true };
  const workspace = openWorkspace({ config: { ...place, boost }, clock: { now: () => now }, log });
  try {
    await workspace.index.sync({});
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}

/** As many as the search tool names. */
const RESULTS = 20;

export interface QueryResult extends Outcome {
  query: JudgedQuery;
  /** The paths found, best first. */
  ranking: string[];
  /** Whether the answer is marked as weak. */
  isWeak: boolean;
  /** Why each document found stands where it does, in lines by path; none unless asked for. */
  reasons: ReadonlyMap<string, readonly string[]>;
  /** Milliseconds that a client waits for the sync, the search and its passages. */
  taken: number;
}

export async function runQueries(
  workspace: Workspace,
  queries: readonly JudgedQuery[],
  explain = false,
): Promise<QueryResult[]> {
  const answers: QueryResult[] = [];
  for (const query of queries) answers.push(await answer(workspace, query, explain));
  return answers;
}

async function answer(workspace: Workspace, query: JudgedQuery, explain: boolean): Promise<QueryResult> {
  const limit = Math.max(RESULTS, DEPTH + query.ignore.length);
  let shown: Shown = { results: [] };
  const taken = await timeAsync(async () => {
    shown = await askTool(workspace, query);
  });
  const found = await search(workspace, query, { limit, explain });
  const place = placeOf(found.ranking, query.relevant, query.ignore);
  const evidence = evidenceOf(workspace.root, query);
  const isRight = ({ path }: { path: string }) => query.relevant.includes(path);
  const isAnswered = shown.results.filter(isRight).some(({ snippet }) => holdsEvidence(snippet, evidence));
  const known = evidence.length > 0 && { isAnswered };
  const chars = JSON.stringify(shown).length;
  return { query, class: query.class, ...found, place, ...known, chars, taken };
}

interface Shown {
  results: { path: string; snippet: string }[];
}

function askTool(workspace: Workspace, { query, also }: JudgedQuery): Promise<Shown> {
  const asked = answerSearch({ query, also }, { workspace, current: { project: () => undefined } });
  return unlessRefused(asked, { results: [] });
}

type Found = Pick<QueryResult, "ranking" | "isWeak" | "reasons">;

export async function search(
  workspace: Workspace,
  { query, also }: Pick<JudgedQuery, "query" | "also">,
  { limit = RESULTS, explain = false } = {},
): Promise<Found> {
  const asked = workspace.search({ query, also, limit, explain, filter: {} });
  const { results, isWeak } = await unlessRefused(asked, { results: [], isWeak: false });
  const lines = results.flatMap(({ path, reasons }) =>
    reasons === undefined ? [] : [[path, reasonLines(reasons)] as const],
  );
  return { ranking: results.map(({ path }) => path), isWeak, reasons: new Map(lines) };
}

/** A refused query finds nothing. */
function unlessRefused<T, U>(asked: Promise<T>, nothing: U): Promise<T | U> {
  return asked.catch((error: unknown) => {
    if (error instanceof UserError && error.code === "INVALID_QUERY") return nothing;
    throw error;
  });
}
