import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_DAMPING } from "../../src/core/index/boosts.ts";
import { openIndexStore } from "../../src/core/indexing/index-store.ts";
import { systemClock } from "../../src/core/lib/clock.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { search } from "../../src/core/search/search.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { openWorkspace, type Workspace } from "../../src/core/workspace/workspace.ts";
import type { Query } from "./corpus.ts";
import { type Comparison, compare, type Spread, spreadOf, type Turns, time, timeAsync } from "./measure.ts";

const log = createLog("error", (line) => process.stderr.write(line));
const SNIPPET = { tokens: 64, chars: 300 };

/** By then a server has its index in memory, ready for many queries. */
const SETTLED_MS = 1000;

/** A server's workspace after its first answer. It never writes its `index.db`, which would disturb the measurements. */
export async function openMeasured(root: string): Promise<Workspace> {
  const place = { root, db: join(root, "index.db"), dbNamed: false };
  const config = { ...place, readOnly: true, boost: undefined, reindex: false };
  const workspace = openWorkspace({ config, clock: systemClock, log, watch: false });
  await workspace.index.query(() => {});
  await sleep(SETTLED_MS);
  return workspace;
}

/** Milliseconds of a sync, after `change` has written a document. */
export function timeSync(workspace: Workspace, change = () => {}): Promise<number> {
  change();
  return timeAsync(() => workspace.index.sync({}));
}

/** A walk that only stats each document; returns their size. */
export function statDocuments(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) size += statDocuments(file);
    else if (entry.name.endsWith(".md")) size += statSync(file).size;
  }
  return size;
}

export interface SearchTime {
  query: Query;
  /** Milliseconds. */
  taken: Spread;
  /** Documents that match. */
  total: number;
}

/** Searches with snippets on a current index: the sync is measured separately. */
export function measureSearches(
  workspace: Workspace,
  queries: readonly Query[],
  repeats: number,
): Promise<SearchTime[]> {
  return workspace.index.query((db) =>
    queries.map((query) => {
      const run = () => find(db, workspace.root, query.text);
      const total = run();
      const times = Array.from({ length: repeats }, () => time(run));
      return { query, taken: spreadOf(times), total };
    }),
  );
}

function find(db: SqlDatabase, root: string, query: string): number {
  const textOf = (path: string) => readFileSync(join(root, path), "utf8");
  const [now, damping] = [systemClock.now().getTime(), DEFAULT_DAMPING];
  const { total, results } = search(db, { query, filter: {}, limit: 20, now, damping, textOf });
  for (const { passage } of results) passage(SNIPPET);
  return total;
}

/** Writing a whole index to `file`, against a flushed write of the same bytes to `other`. */
export async function measurePersist(
  index: string,
  { file, other }: { file: string; other: string },
  turns: Turns,
): Promise<Comparison> {
  copyFileSync(index, file);
  const bytes = readFileSync(index);
  const config = { root: "", db: file, dbNamed: true, readOnly: false, reindex: false };
  const persist = async () => {
    const store = await openIndexStore({ config, clock: systemClock, log });
    store.changed();
    return timeAsync(() => store.close());
  };
  return compare(persist, () => time(() => writeFileSync(other, bytes, { flush: true })), turns);
}
