import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openImage } from "../../src/core/index/index-image.ts";
import { isNightly, numRuns, SEED } from "../fixtures/num-runs.ts";
import { open, temporaryFolder } from "../fixtures/workspace.ts";
import {
  checkFiles,
  everything,
  type Fault,
  type Outcome,
  prepare,
  runFaulty,
  steps,
} from "./interrupted.ts";
import { randomFrom, report } from "./runs.ts";

const skip = process.platform === "win32" && "signals and /proc are those of Unix";

/** The number of file calls that a run without a fault makes. */
async function tally(t: TestContext, fault: Partial<Fault>): Promise<number> {
  const root = temporaryFolder(t);
  const plan = steps();
  prepare(root, plan);
  const file = join(temporaryFolder(t), "tally");
  const outcome = await runFaulty(root, plan, { at: 0, action: "none", tally: file, ...fault });
  assert.equal(outcome.code, 0, outcome.stderr);
  for (const answer of outcome.answers) assert.notEqual(answer?.["isError"], true, JSON.stringify(answer));
  checkFiles(root, plan, outcome);
  return Number(readFileSync(file, "utf8"));
}

/** One run with a fault, then a start without: nothing is lost or left over, and every answer is right. */
async function checkRun(t: TestContext, fault: Fault): Promise<Outcome> {
  const root = temporaryFolder(t);
  const plan = steps();
  prepare(root, plan);
  const outcome = await runFaulty(root, plan, fault);
  checkFiles(root, plan, outcome);
  const { workspace } = open(t, root);
  const bytes = new Map(plan.map(({ path }) => [path, read(root, path)]));
  for (const word of [
    "ibis",
    "heron",
    "stork",
    "egret",
    "osprey",
    "falcon",
    "plover",
    "curlew",
    "snipe",
    "grebe",
  ]) {
    const { results, corrected } = await workspace.search({ query: word, filter: {}, limit: 20 });
    const holding = plan.filter(({ path }) => bytes.get(path)?.toLowerCase().includes(word));
    const found = corrected === null ? results.map(({ path }) => path) : [];
    assert.deepEqual(found.sort(), holding.map(({ path }) => path).sort(), word);
  }
  // The dead process's lock is no obstacle.
  for (const project of ["p", "q"]) await workspace.locked(project, async () => {});
  await workspace.close();
  const left = everything(root).filter((name) => /\.tmp$|\.lock$|\.bak$/.test(name));
  assert.deepEqual(left, [], "left over");
  assert.ok(openImage(readFileSync(join(root, "index.db"))), "the index is whole");
  return outcome;
}

function read(root: string, path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

test("a server that is killed at any point of any write loses nothing", { skip }, async (t) => {
  const calls = await tally(t, {});
  const random = randomFrom(SEED);
  const count = numRuns(40);
  const actions = ["before", "half", "after"];
  let killed = 0;
  for (let run = 0; run < count; run++) {
    // Every point in turn if there are enough runs, otherwise random points between them.
    const at = count >= calls ? 1 + (run % calls) : 1 + Math.floor(random() * calls);
    const action = actions[(count >= calls ? Math.floor(run / calls) + run : run) % 3] ?? "before";
    const { signal } = await checkRun(t, { at, action });
    if (signal === "SIGKILL") killed++;
  }
  assert.ok(killed >= count / 2, `${killed} of ${count} were killed`);
  report(
    t,
    `the server killed at one of ${calls} points of ten writes and a persist`,
    killed,
    "0 documents lost, 0 torn, index whole again",
  );
});

const CODES = ["ENOSPC", "EIO", "EACCES", "EMFILE"];

test("a file call that fails, once or permanently, gives an answer and no crash", { skip }, async (t) => {
  const [writes, all] = [await tally(t, {}), await tally(t, { reads: true })];
  const random = randomFrom(SEED);
  const count = numRuns(40);
  let refused = 0;
  for (let run = 0; run < count; run++) {
    const reads = run % 2 === 1;
    const at = 1 + Math.floor(random() * (reads ? all : writes));
    const fault = { at, action: CODES[run % 4] ?? "EIO", reads, lasting: run % 3 === 0 };
    const { code, answers, stderr } = await checkRun(t, fault);
    const what = `${JSON.stringify(fault)}: ${stderr}`;
    assert.equal(code, 0, what);
    assert.doesNotMatch(stderr, /unexpected|unhandled|at .*\.cjs/i, what);
    for (const answer of answers) {
      assert.ok(answer !== undefined, what);
      assert.ok(!JSON.stringify(answer).includes("raw message"), what);
      if (answer["isError"] === true) refused++;
    }
  }
  assert.ok(refused > 0 || !isNightly);
  report(
    t,
    `ENOSPC, EIO, EACCES or EMFILE at one of ${all} file calls`,
    count,
    "0 crashes, 0 hangs, 0 documents lost",
  );
});
