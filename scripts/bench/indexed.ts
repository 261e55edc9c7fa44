import {
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_DAMPING } from "../../src/index/boosts.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLog } from "../../src/lib/log.ts";
import { search } from "../../src/search/search.ts";
import { openIndexStore } from "../../src/sync/index-store.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import type { Query } from "./corpus.ts";
import { type Comparison, compare, type Spread, spreadOf, type Turns, time, timeAsync } from "./measure.ts";

const log = createLog("error", (line) => process.stderr.write(line));
const SNIPPET_CHARS = 300;

/** By then a server has its index in memory, ready for many queries. */
const SETTLED_MS = 1000;

/** A server's workspace after its first answer. It never writes its `index.db`, which would disturb the measurements. */
export async function openMeasured(root: string): Promise<Workspace> {
  const config = {
    root,
    db: join(root, "index.db"),
    dbNamed: false,
    readOnly: true,
    boost: undefined,
    reindex: false,
  };
  const workspace = openWorkspace({ config, clock: systemClock, log, watch: false });
  await workspace.index.query(() => {});
  await sleep(SETTLED_MS);
  return workspace;
}

/** A sync that finds nothing to do, against a walk that only stats each document. */
export function measureSync(workspace: Workspace, turns: Turns): Promise<Comparison> {
  return compare(
    () => timeAsync(() => workspace.index.sync({})),
    () => time(() => statDocuments(workspace.root)),
    turns,
  );
}

function statDocuments(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) size += statDocuments(file);
    else if (entry.name.endsWith(".md")) size += statSync(file).size;
  }
  return size;
}

export function readDocuments(files: readonly string[]): number {
  return files.reduce((bytes, file) => bytes + readFileSync(file).length, 0);
}

/** A sync after one document changed, against one that finds nothing to do. `change` writes the document. */
export function measureUpdate(workspace: Workspace, change: () => void, turns: Turns): Promise<Comparison> {
  const sync = () => timeAsync(() => workspace.index.sync({}));
  const update = () => {
    change();
    return sync();
  };
  return compare(update, sync, turns);
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
  turns: Turns,
): Promise<SearchTime[]> {
  return workspace.index.query((db) => {
    const run = (query: string) => {
      const now = systemClock.now().getTime();
      const textOf = (path: string) => readFileSync(join(workspace.root, path), "utf8");
      const rest = {
        filter: {},
        limit: 20,
        now,
        damping: DEFAULT_DAMPING,
        snippetChars: SNIPPET_CHARS,
        textOf,
      };
      return search(db, { query, ...rest }).total;
    };
    return queries.map((query) => {
      const total = run(query.text);
      const times: number[] = [];
      for (let turn = 0; turn < turns.repeats; turn++) times.push(time(() => run(query.text)));
      return { query, taken: spreadOf(times), total };
    });
  });
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
  return compare(persist, () => time(() => writeFlushed(other, bytes)), turns);
}

function writeFlushed(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, "w");
  try {
    writeSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
