import { setImmediate } from "node:timers/promises";
import type { SqlDatabase } from "../sqlite/types.ts";
import { totalChanges } from "./query-cache.ts";

/** Pages of about 4 KB: some 10 ms of work, and as much as the index file grows by at most. */
const STEP = 100;
const MERGE = "INSERT INTO chunks_fts (chunks_fts, rank) VALUES ('merge', ?)";

/**
 * Makes one b-tree of those that a build has left, each of which a query would look a word up in: a search takes up to
 * twice as long with them. Others run between the steps; what `signal` stops stays as far as it came. See "The merge
 * command" in SQLite's documentation of FTS5.
 */
export async function mergeSegments(db: SqlDatabase, signal?: AbortSignal): Promise<void> {
  // A negative number puts all segments together; positive ones go on with what that has begun.
  for (let pages = -STEP; signal?.aborted !== true && mergeStep(db, pages); pages = STEP)
    await setImmediate();
}

/** Whether there may be more to do: a step with nothing to do makes one change at most. */
function mergeStep(db: SqlDatabase, pages: number): boolean {
  const before = totalChanges(db);
  db.run(MERGE, [pages]);
  return totalChanges(db) - before > 1;
}
