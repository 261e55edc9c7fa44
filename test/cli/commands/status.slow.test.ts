import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const task = (title: string, rest = "") => `# Task: ${title}\n\nStatus: pending\n${rest}`;

test("status names the tasks that became ready", (t) => {
  const someone = person(t);
  const waits = "\n## Context\n- Dependencies: 001\n";
  writeFiles(someone.root, {
    "p/tasks/001-a.md": task("A"),
    "p/tasks/002-b.md": task("Bake\u001b[2J bread", waits),
    "p/tasks/last.md": task("Last", waits),
  });
  const set = (status: string) => someone.inPipe(["status", "1", status, "--project", "p"]).stdout;
  assert.equal(set("in-progress"), "p/tasks/001-a.md: pending → in-progress\n");
  assert.equal(
    set("done"),
    "p/tasks/001-a.md: in-progress → done\nReady now: 002 Bake\\u{1b}[2J bread\nReady now: Last\n",
  );
});

test("status says if a task has that status already", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/008-a.md": "Status: done\n", "p/tasks/b.md": "Status: done\n" });
  const set = (name: string) => someone.inPipe(["status", name, "done", "--project", "p"]);
  assert.deepEqual([set("8").stdout, set("8").status], ["008 is already done\n", 0]);
  assert.equal(set("b").stdout, "p/tasks/b.md is already done\n");
});

test("status says what a finished task leaves open", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-a.md": task("A", "\n## Steps\n- [x] a\n- [ ] b\n") });
  const { status, stderr } = someone.inPipe(["status", "1", "done", "--project", "p"]);
  assert.equal(status, 0);
  assertTells(stderr, ["1 open step", "2"]);
});
