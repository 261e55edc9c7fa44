import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { dateFile, makeWorkspace } from "../../fixtures/workspace.ts";

const task = (title: string, more = "") => `# Task: ${title}\n\nStatus: pending\n${more}`;
const FILES = {
  "p/tasks/006-first.md": task("First"),
  "p/tasks/007-linked.md": task("Linked"),
  "p/tasks/007-other.md": task("Other", "\nSee [itself](007-other.md).\n"),
  "p/archive/tasks/07-old.md": task("Old"),
  "p/tasks/008-next.md": task("Next", "\n## Context\n- Dependencies: 007-linked, 007-other, 07-old\n"),
  "p/plans/plan.md": "# Plan\n\n[[007-linked]] first, then [other](../tasks/007-other.md#steps).\n",
  "p/status.md": "# Status\n\nAfter [[007-linked]].\n",
  "q/tasks/007-other.md": task("Elsewhere"),
};

const tasksOf = (root: string) =>
  ["tasks", "archive/tasks"].flatMap((folder) => readdirSync(join(root, "p", folder)).sort());

test("renumber leaves the number to the task with the most links, and links follow the others", (t) => {
  const root = makeWorkspace(t, FILES);
  const someone = person(t, root);
  const shown = someone.inPipe(["renumber", "p", "--dry-run"]);
  assert.match(shown.stdout + shown.stderr, /p\/tasks\/007-other\.md → p\/tasks\/010-other\.md/);
  assert.deepEqual(tasksOf(root), [
    "006-first.md",
    "007-linked.md",
    "007-other.md",
    "008-next.md",
    "07-old.md",
  ]);
  assert.equal(someone.inPipe(["renumber", "p"]).status, 1);
  const { status, stdout } = someone.inPipe(["renumber", "p", "--yes", "--json"]);
  const { moved, change } = JSON.parse(stdout);
  assert.equal(status, 0);
  assert.deepEqual(moved, {
    total: 2,
    list: [
      { from: "p/archive/tasks/07-old.md", to: "p/archive/tasks/009-old.md" },
      { from: "p/tasks/007-other.md", to: "p/tasks/010-other.md" },
    ],
  });
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  assert.match(read("p/tasks/008-next.md"), /Dependencies: 007-linked, 010-other, 009-old\n/);
  assert.equal(
    read("p/plans/plan.md"),
    "# Plan\n\n[[007-linked]] first, then [other](../tasks/010-other.md#steps).\n",
  );
  assert.match(read("p/tasks/010-other.md"), /\[itself\]\(010-other\.md\)/);
  assert.match(someone.inPipe(["renumber", "p", "--yes"]).stdout, /^No two tasks .*\n$/);
  assert.equal(someone.inPipe(["undo", change, "--yes"]).status, 0);
  for (const [path, text] of Object.entries(FILES)) assert.equal(read(path), text);
});

test("among tasks with as many links, the one that changed last is renumbered", (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": task("A"), "p/tasks/001-b.md": task("B") });
  dateFile(root, "p/tasks/001-a.md", "2026-06-02T10:00:00Z");
  dateFile(root, "p/tasks/001-b.md", "2026-06-01T10:00:00Z");
  assert.equal(person(t, root).inPipe(["renumber", "p", "--yes"]).status, 0);
  assert.deepEqual(readdirSync(join(root, "p/tasks")).sort(), ["001-b.md", "002-a.md"]);
});

test("renumber names a project that does not exist, and changes nothing read-only", (t) => {
  const root = makeWorkspace(t, FILES);
  const someone = person(t, root);
  assert.match(someone.inPipe(["renumber", "none"]).stderr, /none/);
  assert.match(someone.inPipe(["renumber", "p", "--yes", "--read-only"]).stderr, /read-only/);
  assert.deepEqual(tasksOf(root), [
    "006-first.md",
    "007-linked.md",
    "007-other.md",
    "008-next.md",
    "07-old.md",
  ]);
});

test("renumber gives no number away for a copy that another program left", (t) => {
  const copies = ["006-first 2.md", "006-first (conflicted copy 2026-03-01 101500).md"];
  const root = makeWorkspace(t, {
    "p/tasks/006-first.md": task("First"),
    ...Object.fromEntries(copies.map((name) => [`p/tasks/${name}`, task("First")])),
    "p/tasks/task-7 - Other.md": task("Other"),
    "p/tasks/007-linked.md": task("Linked", "\nSee [[006-first]] and [[007-linked]].\n"),
    "p/plans/plan.md": "[[007-linked]]\n",
  });
  for (const name of copies) dateFile(root, `p/tasks/${name}`, "2020-01-01T00:00:00Z");
  person(t, root).inPipe(["renumber", "p", "--yes"]);
  const names = readdirSync(join(root, "p", "tasks")).sort();
  assert.deepEqual(names, [...copies, "006-first.md", "007-linked.md", "task-008 - Other.md"].sort());
});
