import assert from "node:assert/strict";
import { test } from "node:test";
import { writeCorpus } from "../../scripts/bench/corpus.ts";
import { randomQueries, renderRandom, runRandom } from "../../scripts/quality/random.ts";
import { withWorkspace } from "../../scripts/quality/run.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const NOW = new Date("2026-11-01T00:00:00Z");

test("no text of any kind makes search fail", async (t) => {
  const root = temporaryFolder(t);
  writeCorpus(root, { documents: 100, seed: 1 });
  const queries = randomQueries(Number(process.env["FC_SEED"] ?? 1), 300);
  const run = await withWorkspace({ root, boost: undefined, now: NOW }, (workspace) =>
    runRandom(workspace, queries, NOW),
  );
  assert.deepEqual(run.errors, []);
  assert.match(renderRandom(run), /^300 random queries: 0 failed, \d+ refused/);
  assert.ok(run.refused > 0 && run.refused < 150, `${run.refused} refused`);
  assert.match(
    renderRandom(run),
    /^Processor time of a search: .*\(median\).*\(99th percentile\).*\(maximum\)/m,
  );
  assert.ok(run.cost.median <= run.cost.p99 && run.cost.p99 <= run.cost.max);
  assert.equal(run.slowest[0]?.taken, run.cost.max);
});

test("a query that only holds signs is refused, one with a letter or a number never", async (t) => {
  const root = temporaryFolder(t);
  writeCorpus(root, { documents: 20, seed: 1 });
  const ask = (queries: string[]) =>
    withWorkspace({ root, boost: undefined, now: NOW }, (workspace) => runRandom(workspace, queries, NOW));
  const signs = randomQueries(2, 300).filter((query) => !/[\p{L}\p{N}\p{Co}]/u.test(query.normalize("NFKC")));
  const texts = randomQueries(2, 300).filter((query) => /[\p{L}\p{N}]/u.test(query.toWellFormed()));
  assert.equal((await ask(signs)).refused, signs.length);
  assert.equal((await ask(texts)).refused, 0);
});
