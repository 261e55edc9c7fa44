import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

/** The present day is 10 February 2025. */
function archivist(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/tasks/001-old.md": "---\nupdated: 2025-01-10\n---\nStatus: done\n",
    "p/tasks/002-new.md": "---\nupdated: 2025-01-11\n---\nStatus: done\n",
    "p/tasks/003-open.md": "---\nupdated: 2025-01-01\n---\nStatus: pending\n",
    "p/notes.md": "[old](tasks/001-old.md)\n",
  });
  const run = (...args: string[]) => someone.inPipe(["archive", ...args, "--project", "p"]);
  const archived = (name: string) => existsSync(join(someone.root, "p/archive/tasks", name));
  return { ...someone, run, archived };
}

test("archive shows what would move, and moves only when told to", (t) => {
  const { run, archived, inPipe } = archivist(t);
  const shown = run("--older", "30d");
  assert.equal(shown.status, 1);
  assert.match(shown.stdout, /^→ p\/archive\/tasks\/001-old\.md\n1 task .*\n$/);
  assertTells(shown.stderr, ["--yes"]);
  assert.equal(run("--done", "--dry-run").status, 0);
  assert.equal(run("--done", "--dry-run", "--yes").status, 0);
  assert.equal(archived("001-old.md"), false);
  assert.match(
    run("--older", "30", "--yes").stdout,
    /\nArchived 1 task.* 1 link\. .* undo [0-9a-f]{12}.*\n$/,
  );
  assert.equal(archived("001-old.md"), true);
  assert.equal(JSON.parse(run("--done", "--yes", "--json").stdout).total, 1);
  const none = run("--done");
  assert.deepEqual([none.status, none.stdout], [0, ""]);
  assertTells(none.stderr, ["No task"]);
  assert.match(run("1", "--restore", "--yes").stdout, /Restored 1 task, and changed 1 link\./);
  assert.match(inPipe(["undo", "2", "--yes"]).stdout, /Undid 2 changes/);
  assert.equal(archived("001-old.md"), true);
});

test("archive asks on a terminal", (t) => {
  const { archived, onScreen } = archivist(t);
  const args = ["archive", "1", "2", "--project", "p"];
  assert.equal(onScreen(args, { answer: ["Archive 2 tasks? [y/N]", "n\n"] }).status, 1);
  assert.equal(archived("001-old.md"), false);
  onScreen(args, { answer: ["Archive 2 tasks? [y/N]", "y\n"] });
  assert.equal(archived("001-old.md"), true);
});

test("wrong words are refused with what to type", (t) => {
  const { run, inPipe, root } = archivist(t);
  const none = run();
  assert.equal(none.status, 2);
  assertTells(none.stderr, ["archive", "--done", "--older 30d"]);
  assertTells(run("--older", "soon").stderr, ["--older", "30d", "'soon'"]);
  assert.match(run("3", "--yes").stderr, /Not done: 003-open\.md\. Nothing was archived\./);
  writeFiles(root, { "p/tasks/004-next.md": "Status: pending\n\n## Context\n- Dependencies: 003\n" });
  assert.match(run("3", "--yes").stderr, /Waiting for it: 004-next\.md\. Nothing/);
  assert.equal(run("3", "--yes").status, 1);
  assert.match(inPipe(["archive", "1", "--project", "p", "--read-only"]).stderr, /read-only/);
});
