import assert from "node:assert/strict";
import { test } from "node:test";
import { findMoves } from "../../src/together/sync/identity.ts";
import { NOTHING_RECORDED } from "../../src/together/sync/moves.ts";
import { besides, reconcileInPlace } from "../../src/together/sync/places.ts";
import { reconcile, type Sides } from "../../src/together/sync/reconcile.ts";

type Files = Record<string, string>;

interface Row {
  base?: Files;
  ours: Files;
  theirs: Files;
  /** What the remote has besides notes that can be here. */
  others?: string[];
  expected: Files;
  blocked: string[];
}

const N = "p/references/a.md";
const rows: Record<string, Row> = {
  "a file where the remote has a folder": {
    ours: { "p/a": "1", "p/b.md": "2" },
    theirs: { "p/a/c.md": "3" },
    expected: { "p/a/c.md": "3", "p/b.md": "2" },
    blocked: ["p/a"],
  },
  "a folder where the remote has a file": {
    ours: { "p/a/c.md": "1", "p/a/d.md": "2" },
    theirs: { "p/a": "3" },
    expected: { "p/a": "3" },
    blocked: ["p/a/c.md", "p/a/d.md"],
  },
  "a file takes the name of a folder that goes": {
    base: { "p/a/c.md": "1" },
    ours: { "p/a": "2" },
    theirs: { "p/a/c.md": "1" },
    expected: { "p/a": "2" },
    blocked: [],
  },
  "a file takes the name of a folder that others changed": {
    base: { "p/a/c.md": "1" },
    ours: { "p/a": "2" },
    theirs: { "p/a/c.md": "3" },
    expected: { "p/a/c.md": "3" },
    blocked: ["p/a"],
  },
  "a note moves below a file of the remote": {
    base: { [N]: "1" },
    ours: { "p/x/a.md": "1" },
    theirs: { [N]: "1", "p/x": "2" },
    expected: { "p/x": "2" },
    blocked: ["p/x/a.md"],
  },
  "a renamed project meets a file of the same name": {
    base: { "p/a.md": "1", "p/b.md": "2" },
    ours: { "q/a.md": "1", "q/b.md": "2" },
    theirs: { "p/a.md": "1", "p/b.md": "2", q: "3" },
    expected: { q: "3" },
    blocked: ["q/a.md", "q/b.md"],
  },
  "a renamed project meets a file and a folder of one name in it": {
    base: { "p/a.md": "1", "p/b.md": "2" },
    ours: { "q/a.md": "1", "q/b.md": "2", "q/n/c.md": "3" },
    theirs: { "p/a.md": "1", "p/b.md": "2", "p/n": "4" },
    expected: { "q/a.md": "1", "q/b.md": "2", "q/n": "4" },
    blocked: ["q/n/c.md"],
  },
  "both renamed, a file and a folder of one name": {
    base: { "p/a.md": "1", "p/b.md": "2" },
    ours: { "q/a.md": "1", "q/b.md": "2", "q/n": "3" },
    theirs: { "r/a.md": "1", "r/b.md": "2", "r/n/c.md": "4" },
    expected: { "q/n": "3", "r/a.md": "1", "r/b.md": "2", "r/n/c.md": "4" },
    blocked: [],
  },
  "notes of both come to a renamed project, as a file and as a folder": {
    base: { "p/a.md": "1", "p/b.md": "2" },
    ours: { "q/a.md": "1", "q/b.md": "2", "q/n": "3" },
    theirs: { "p/a.md": "1", "p/b.md": "2", "p/n/c.md": "4" },
    expected: { "q/a.md": "1", "q/b.md": "2", "q/n/c.md": "4" },
    blocked: ["q/n"],
  },
  "two notes of others come, as a file and as a folder": {
    base: { "p/a.md": "1", "p/b.md": "2", [N]: "3" },
    ours: { "q/a.md": "1", "q/b.md": "2", "q/n/a.md": "3" },
    theirs: { "p/a.md": "1", "p/b.md": "2", [N]: "3", "p/n": "4" },
    expected: { "q/a.md": "1", "q/b.md": "2", "q/n/a.md": "3" },
    blocked: ["q/n"],
  },
  "a link on the remote": {
    ours: { "p/a.md": "1", "p/x/b.md": "2", "p/y": "3" },
    theirs: {},
    others: ["p/a.md", "p/x", "p/y/z"],
    expected: {},
    blocked: ["p/a.md", "p/x/b.md", "p/y"],
  },
};

const treeOf = (files: Files) => new Map(Object.entries(files));

async function outcome({ base = {}, ours, theirs, others = [] }: Row) {
  const all = { base: treeOf(base), ours: treeOf(ours), theirs: treeOf(theirs) };
  const { sides, blocked } = besides(all, new Set(others));
  const found = await reconcileInPlace(sides, async (some: Sides) => {
    const moves = await findMoves(some, NOTHING_RECORDED, async () => new Map());
    return reconcile(some, { ...moves, isAgreed: true });
  });
  assert.deepEqual(found.meetings, []);
  return {
    expected: Object.fromEntries(found.tree),
    blocked: [...blocked, ...found.blocked].map(({ path }) => path).sort(),
  };
}

for (const [name, { expected, blocked, ...row }] of Object.entries(rows))
  test(name, async () => {
    assert.deepEqual(await outcome({ ...row, expected, blocked }), { expected, blocked });
  });
