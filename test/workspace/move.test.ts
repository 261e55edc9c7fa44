import assert from "node:assert/strict";
import { test } from "node:test";
import { planUndo, undo } from "../../src/workspace/history-undo.ts";
import { moveDocuments } from "../../src/workspace/move.ts";
import type { DocumentMove } from "../../src/workspace/move-place.ts";
import { LINKED_WORKSPACE, randomMove, readLinks } from "../fixtures/random-moves.ts";
import { treeOf } from "../fixtures/random-writes.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";
import { randomFrom, report, runsOf } from "../hostile/runs.ts";

const MOVES = runsOf(60);

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
  const random = randomFrom(28);
  let edited = 0;
  for (let done = 0; done < MOVES; done++) {
    const before = readLinks(root);
    const { from, to } = randomMove([...before.keys()], random);
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
  const { steps, conflict } = planUndo(root, { count: MOVES });
  assert.deepEqual([steps.length, conflict], [MOVES, undefined]);
  for (const step of steps) await undo(workspace, step);
  assert.deepEqual(
    Object.fromEntries(Object.entries(treeOf(root)).filter(([path]) => !/^\.vibe/.test(path))),
    original,
  );
});
