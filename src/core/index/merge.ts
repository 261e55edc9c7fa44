import { setImmediate } from "node:timers/promises";
import type { SqlDatabase } from "../sqlite/types.ts";
import { totalChanges } from "./query-cache.ts";

/** Pages of about 4 KB: about 10 ms of work, and the most by which the index file grows. */
const STEP = 100;
const MERGE = "INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ?)";

/**
 * Merges the b-trees that a build leaves into one: a query looks each word up in every b-tree, which can double its time. Other
 * work runs between the steps; after an abort, the finished steps stay. See "The merge command" in SQLite's documentation of
 * FTS5.
 */
export async function mergeSegments(db: SqlDatabase, signal?: AbortSignal): Promise<void> {
  // A negative number starts a merge of all segments; positive ones continue it.
  for (let pages = -STEP; signal?.aborted !== true && mergeStep(db, pages); pages = STEP)
    await setImmediate();
}

/** Whether there may be more to do: a step with nothing to do makes one change at most. */
function mergeStep(db: SqlDatabase, pages: number): boolean {
  const before = totalChanges(db);
  db.run(MERGE, [pages]);
  return totalChanges(db) - before > 1;
}
