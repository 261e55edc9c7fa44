import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { write } from "../../src/core/index/writer.ts";
import { search } from "../../src/core/search/search.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex, textOf } from "../fixtures/entries.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const engine = await openEngine();
const PATHS = ["p/tasks/001-a.md", "p/archive/b.md", "q/notes/c.md", "q/notes/d.md"];
const WORDS = ["refund", "refunds", "refunding", "token", "tokens", "from", "form", "認証"];
const QUERIES = ["refunded", "refund token", "frorm", "tokn refunds", "認証", "from form"];

const path = fc.constantFrom(...PATHS);
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path, words: fc.array(fc.constantFrom(...WORDS), { minLength: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ path, touched: fc.constantFrom(1e12, 1.79e12) }) },
  { weight: 1, arbitrary: fc.record({ path, removed: fc.constant(true) }) },
);

/** What all queries find. */
function answers(db: SqlDatabase): unknown[] {
  return ["p", "q", undefined].flatMap((project) =>
    QUERIES.map((query) => {
      const request = { query, filter: { project }, limit: 10, now: 1.79e12, damping: 0.1, textOf };
      const { results, ...rest } = search(db, request);
      return {
        ...rest,
        found: results.map(({ path, score, more, mtime }) => ({ path, score, more, mtime })),
      };
    }),
  );
}

test("after each change, searches answer as in a server that has just started", () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const db = openIndex(engine);
      for (const one of changes) {
        write(db, (writer) => {
          if ("words" in one) writer.put(makeEntry(one.path, one.words.join(" ")));
          else if ("touched" in one) writer.touch(one.path, one.touched);
          else writer.remove(one.path);
        });
        const started = new engine.Database(db.export());
        assert.deepEqual(answers(db), answers(started));
        started.close();
      }
      db.close();
    }),
    { numRuns: numRuns(100) },
  );
});
