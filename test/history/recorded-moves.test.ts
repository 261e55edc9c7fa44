import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../src/core/history/record.ts";
import { composeMoves, recordedMoves } from "../../src/core/history/recorded-moves.ts";
import { moveDocuments } from "../../src/core/workspace/move.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const HASH = "0".repeat(64);
const made = (path: string): Change => ({ path, before: null, after: HASH, bytes: 0 });
const removed = (path: string): Change => ({ path, before: HASH, after: null, bytes: 1 });
const changed = (path: string): Change => ({ path, before: HASH, after: HASH, bytes: 1 });
const moved = (from: string, to: string) => [made(to), removed(from)];

const rows: Record<string, [operations: Change[][], moves: Record<string, string>]> = {
  "a move, and a change of the note": [[moved("p/a", "p/b"), [changed("p/b")]], { "p/a": "p/b" }],
  "a move after a move": [[moved("p/a", "p/b"), moved("p/b", "p/c")], { "p/a": "p/c" }],
  "a move and its way back": [[moved("p/a", "p/b"), moved("p/b", "p/a")], {}],
  "a chain": [[moved("p/b", "p/c"), moved("p/a", "p/b")], { "p/b": "p/c", "p/a": "p/b" }],
  "a chain whose middle moves on": [
    [moved("p/b", "p/c"), moved("p/a", "p/b"), moved("p/b", "p/d")],
    { "p/b": "p/c", "p/a": "p/d" },
  ],
  "a swap at once": [
    [[removed("p/a"), removed("p/b"), made("p/b"), made("p/a")]],
    { "p/a": "p/b", "p/b": "p/a" },
  ],
  "a swap by way of a third name": [
    [moved("p/a", "p/x"), moved("p/b", "p/a"), moved("p/x", "p/b")],
    { "p/a": "p/b", "p/b": "p/a" },
  ],
  "a new note at the old name": [[moved("p/a", "p/b"), [made("p/a")]], { "p/a": "p/b" }],
  "a new note moves, which is no move of an old one": [[[made("p/n")], moved("p/n", "p/b")], {}],
  "a note moves and goes": [[moved("p/a", "p/b"), [removed("p/b")]], {}],
  "a note takes the name of one that went": [[[removed("p/b")], moved("p/a", "p/b")], { "p/a": "p/b" }],
  "some came and others went": [[[removed("p/a"), removed("p/b"), made("p/c")]], {}],
};

for (const [name, [operations, moves]] of Object.entries(rows))
  test(`recorded moves: ${name}`, () => {
    const all = operations.map((changes) => {
      return {
        id: "0".repeat(12),
        time: "2026-01-01T00:00:00.000Z",
        tool: "t",
        client: "c",
        pid: 1,
        changes,
      };
    });
    assert.deepEqual(Object.fromEntries(composeMoves(all).moves), moves);
  });

test("paths whose file moved away or was removed are known, also if another one came", () => {
  const operations = [moved("p/a", "p/b"), [made("p/a")], [removed("p/c")], moved("p/d", "p/c")].map(
    (changes) => {
      return {
        id: "0".repeat(12),
        time: "2026-01-01T00:00:00.000Z",
        tool: "t",
        client: "c",
        pid: 1,
        changes,
      };
    },
  );
  assert.deepEqual([...composeMoves(operations).left].sort(), ["p/a", "p/d"]);
});

test("moves of tools since a time are found, those before and those of sync are not", async (t) => {
  let time = Date.parse("2026-01-01T10:00:00Z");
  const clock = { now: () => new Date(time) };
  const root = makeWorkspace(t, { "p/references/a.md": "# A\n", "p/references/b.md": "# B\n" });
  const { call, workspace } = await connect(t, root, { clock });
  await call("move_doc", { path: "p/references/a.md", to_filename: "c.md" });
  time += 60_000;
  const since = clock.now().toISOString();
  await call("move_doc", { path: "p/references/b.md", to_filename: "d.md" });
  const bySync = [{ from: "p/references/c.md", to: "p/references/e.md" }];
  await workspace.history.acting({ tool: "sync" }, () => moveDocuments(workspace, bySync));
  const { moves } = await recordedMoves(root, since);
  assert.deepEqual(Object.fromEntries(moves), { "p/references/b.md": "p/references/d.md" });
});
