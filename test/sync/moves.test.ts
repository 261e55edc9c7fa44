import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "../../src/core/notes/merge/likeness.ts";
import { mergeNotes } from "../../src/core/notes/merge/merge.ts";
import { findMoves } from "../../src/together/sync/identity.ts";
import { NOTHING_RECORDED } from "../../src/together/sync/moves.ts";
import { reconcile } from "../../src/together/sync/reconcile.ts";

type Files = Record<string, string>;

const note = (...lines: string[]) => `# Note\n\n${lines.join("\n\n")}\n`;
const FLOW = note("Requests come in.", "They wait in a queue.", "A worker takes them.", "It answers.");
const byAna = (text: string) => `${text}\nAdded by Ana.\n`;
const byBen = (text: string) => text.replace("They wait", "By Ben, they wait");
const BOTH = byAna(byBen(FLOW));
const OTHER = note("Nothing of this", "stands in the other note.", "Not a line.");
/** Another text, of which a quarter is that of the note. */
const AS_NEW = note("A worker takes them.", "Everything else here", "was written from scratch.", "Twice.");
const task = (title: string, objective: string, ...steps: string[]) =>
  `# Task: ${title}\n\nStatus: pending\n\n## Objective\n${objective}\n\n## Steps\n${steps.map((step, at) => `${at + 1}. ${step}\n`).join("")}`;
const KEYS = task("Rotate keys", "Keys are new.", "[ ] make them", "[ ] publish them");
const retitled = (text: string) => text.replace("Rotate keys", "Rotate all signing keys");
const ticked = (text: string) => text.replace("[ ] make", "[x] make");

interface Row {
  base?: Files;
  ours: Files;
  theirs: Files;
  /** What our tools recorded. */
  recorded?: Files;
  left?: string[];
  expected: Files;
  yields?: Files;
  /** For sides that never agreed, or on something else since. */
  isApart?: boolean;
}

const N = "p/references/flow.md";
const M = "p/references/sign-in.md";

const rows: Record<string, Row> = {
  "a tool moved the note, and both changed it": {
    base: { [N]: FLOW },
    ours: { [M]: byAna(FLOW) },
    theirs: { [N]: byBen(FLOW) },
    recorded: { [N]: M },
    expected: { [M]: BOTH },
  },
  "a tool moved the note, and nothing of the text is left": {
    base: { [N]: FLOW },
    ours: { [M]: OTHER },
    theirs: { [N]: FLOW },
    recorded: { [N]: M },
    expected: { [M]: OTHER },
  },
  "an editor moved the note under another name, and both changed it": {
    base: { [N]: FLOW },
    ours: { [M]: byAna(FLOW) },
    theirs: { [N]: byBen(FLOW) },
    expected: { [M]: BOTH },
  },
  "a note was removed, and another one of the same name made elsewhere": {
    base: { [N]: FLOW },
    ours: { "p/plans/flow.md": OTHER },
    theirs: { [N]: byBen(FLOW) },
    expected: { [N]: byBen(FLOW), "p/plans/flow.md": OTHER },
  },
  "a note got another folder, and most of its text is new": {
    base: { [N]: FLOW },
    ours: { "p/plans/flow.md": AS_NEW },
    theirs: { [N]: FLOW },
    expected: { "p/plans/flow.md": AS_NEW },
  },
  "a task was retitled here and ticked there": {
    base: { "p/tasks/001-rotate-keys.md": KEYS },
    ours: { "p/tasks/001-rotate-all-signing-keys.md": retitled(KEYS) },
    theirs: { "p/tasks/001-rotate-keys.md": ticked(KEYS) },
    expected: { "p/tasks/001-rotate-all-signing-keys.md": ticked(retitled(KEYS)) },
  },
  "a task that got another title and most of its text is the same by its number": {
    base: { "p/tasks/001-rotate-keys.md": KEYS },
    ours: { "p/tasks/001-rotate-keys.md": KEYS.replace("Status: pending", "Status: done") },
    theirs: {
      "p/tasks/001-certificates.md": task("Certificates", "They last.", "[ ] make them", "[ ] send them out"),
    },
    expected: {
      "p/tasks/001-certificates.md": task(
        "Certificates",
        "They last.",
        "[ ] make them",
        "[ ] send them out",
      ).replace("pending", "done"),
    },
  },
  "a new task got the number of one that was removed, which the others changed": {
    base: { "p/tasks/001-rotate-keys.md": KEYS },
    ours: { "p/tasks/001-rotate-keys.md": ticked(KEYS) },
    theirs: { "p/tasks/001-backups.md": task("Backups", "Nothing is lost.") },
    expected: {
      "p/tasks/001-backups.md": task("Backups", "Nothing is lost."),
      "p/tasks/002-rotate-keys.md": ticked(KEYS),
    },
    yields: { "p/tasks/001-rotate-keys.md": "p/tasks/002-rotate-keys.md" },
  },
  "both created a task": {
    base: { "p/tasks/001-a.md": KEYS },
    ours: { "p/tasks/001-a.md": KEYS, "p/tasks/002-b.md": OTHER, "p/tasks/003-c.md": FLOW },
    theirs: { "p/tasks/001-a.md": KEYS, "p/archive/tasks/002-d.md": AS_NEW },
    expected: {
      "p/tasks/001-a.md": KEYS,
      "p/archive/tasks/002-d.md": AS_NEW,
      "p/tasks/003-c.md": FLOW,
      "p/tasks/004-b.md": OTHER,
    },
    yields: { "p/tasks/002-b.md": "p/tasks/004-b.md" },
  },
  "both created a task of one name": {
    base: { "p/tasks/001-a.md": KEYS },
    ours: { "p/tasks/001-a.md": KEYS, "p/tasks/002-tests.md": OTHER },
    theirs: { "p/tasks/001-a.md": KEYS, "p/tasks/002-tests.md": FLOW },
    expected: { "p/tasks/001-a.md": KEYS, "p/tasks/002-tests.md": FLOW, "p/tasks/003-tests.md": OTHER },
    yields: { "p/tasks/002-tests.md": "p/tasks/003-tests.md" },
  },
  "a number that stands twice on the remote already": {
    base: { "p/tasks/001-a.md": KEYS, "p/tasks/001-b.md": OTHER },
    ours: { "p/tasks/001-a.md": KEYS, "p/tasks/001-b.md": OTHER },
    theirs: { "p/tasks/001-a.md": KEYS, "p/tasks/001-b.md": OTHER },
    expected: { "p/tasks/001-a.md": KEYS, "p/tasks/002-b.md": OTHER },
    yields: { "p/tasks/001-b.md": "p/tasks/002-b.md" },
  },
  "both moved one note to different places": {
    base: { [N]: FLOW },
    ours: { [M]: byAna(FLOW) },
    theirs: { "p/plans/stream.md": byBen(FLOW) },
    recorded: { [N]: M },
    expected: { "p/plans/stream.md": BOTH },
    yields: { [M]: "p/plans/stream.md" },
  },
  "both moved one note to the same place, which only the history says of ours": {
    base: { [N]: FLOW },
    ours: { [M]: OTHER },
    theirs: { [M]: FLOW },
    recorded: { [N]: M },
    expected: { [M]: OTHER },
  },
  "a chain of moves, by what is recorded": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER },
    ours: { "p/b.md": byAna(FLOW), "p/c.md": byAna(OTHER) },
    theirs: { "p/a.md": byBen(FLOW), "p/b.md": OTHER },
    recorded: { "p/b.md": "p/c.md", "p/a.md": "p/b.md" },
    expected: { "p/b.md": BOTH, "p/c.md": byAna(OTHER) },
  },
  "a chain of moves with changes, by texts that are alike": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER },
    ours: { "p/a.md": byBen(FLOW), "p/b.md": OTHER },
    theirs: { "p/b.md": byAna(FLOW), "p/c.md": byAna(OTHER) },
    expected: { "p/b.md": BOTH, "p/c.md": byAna(OTHER) },
  },
  "a swap with changes, by what is recorded": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER },
    ours: { "p/a.md": OTHER, "p/b.md": byAna(FLOW) },
    theirs: { "p/a.md": byBen(FLOW), "p/b.md": OTHER },
    recorded: { "p/a.md": "p/b.md", "p/b.md": "p/a.md" },
    expected: { "p/a.md": OTHER, "p/b.md": BOTH },
  },
  "a note took the place of another one": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER },
    ours: { "p/b.md": FLOW },
    theirs: { "p/a.md": byBen(FLOW), "p/b.md": OTHER },
    expected: { "p/b.md": byBen(FLOW) },
  },
  "a note took the place of another one, which the others changed": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER },
    ours: { "p/b.md": FLOW },
    theirs: { "p/a.md": byBen(FLOW), "p/b.md": byAna(OTHER) },
    expected: { "p/a.md": byBen(FLOW), "p/b.md": byAna(OTHER) },
    yields: { "p/b.md": "p/a.md" },
  },
  "a note moved to where the others made one": {
    base: { [N]: FLOW },
    ours: { [M]: byAna(FLOW) },
    theirs: { [N]: byBen(FLOW), [M]: OTHER },
    expected: { [N]: BOTH, [M]: OTHER },
    yields: { [M]: N },
  },
  "the others moved a note to where one was made here": {
    base: { [N]: FLOW },
    ours: { [N]: byAna(FLOW), [M]: OTHER },
    theirs: { [M]: byBen(FLOW) },
    expected: { [M]: BOTH, "p/references/sign-in-2.md": OTHER },
    yields: { [M]: "p/references/sign-in-2.md" },
  },
  "a note moved, a new one took its name, and the others have another note at the new place": {
    base: { [N]: FLOW },
    ours: { [M]: byAna(FLOW), [N]: AS_NEW },
    theirs: { [N]: byBen(FLOW), [M]: OTHER },
    recorded: { [N]: M },
    expected: { [N]: BOTH, [M]: OTHER, "p/references/flow-2.md": AS_NEW },
    yields: { [M]: N, [N]: "p/references/flow-2.md" },
  },
  "an editor moved a note, and a tool made another one in its place": {
    base: { [N]: FLOW },
    ours: { [N]: OTHER, [M]: byAna(FLOW) },
    theirs: { [N]: byBen(FLOW) },
    left: [N],
    expected: { [N]: OTHER, [M]: BOTH },
  },
  "a tool removed a note and wrote it again": {
    base: { [N]: FLOW },
    ours: { [N]: byAna(FLOW) },
    theirs: { [N]: byBen(FLOW) },
    left: [N],
    expected: { [N]: BOTH },
  },
  "a project was renamed: changes and new notes of the others follow": {
    base: { "p/status.md": OTHER, [N]: FLOW },
    ours: { "q/status.md": OTHER, "q/references/flow.md": byAna(FLOW) },
    theirs: { "p/status.md": OTHER, [N]: byBen(FLOW), "p/tasks/001-rotate-keys.md": KEYS },
    expected: { "q/status.md": OTHER, "q/references/flow.md": BOTH, "q/tasks/001-rotate-keys.md": KEYS },
  },
  "a note was split in two: the larger part takes the changes along": {
    base: { [N]: `${FLOW}\nOne more.\n` },
    ours: { "p/a.md": FLOW, "p/b.md": "One more.\n" },
    theirs: { [N]: byBen(`${FLOW}\nOne more.\n`) },
    expected: { "p/a.md": byBen(FLOW), "p/b.md": "One more.\n" },
  },
  "a note was copied": {
    base: { [N]: FLOW },
    ours: { [N]: FLOW, [M]: FLOW },
    theirs: { [N]: byBen(FLOW) },
    expected: { [N]: byBen(FLOW), [M]: FLOW },
  },
  "notes with one text moved, each under its name": {
    base: { "p/x.md": FLOW, "p/y.md": FLOW },
    ours: { "p/plans/x.md": FLOW, "p/plans/y.md": FLOW },
    theirs: { "p/x.md": FLOW, "p/y.md": byBen(FLOW) },
    expected: { "p/plans/x.md": FLOW, "p/plans/y.md": byBen(FLOW) },
  },
  "a folder got another letter case": {
    base: { "p/References/flow.md": FLOW },
    ours: { "p/references/flow.md": FLOW },
    theirs: { "p/References/flow.md": byBen(FLOW) },
    expected: { "p/references/flow.md": byBen(FLOW) },
  },
  "a note was removed here and changed there": {
    base: { [N]: FLOW },
    ours: {},
    theirs: { [N]: byBen(FLOW) },
    expected: { [N]: byBen(FLOW) },
  },
  "a note was removed here and moved there": {
    base: { [N]: FLOW },
    ours: {},
    theirs: { [M]: FLOW },
    expected: {},
  },
  "a note was taken out, and came back elsewhere after both had agreed that it is gone": {
    base: {},
    ours: { [M]: FLOW },
    theirs: {},
    expected: { [M]: FLOW },
  },
  "what is recorded of a note that never left is older than the base": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER },
    ours: { "p/a.md": FLOW, "p/b.md": byAna(OTHER) },
    theirs: { "p/a.md": byBen(FLOW), "p/b.md": OTHER },
    recorded: { "p/a.md": "p/b.md" },
    expected: { "p/a.md": byBen(FLOW), "p/b.md": byAna(OTHER) },
  },
  "the remote began anew: what both still have merges, and nothing was removed": {
    base: { "p/a.md": FLOW, "p/b.md": OTHER, "p/c.md": KEYS },
    ours: { "p/a.md": byAna(FLOW), "p/b.md": OTHER },
    theirs: { "p/a.md": byBen(FLOW), "p/c.md": KEYS },
    isApart: true,
    expected: { "p/a.md": BOTH, "p/b.md": OTHER, "p/c.md": KEYS },
  },
};

/** What a round makes of three sides whose blob ids are the texts themselves. */
async function roundOf({ base = {}, ours, theirs, recorded = {}, left = [], isApart = false }: Row) {
  const treeOf = (files: Files) => new Map(Object.entries(files));
  const sides = { base: treeOf(base), ours: treeOf(ours), theirs: treeOf(theirs) };
  const texts = [base, ours, theirs].flatMap((files) => Object.values(files));
  const lines = new Map(texts.map((text) => [text, linesOf(text)]));
  const known = { moves: treeOf(recorded), left: new Set(left) };
  const moves = await findMoves(sides, known, async () => lines);
  const result = await reconcile(sides, { ...moves, isAgreed: !isApart });
  const files = Object.fromEntries(result.tree);
  for (const { path, ...meeting } of result.meetings) {
    const { text, conflicts } = mergeNotes({ ...meeting, base: meeting.base ?? "" }, { isSession: false });
    assert.equal(conflicts, 0, text);
    assert.ok(!(path in files), `${path} twice`);
    files[path] = text;
  }
  return { files, yields: Object.fromEntries(result.yields.map(({ from, to }) => [from, to])) };
}

for (const [name, row] of Object.entries(rows))
  test(name, async () => {
    assert.deepEqual(await roundOf(row), { files: row.expected, yields: row.yields ?? {} });
  });

const treeOf = (count: number, pathOf: (at: number) => string, idOf: (at: number) => string = String) =>
  new Map(Array.from({ length: count }, (_, at) => [pathOf(at), idOf(at)]));

test("while the places of 10,000 files are found, other calls get their turn", async () => {
  const base = treeOf(10_000, (at) => `p/references/n${at}.md`);
  const sides = { base, ours: treeOf(10_000, (at) => `q/references/n${at}.md`), theirs: base };
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const moves = await findMoves(sides, NOTHING_RECORDED, async () => new Map());
  const whileFound = turns;
  await reconcile(sides, { ...moves, isAgreed: true });
  clearImmediate(next);
  assert.equal(moves.ours.size, 10_000);
  assert.ok(whileFound > 0, "while they are found");
  assert.ok(turns > whileFound, "while it is decided who has what");
});

test("a text is compared with few others, however many share a line with it", async () => {
  let looks = 0;
  class Counts extends Map<string, number> {
    override get(line: string) {
      looks++;
      return super.get(line);
    }
  }
  const count = 211;
  const textOf = (at: number) =>
    Array.from({ length: count }, (_, by) => `line ${Math.floor(((at * by) % count) / 8)} of ${by}`);
  const lines = new Map(
    ["base", "side"].flatMap((side) =>
      Array.from({ length: count }, (_, at) => {
        const found = linesOf(textOf(at).join("\n"));
        return [`${side} ${at}`, { ...found, counts: new Counts(found.counts) }] as const;
      }),
    ),
  );
  const base = treeOf(
    count,
    (at) => `p/references/b${at}.md`,
    (at) => `base ${at}`,
  );
  const ours = treeOf(
    count,
    (at) => `p/references/s${at}.md`,
    (at) => `side ${at}`,
  );
  await findMoves({ base, ours, theirs: base }, NOTHING_RECORDED, async () => lines);
  assert.ok(looks < count * count * 30, `${looks}`);
});
