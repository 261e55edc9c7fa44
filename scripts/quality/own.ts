import { cpSync, lstatSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { withFolder } from "../shared.ts";
import { readQueries } from "./queries.ts";
import { type Report, reportOf } from "./report.ts";
import { runQueries } from "./run.ts";
import { withWorkspace } from "./workspace.ts";

/** The set of this repository: documents in four languages, and questions made by reading them. */
const OWN_SET = resolve(import.meta.dirname, "..", "..", "test", "quality");
export const OWN_QUERIES = join(OWN_SET, "queries.jsonl");
/** Questions about documents that say nearly the same: which one is meant, only the boosts can tell. */
const BOOST_QUERIES = join(OWN_SET, "boosts.jsonl");
/** "Today" for the ages of the set's documents. */
export const OWN_NOW = new Date("2026-06-15T12:00:00Z");
/** When a document was last changed that does not say so itself. */
const OTHERWISE = new Date("2026-03-01T12:00:00Z");

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
  const time = updated === undefined ? OTHERWISE : new Date(`${updated}T12:00:00Z`);
  utimesSync(file, time, time);
}

/** What search finds of documents that say nearly the same, at each power of the boosts; undefined is what users get. */
export async function measureBoosts(
  root: string,
  powers: readonly (number | undefined)[],
): Promise<Report[]> {
  const queries = readQueries(BOOST_QUERIES, root);
  const reports: Report[] = [];
  for (const boost of powers) {
    const options = { root, boost, now: OWN_NOW };
    reports.push(reportOf(await withWorkspace(options, (workspace) => runQueries(workspace, queries))));
  }
  return reports;
}
