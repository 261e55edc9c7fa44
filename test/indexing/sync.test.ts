import assert from "node:assert/strict";
import { test } from "node:test";
import { createSchema } from "../../src/core/index/schema.ts";
import type { SyncContext } from "../../src/core/indexing/batch.ts";
import { createLargeWrites } from "../../src/core/indexing/large-writes.ts";
import { syncIndex } from "../../src/core/indexing/sync.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("files indexed right after they were written are read once more, and the result is saved", async (t) => {
  for (const [count, isSaved] of [
    [200, true],
    [3, false],
  ] as const) {
    const files = Array.from({ length: count }, (_, at) => [`p/${at}.md`, `# ${at}\n`]);
    const root = makeWorkspace(t, Object.fromEntries(files));
    const engine = await openEngine();
    const db = new engine.Database();
    createSchema(db);
    let now = Date.now();
    const context: SyncContext = {
      root,
      db,
      clock: { now: () => new Date(now) },
      log: createLog("error", () => {}),
      fingerprints: new Map(),
      warned: new Set(),
      hasMemory: engine.hasMemory,
      largeWrites: createLargeWrites(),
    };
    assert.equal((await syncIndex(context, {})).again.length, count);
    now += 10_000;
    const { changed, again, stats } = await syncIndex(context, {});
    assert.deepEqual([changed, again, stats.unchanged], [isSaved, [], count]);
    assert.equal((await syncIndex(context, {})).changed, false);
    db.close();
  }
});
