import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { writeCorpus } from "../../scripts/bench/corpus.ts";
import { withWorkspace } from "../../scripts/quality/run.ts";
import { DEFAULT_DAMPING } from "../../src/core/index/boosts.ts";
import { UserError } from "../../src/core/lib/errors.ts";
import { search } from "../../src/core/search/search.ts";
import { numRuns, SEED } from "../fixtures/num-runs.ts";
import { randomQueries } from "../fixtures/random-queries.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const NOW = new Date("2026-11-01T00:00:00Z");

/** The queries that are refused. Each runs directly on a current index, so that nothing hides another error. */
function refusedOf(t: TestContext, queries: readonly string[]): Promise<string[]> {
  const root = temporaryFolder(t);
  writeCorpus(root, { documents: 100, seed: 1 });
  const textOf = (path: string) => readFileSync(join(root, path), "utf8");
  const rest = {
    filter: {},
    limit: 20,
    now: NOW.getTime(),
    damping: DEFAULT_DAMPING,
    textOf,
  };
  return withWorkspace({ root, boost: undefined, now: NOW }, (workspace) =>
    workspace.index.query((db) =>
      queries.filter((query) => {
        try {
          for (const { passage } of search(db, { query, ...rest }).results) passage({ chars: 300 });
          return false;
        } catch (error) {
          const isRefused = error instanceof UserError && error.code === "INVALID_QUERY";
          if (!isRefused) throw new Error(`failed: ${JSON.stringify(query)}`, { cause: error });
          return true;
        }
      }),
    ),
  );
}

test("no text of any kind makes search fail", async (t) => {
  const queries = randomQueries(SEED, numRuns(10_000));
  const { length } = await refusedOf(t, queries);
  assert.ok(length > 0 && length < queries.length / 2, `${length} refused`);
});

test("a query that only holds signs is refused, one with a letter or a number never", async (t) => {
  const queries = randomQueries(2, 300);
  const signs = queries.filter((query) => !/[\p{L}\p{N}\p{Co}]/u.test(query.normalize("NFKC")));
  const texts = queries.filter((query) => /[\p{L}\p{N}]/u.test(query.toWellFormed()));
  assert.deepEqual(await refusedOf(t, [...signs, ...texts]), signs);
});
