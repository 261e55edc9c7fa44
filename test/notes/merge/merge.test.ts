import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeNotes } from "../../../src/core/notes/merge/merge.ts";
import { readStatuses } from "../../../src/core/notes/task/status.ts";
import { growth, PROPORTIONATE } from "../../fixtures/growth.ts";
import { someOf } from "../../fixtures/num-runs.ts";

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
    "labels in lines that touch, and in one line",
    "# T\n\nPriority: P1\nDue: 2026-12-01 | Owner: ana\nTags: #a\n",
    "# T\n\nPriority: low\nDue: 2026-12-02 | Owner: ana\nTags: #a #b\n",
    "# T\n\nPriority: P1\nDue: 2026-12-01 | Owner: eva\nTags: #c\n",
    "# T\n\nPriority: low\nDue: 2026-12-02 | Owner: eva\nTags: #b, #c\n",
  ],
  [
    "a label that one side changed, and the other moved to the frontmatter",
    "# T\n\nPriority: low\nOwner: ana\n",
    "# T\n\nPriority: high\nOwner: ana\n",
    "---\npriority: low\n---\n# T\n\nOwner: ana\n",
    "---\npriority: high\n---\n# T\n\nOwner: ana\n",
  ],
  [
    "a block that is no YAML and that one side changed, and steps",
    task(["1. [ ] a", "2. [ ] b"], { fields: "title: Fix: x\nstatus: pending\n" }),
    task(["1. [x] a", "2. [ ] b"], { fields: "title: Fix: x\nstatus: pending\nowner: ana\n" }),
    task(["1. [ ] a", "2. [x] b"], { fields: "title: Fix: x\nstatus: pending\n" }),
    task(["1. [x] a", "2. [x] b"], { fields: "title: Fix: x\nstatus: pending\nowner: ana\n" }),
  ],
  [
    "a block in another language, and steps",
    task(["1. [ ] a", "2. [ ] b"]).replace(/^/, "+++\na = 1\nb = 2\nc = 3\n+++\n"),
    task(["1. [x] a", "2. [ ] b"]).replace(/^/, "+++\na = 4\nb = 2\nc = 3\n+++\n"),
    task(["1. [ ] a", "2. [x] b"]).replace(/^/, "+++\na = 1\nb = 2\nc = 5\n+++\n"),
    task(["1. [x] a", "2. [x] b"]).replace(/^/, "+++\na = 4\nb = 2\nc = 5\n+++\n"),
  ],
  [
    "the later date",
    "---\nupdated: 2026-01-01\n---\nOne.\n\nTwo.\n\nThree.\n",
    "---\nupdated: 2026-01-03\n---\nOne, ours.\n\nTwo.\n\nThree.\n",
    "---\nupdated: 2026-01-02\n---\nOne.\n\nTwo.\n\nThree, theirs.\n",
    "---\nupdated: 2026-01-03\n---\nOne, ours.\n\nTwo.\n\nThree, theirs.\n",
  ],
  [
    "the upper place",
    "---\norder: 3\n---\n",
    "---\norder: 9\n---\n",
    "---\norder: -1.5\n---\n",
    "---\norder: -1.5\n---\n",
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
    "a list in which one side has all that the other changed",
    "- a\n- b\n- c\n",
    "- A\n- b\n- C\n",
    "- A\n- B\n- C\n",
    "- A\n- B\n- C\n",
  ],
  [
    "paragraphs before and behind one that stays",
    "One.\n\nTwo.\n\nThree.\n",
    "First.\n\nMore.\n\nTwo.\n\nThree.\n",
    "One.\n\nTwo.\n\nThree.\n\nFour.\n",
    "First.\n\nMore.\n\nTwo.\n\nThree.\n\nFour.\n",
  ],
  [
    "decisions in an empty section",
    "## Decisions\n\n## Next\n",
    "## Decisions\n- ours\n\n## Next\n",
    "## Decisions\n- theirs\n\n## Next\n",
    "## Decisions\n- ours\n- theirs\n\n## Next\n",
  ],
  [
    "sections, one of which both made",
    "# A\n",
    "# A\n\n## 10:00\n\n- x\n\n## Notes\n\n- ours\n",
    "# A\n\n## Notes\n\n- theirs\n\n## 11:00\n\n- x\n",
    "# A\n\n## 10:00\n\n- x\n\n## Notes\n\n- ours\n- theirs\n\n## 11:00\n\n- x\n",
  ],
  [
    "numbered items, which count on, and one that both added",
    "1. a\n",
    "1. a\n2. same\n3. ours\n",
    "1. a\n2. theirs\n3. same\n",
    "1. a\n2. same\n3. ours\n4. theirs\n",
  ],
  [
    "an item below the last one, and one behind it",
    "- a\n  - b\n",
    "- a\n  - b\n- ours\n",
    "- a\n  - b\n  - theirs\n",
    "- a\n  - b\n  - theirs\n- ours\n",
  ],
  [
    "an item to fill in, and one that one side changed while both added more",
    "- a\n\n## Next\n- [ ] \n",
    "- A\n- ours\n\n## Next\n- [ ] ours\n",
    "- a\n- theirs\n\n## Next\n- [ ] theirs\n",
    "- A\n- ours\n- theirs\n\n## Next\n- [ ] ours\n- [ ] theirs\n",
  ],
  [
    "paragraphs and notes under rulers, of which both begin with one",
    "# A\n",
    "# A\n\nSame.\n\n---\n\nOurs.\n",
    "# A\n\nSame.\n\n---\n\nTheirs.\n",
    "# A\n\nSame.\n\n---\n\nOurs.\n\n---\n\nTheirs.\n",
  ],
  [
    "a comment above a key, and more of it",
    "---\na: 1\n---\n",
    "---\n# One.\na: 1\n---\n",
    "---\n# One.\n# Two.\na: 1\n---\n",
    "---\n# One.\n# Two.\na: 1\n---\n",
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
    "two notes of one second, one of which the other side has",
    day("First."),
    day("First.", "**10:00:00**\n\nOurs.", "**10:00:00**\n\nTheirs."),
    day("First.", "**10:00:00**\n\nTheirs."),
    day("First.", "**10:00:00**\n\nOurs.", "**10:00:00**\n\nTheirs."),
  ],
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

const placed = (frontmatter: string, line: string, text = "") =>
  `${frontmatter && `---\nstatus: ${frontmatter}\n---\n`}# Task: A\n${line && `\nStatus: ${line}\n`}\n## Notes\n${text}`;

/** A status as `frontmatter/line`, a place that is missing as `-`; the result is a status, or both that contradict. */
const statuses: [base: string, ours: string, theirs: string, merged: string][] = [
  ["pending/pending", "done/pending", "pending/pending", "done/done"],
  ["pending/pending", "pending/done", "pending/pending", "done/done"],
  ["pending/-", "pending/done", "pending/-", "done/done"],
  ["-/pending", "done/pending", "-/pending", "done/done"],
  ["-/pending", "pending/pending", "-/done", "done/done"],
  ["pending/pending", "pending/-", "done/pending", "done/-"],
  ["-/-", "done/-", "-/done", "done/done"],
  ["pending/done", "blocked/done", "pending/done", "blocked/done"],
  ["pending/done", "pending/done", "pending/done", "pending/done"],
  ["pending/done", "blocked/blocked", "pending/done", "blocked/blocked"],
  ["pending/pending", "done/done", "blocked/blocked", "done|blocked"],
  ["pending/pending", "done/pending", "pending/blocked", "done|blocked"],
  ["-/pending", "done/pending", "-/blocked", "done|blocked"],
  ["pending/-", "pending/done", "blocked/-", "done|blocked"],
  ["pending/-", "-/done", "blocked/-", "done|blocked"],
  ["-/-", "done/-", "-/blocked", "done|blocked"],
  ["-/-", "done/done", "-/blocked", "done|blocked"],
];

const textOf = (places: string, notes: string) => {
  const [frontmatter = "", line = ""] = places.split("/").map((place) => (place === "-" ? "" : place));
  return placed(frontmatter, line, notes);
};

for (const [before, own, other, expected] of statuses)
  test(`a status is one fact in two places: ${before} became ${own} and ${other}`, () => {
    const base = textOf(before, "Text.\n");
    const sides = [textOf(own, "Ours.\n\nText.\n"), textOf(other, "Text.\n\nTheirs.\n")];
    assertStatus(base, sides, expected.split("|"));
    assertStatus(base, [...sides].reverse(), expected.split("|").reverse());
  });

/** `says` is the status in both places, or the statuses of the sides if they contradict. */
function assertStatus(base: string, [ours = "", theirs = ""]: string[], says: string[]): void {
  const texts = { base, ours, theirs };
  assert.equal(mergeNotes(texts, { isSession: false }).conflicts > 0, says.length === 2);
  for (const show of ["ours", "theirs"] as const) {
    const { text } = mergeNotes(texts, { isSession: false, show });
    const { frontmatter, line } = readStatuses(text);
    assert.match(text, /Ours\.\n\nText\.\n\nTheirs\./);
    if (says.length === 1) assert.deepEqual([`${frontmatter ?? "-"}/${line ?? "-"}`], says);
    else
      for (const status of [frontmatter, line])
        assert.ok(status === null || status === says[Number(show === "theirs")], text);
  }
}

test("frontmatter that would be too large merges by line", () => {
  const tags = (letter: string) => Array.from({ length: 5000 }, (_, at) => `${letter}${at}`).join(", ");
  const text = (letter: string) => `---\ntags: [${tags(letter)}]\n---\n# A\n`;
  const texts = { base: text("a"), ours: text("b"), theirs: text("c") };
  const { text: merged, conflicts } = mergeNotes(texts, { isSession: false });
  assert.equal(conflicts, 1);
  for (const letter of ["b", "c"]) assert.ok(merged.includes(tags(letter)));
});

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
    "a block that is no YAML, as a whole",
    "---\ntitle: Fix: x\nid: 1\nowner: a\n---\nText.\n",
    "---\ntitle: 'Fix: x'\nid: 1\nowner: a\n---\nText.\n",
    "---\ntitle: Fix: x\nid: 1\nowner: b\n---\nText.\n",
    "---\n<<<<<<< ours\ntitle: 'Fix: x'\nid: 1\nowner: a\n=======\ntitle: Fix: x\nid: 1\nowner: b\n>>>>>>> theirs\n---\nText.\n",
  ],
  ["two new notes", "", "# A\n", "# B\n", "<<<<<<< ours\n# A\n=======\n# B\n>>>>>>> theirs\n"],
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

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");
const COUNT = 4000;
const clock = (at: number) => new Date(at * 1000).toISOString().slice(11, 19);

const large: [name: string, side: (count: number, sign: string) => string][] = [
  [
    "session notes",
    (count, sign) => lines(count, (at) => `---\n**${clock(2 * at + Number(sign))}**\n\n${sign}\n\n`),
  ],
  [
    "session notes of one second",
    (count, sign) => lines(count, (at) => `---\n**10:00:00**\n\n${sign} ${at}\n\n`),
  ],
  [
    "steps",
    (count, sign) =>
      `## Steps\n${lines(count, (at) => `- [${at % 2 === Number(sign) ? "x" : " "}] ${at}\n`)}`,
  ],
  ["items", (count, sign) => lines(count, (at) => `- ${at}${at % 3 === Number(sign) ? sign : ""}\n`)],
  ["equal items", (count, sign) => lines(count, (at) => `- ${at % 100 === Number(sign) ? sign : "x"}\n`)],
  [
    "keys",
    (count, sign) => `---\n${lines(count / 4, (at) => `${at % 2 ? sign : "k"}${at}: ${sign}\n`)}---\n`,
  ],
  [
    "tags",
    (count, sign) => `---\ntags: [${lines(count / 4, (at) => `${at % 2 ? sign : "k"}${at}, `)}]\n---\n`,
  ],
  ["spaces", (count, sign) => `${sign}${" ".repeat(20 * count)}${sign}\n`],
];

for (const [name, side] of someOf(large))
  test(`the time to merge ${name} grows with their number`, () => {
    const make = (count: number) => ["2", "0", "1"].map((sign) => side(count, sign)).join("\0");
    const times = growth(
      make,
      (texts) => {
        const [base = "", ours = "", theirs = ""] = texts.split("\0");
        for (const isSession of [true, false]) mergeNotes({ base, ours, theirs }, { isSession });
      },
      COUNT,
    );
    assert.ok(times < PROPORTIONATE, `${times.toFixed(1)} times as long`);
  });

test("a contradiction has the lines of both, if wanted, and each fact once, as theirs", () => {
  const side = (status: string, priority: string, mark: string, words: string) =>
    `---\nstatus: ${status}\npriority: ${priority}\n---\n# A\n\nStatus: ${status}\n\n## Steps\n- [${mark}] a\n\n## Notes\n${words}.\n`;
  const texts = {
    base: side("pending", "low", " ", "Old"),
    ours: side("done", "high", "x", "Ours"),
    theirs: side("blocked", "medium", "-", "Theirs"),
  };
  const { text } = mergeNotes(texts, { isSession: false, show: "both" });
  assert.equal(text, side("blocked", "medium", "-", "Ours.\nTheirs"));
});

test("a label here and a key there that contradict are one conflict, in the frontmatter", () => {
  const base = "# T\n\nPriority: low\n\nText\n";
  const theirs = "---\npriority: medium\n---\n# T\n\nText\n";
  const texts = { base, ours: base.replace("low", "high"), theirs };
  const { text, conflicts } = mergeNotes(texts, { isSession: false });
  assert.equal(conflicts, 1);
  assert.match(
    text,
    /^---\n<<<<<<< [^\n]*\npriority: high\n=======\npriority: medium\n>>>>>>> [^\n]*\n---\n# T\n\nText\n$/,
  );
});
