import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeNotes } from "../../src/notes/merge.ts";

const task = (lines: string[], { status = "pending", fields = "" } = {}) =>
  `${fields === "" ? "" : `---\n${fields}---\n`}# Task: A\n\nStatus: ${status}\n\n## Steps\n${lines.join("\n")}\n\n## Notes\nText.\n`;

type Case = [name: string, base: string, ours: string, theirs: string, merged: string];

const TASK = task(["1. [ ] a", "2. [ ] b"], { fields: "status: pending\ntags: [x]\n" });

const clean: Case[] = [
  [
    "a step and a priority here, another step and the status there",
    TASK,
    task(["1. [x] a", "2. [ ] b"], { fields: "status: pending\ntags: [x]\npriority: high\n" }),
    task(["1. [ ] a", "2. [x] b"], { status: "done", fields: "status: done\ntags: [x]\n" }),
    task(["1. [x] a", "2. [x] b"], { status: "done", fields: "status: done\ntags: [x]\npriority: high\n" }),
  ],
  [
    "a step that was unticked",
    task(["1. [x] a", "2. [ ] b"]),
    task(["1. [ ] a", "2. [ ] b"]),
    task(["1. [x] a", "2. [x] b"]),
    task(["1. [ ] a", "2. [x] b"]),
  ],
  [
    "steps that both added, counted on",
    task(["1. [ ] a"]),
    task(["1. [ ] a", "2. [ ] ours"]),
    task(["1. [x] a", "2. [ ] theirs", "3. [x] more"]),
    task(["1. [x] a", "2. [ ] ours", "3. [ ] theirs", "4. [x] more"]),
  ],
  [
    "a step put before another, which was ticked under its old number",
    task(["1. [ ] a", "2. [ ] b", "3. [ ] c"]),
    task(["1. [ ] a", "2. [ ] new", "3. [ ] b", "4. [ ] c"]),
    task(["1. [ ] a", "2. [ ] b", "3. [x] c"]),
    task(["1. [ ] a", "2. [ ] new", "3. [ ] b", "4. [x] c"]),
  ],
  [
    "the status in one place here, in the other there",
    "---\nstatus: pending\n---\nStatus: pending\n",
    "---\nstatus: pending\nowner: ana\n---\nStatus: pending\n",
    "---\nstatus: pending\n---\nStatus: done\n",
    "---\nstatus: done\nowner: ana\n---\nStatus: done\n",
  ],
  [
    "tags that were added and removed",
    "---\ntags: [a, b] # both\nowner: ana\n---\n",
    "---\ntags: [a, b, c] # both\nowner: ana\n---\n",
    "---\ntags: [b, d] # both\nowner: ana\n---\n",
    "---\ntags: [b, c, d] # both\nowner: ana\n---\n",
  ],
  [
    "the later date",
    "---\nupdated: 2026-01-01\n---\nOne.\n\nTwo.\n\nThree.\n",
    "---\nupdated: 2026-01-03\n---\nOne, ours.\n\nTwo.\n\nThree.\n",
    "---\nupdated: 2026-01-02\n---\nOne.\n\nTwo.\n\nThree, theirs.\n",
    "---\nupdated: 2026-01-03\n---\nOne, ours.\n\nTwo.\n\nThree, theirs.\n",
  ],
  [
    "new keys behind those that they follow, with their comments",
    "---\na: 1\nb: 2\n---\n",
    "---\na: 1\n# of ours\nours: x\nb: 2\n---\n",
    "---\na: 1\nb: 2\n# of theirs\ntheirs: 'y'\n---\n",
    "---\na: 1\n# of ours\nours: x\nb: 2\n# of theirs\ntheirs: 'y'\n---\n",
  ],
  [
    "a block here, a text there",
    "Text.\n",
    "---\nowner: ana\n---\nText.\n",
    "Text.\n\nMore.\n",
    "---\nowner: ana\n---\nText.\n\nMore.\n",
  ],
  [
    "a claim by one agent",
    "---\nstatus: pending\ntags: [a]\n---\n",
    "---\nstatus: in-progress\ntags: [a]\nowner: ana\nclaimed_until: 2026-01-01T10:00Z\n---\n",
    "---\nstatus: pending\ntags: [a]\npriority: low\n---\n",
    "---\nstatus: in-progress\ntags: [a]\nowner: ana\nclaimed_until: 2026-01-01T10:00Z\npriority: low\n---\n",
  ],
  [
    "neighbours in a list, and in a table",
    "- [a](a.md)\n- [b](b.md)\n\n| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
    "- [a](new.md)\n- [b](b.md)\n\n| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | ours |\n",
    "- [a](a.md)\n- [b](other.md)\n\n| x | y |\n|---|---|\n| theirs | 2 |\n| 3 | 4 |\n",
    "- [a](new.md)\n- [b](other.md)\n\n| x | y |\n|---|---|\n| theirs | 2 |\n| 3 | ours |\n",
  ],
  [
    "line endings, mark and end of ours",
    "a\nb\nc\nd\n",
    "\uFEFFa\r\nB\r\nc\r\nd",
    "a\nb\nc\nD\n",
    "\uFEFFa\r\nB\r\nc\r\nD",
  ],
];

const day = (...notes: string[]) => `# Session Log - 2026-01-01\n\n${notes.join("\n\n---\n")}\n`;

const sessions: Case[] = [
  [
    "notes of both sides, by their times",
    day("First."),
    day("First.", "**10:00:00**\n\nOurs.", "**12:00:00**\n\nOurs, later."),
    day("First.", "**11:00:00**\n\nTheirs."),
    day("First.", "**10:00:00**\n\nOurs.", "**11:00:00**\n\nTheirs.", "**12:00:00**\n\nOurs, later."),
  ],
  ["two files of one day", "", day("Ours."), day("Theirs."), day("Ours.", "Theirs.")],
  [
    "two notes of one second",
    day("First."),
    day("First.", "**10:00:00**\n\nOurs."),
    day("First.", "**10:00:00**\n\nTheirs."),
    day("First.", "**10:00:00**\n\nOurs.", "**10:00:00**\n\nTheirs."),
  ],
  [
    "a note that was edited beside one that was added",
    day("First.", "**10:00:00**\n\nOld."),
    day("First.", "**10:00:00**\n\nEdited."),
    day("First.", "**10:00:00**\n\nOld.", "**11:00:00**\n\nTheirs."),
    day("First.", "**10:00:00**\n\nEdited.", "**11:00:00**\n\nTheirs."),
  ],
];

for (const [cases, isSession] of [
  [clean, false],
  [sessions, true],
] as const) {
  for (const [name, base, ours, theirs, text] of cases) {
    test(`changes of two sides are merged: ${name}`, () => {
      assert.deepEqual(mergeNotes({ base, ours, theirs }, { isSession }), { text, conflicts: 0 });
    });
  }
}

const contradictions: Case[] = [
  [
    "a line",
    "a\nb\nc\n",
    "a\nours\nc\n",
    "a\ntheirs\nc\n",
    "a\n<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\nc\n",
  ],
  [
    "neighbouring lines of prose",
    "One\nsentence.\n",
    "A\nsentence.\n",
    "One\nphrase.\n",
    "<<<<<<< ours\nA\nsentence.\n=======\nOne\nphrase.\n>>>>>>> theirs\n",
  ],
  [
    "one item that both changed",
    "- a\n- b\n",
    "- A\n- b\n",
    "- aa\n- B\n",
    "<<<<<<< ours\n- A\n- b\n=======\n- aa\n- B\n>>>>>>> theirs\n",
  ],
  [
    "a key, not its neighbours",
    "---\na: 1\nb: 1\nc: 1\n---\n",
    "---\na: 2\nb: 2\nc: 1\n---\n",
    "---\na: 1\nb: 3\nc: 2\n---\n",
    "---\na: 2\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\nc: 2\n---\n",
  ],
  [
    "the end of a claim and its owner",
    "---\nowner: ana\nclaimed_until: 2026-01-01\n---\n",
    "---\nowner: ben\nclaimed_until: 2026-01-01\n---\n",
    "---\nowner: ana\nclaimed_until: 2026-01-02\n---\n",
    "---\n<<<<<<< ours\nowner: ben\n=======\nowner: ana\n>>>>>>> theirs\n<<<<<<< ours\nclaimed_until: 2026-01-01\n=======\nclaimed_until: 2026-01-02\n>>>>>>> theirs\n---\n",
  ],
  [
    "a step that one side ticked and the other worded anew",
    "## Steps\n- [ ] a\n",
    "## Steps\n- [ ] A\n",
    "## Steps\n- [x] a\n",
    "## Steps\n<<<<<<< ours\n- [ ] A\n=======\n- [x] a\n>>>>>>> theirs\n",
  ],
];

for (const [name, base, ours, theirs, text] of contradictions) {
  test(`a contradiction stands between markers: ${name}`, () => {
    const merged = mergeNotes({ base, ours, theirs }, { isSession: false });
    assert.equal(merged.text, text);
    assert.equal(merged.conflicts, text.split("<<<<<<<").length - 1);
  });
}
