import { cpSync, lstatSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { withFolder } from "../shared.ts";
import { readQueries } from "./queries.ts";
import { type Report, reportOf } from "./report.ts";
import { runQueries, withWorkspace } from "./run.ts";

/** The set of this repository: documents in four languages, and questions written by hand. */
export const OWN_SET = resolve(import.meta.dirname, "..", "..", "test", "quality");
export const OWN_QUERIES = join(OWN_SET, "queries.jsonl");
/** Questions about near-identical documents, which only the boosts can tell apart. */
const BOOST_QUERIES = join(OWN_SET, "boosts.jsonl");
/** "Today" for the ages of the set's documents. */
export const OWN_NOW = new Date("2026-06-15T12:00:00Z");
/** For documents without an `updated` field. */
const DEFAULT_DATE = new Date("2026-03-01T12:00:00Z");

/** Copies the documents to a temporary folder and dates them: a checkout makes all of them new. */
export function withOwnSet<T>(use: (root: string) => Promise<T>): Promise<T> {
  return withFolder("quality", (root) => {
    cpSync(join(OWN_SET, "workspace"), root, { recursive: true });
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) date(join(root, name));
    return use(root);
  });
}

function date(file: string): void {
  if (!lstatSync(file).isFile()) return;
  const updated = /^updated: (\S+)$/m.exec(readFileSync(file, "utf8"))?.[1];
  const time = updated === undefined ? DEFAULT_DATE : new Date(`${updated}T12:00:00Z`);
  utimesSync(file, time, time);
}

/** How search ranks near-identical documents at each strength of the boosts; undefined is the default. */
export async function measureBoosts(
  root: string,
  strengths: readonly (number | undefined)[],
): Promise<Report[]> {
  const queries = readQueries(BOOST_QUERIES, root);
  const reports: Report[] = [];
  for (const boost of strengths) {
    const options = { root, boost, now: OWN_NOW };
    reports.push(reportOf(await withWorkspace(options, (workspace) => runQueries(workspace, queries))));
  }
  return reports;
}
