import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { maintain } from "../../src/core/history/interrupted.ts";
import { Journal } from "../../src/core/history/journal.ts";
import { planUndo } from "../../src/core/history/undo.ts";
import { moveDocuments } from "../../src/core/workspace/move.ts";
import type { DocumentMove } from "../../src/core/workspace/move-check.ts";
import { undoStep } from "../../src/core/workspace/undo.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { numRuns, SEED } from "../fixtures/num-runs.ts";
import { LINKED_WORKSPACE, randomMove, readLinks } from "../fixtures/random-moves.ts";
import { treeOf } from "../fixtures/random-writes.ts";
import { STATE } from "../fixtures/state.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";
import { killAtRandom, randomFrom, report } from "../hostile/runs.ts";

const MOVES = numRuns(100);

type Links = ReturnType<typeof readLinks>;

/** Compares the links of all documents before and after a move; returns how many are written in another way. */
function checkLinks(before: Links, after: Links, { from, to }: DocumentMove): number {
  const newPath = (path: string) => (path === from ? to : path);
  const what = `${from} → ${to}`;
  assert.deepEqual([...after.keys()].sort(), [...before.keys()].map(newPath).sort(), what);
  let changes = 0;
  for (const [path, { links, rest }] of before) {
    const now = after.get(newPath(path)) ?? { links: [], rest: "" };
    assert.equal(now.rest, rest, what);
    for (const [at, { text, target }] of links.entries()) {
      const here = `${what}: ${newPath(path)} ${text} → ${now.links[at]?.text}`;
      if (target !== null) assert.equal(now.links[at]?.target, newPath(target), here);
      if (now.links[at]?.text !== text) changes++;
    }
  }
  return changes;
}

test("after random moves every link leads to the same document, and all other bytes are unchanged", async (t) => {
  const root = makeWorkspace(t, LINKED_WORKSPACE);
  const { workspace } = open(t, root);
  const original = treeOf(root);
  const random = randomFrom(SEED);
  let edited = 0;
  for (let done = 0; done < MOVES; done++) {
    const before = readLinks(root);
    const { from, to } = randomMove(root, [...before.keys()], random);
    const { edits, left } = await moveDocuments(workspace, [{ from, to }]);
    assert.deepEqual(left, []);
    const changes = checkLinks(before, readLinks(root), { from, to });
    assert.equal(edits.length, changes, `${from} → ${to}`);
    edited += changes;
  }
  assert.ok(edited > MOVES / 2, `${edited} edits`);
  report(
    t,
    "random moves and archivings of 13 documents with every form of link",
    MOVES,
    "every link leads on",
  );
  const { steps, conflict } = await planUndo(root, { count: MOVES, now: new Date() });
  assert.deepEqual([steps.length, conflict], [MOVES, undefined]);
  for (const step of steps) await undoStep(workspace, step);
  assert.deepEqual(
    Object.fromEntries(Object.entries(treeOf(root)).filter(([path]) => !/^\.vibe/.test(path))),
    original,
  );
});

/** Makes the moves in another process, until it kills itself at a file call. */
function moveInChild(
  root: string,
  moves: readonly DocumentMove[],
  at = 0,
): Promise<{ killed: boolean; calls: number }> {
  const script = fileURLToPath(new URL("../fixtures/move-child.ts", import.meta.url));
  const args = ["--import", "tsx", script, root, String(at), JSON.stringify(moves)];
  return new Promise((done, failed) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error !== null && error.signal !== "SIGKILL") failed(new Error(stderr));
      else done({ killed: error !== null, calls: Number(stdout) });
    });
  });
}

const there = { from: "p/references/flow.md", to: "q/plans/new flow.md" };
const back = { from: there.to, to: there.from };

/** After the next start, a move that was killed has happened with all its links, or not at all. */
async function killAndRecover(t: TestContext, at: number, states: readonly object[]): Promise<boolean> {
  const root = makeWorkspace(t, LINKED_WORKSPACE);
  assert.equal((await moveInChild(root, [there, back], at)).killed, true);
  const wasInterrupted = new Journal(root, STATE).read().length > 0;
  const { workspace } = open(t, root);
  await maintain(workspace.history);
  const now = documentsOf(root);
  assert.ok(
    states.some((state) => JSON.stringify(state) === JSON.stringify(now)),
    `half moved: ${Object.keys(now)}`,
  );
  assert.deepEqual(new Journal(root, STATE).read(), []);
  return wasInterrupted;
}

function documentsOf(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(treeOf(root)).filter(([path]) => path.endsWith(".md")));
}

test("a move that was killed is whole or undone after the next start", { skip: ON_WINDOWS }, async (t) => {
  const whole = makeWorkspace(t, LINKED_WORKSPACE);
  const states = [documentsOf(whole)];
  let calls = 0;
  for (const move of [there, back]) {
    calls += (await moveInChild(whole, [move])).calls;
    states.push(documentsOf(whole));
  }
  const kills = { what: "moves", runs: numRuns(20), parallel: 2, calls: calls * 0.9 };
  await killAtRandom(t, kills, (at) => killAndRecover(t, at, states));
});

test("two processes that move at once leave every link intact", { skip: ON_WINDOWS }, async (t) => {
  const root = makeWorkspace(t, LINKED_WORKSPACE);
  const before = readLinks(root);
  const hub = [
    { from: "p/tasks/001-hub.md", to: "p/archive/tasks/001-hub.md" },
    { from: "p/archive/tasks/001-hub.md", to: "p/tasks/001-hub.md" },
  ];
  const rounds = [1, 2, 3];
  await Promise.all([
    moveInChild(
      root,
      rounds.flatMap(() => [there, back]),
    ),
    moveInChild(
      root,
      rounds.flatMap(() => hub),
    ),
  ]);
  checkLinks(before, readLinks(root), { from: "", to: "" });
});
