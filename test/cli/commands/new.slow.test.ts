import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("new suggests the status that follows the one given", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "my p/": "" });
  let count = 0;
  const create = (...words: string[]) => {
    const { stderr } = someone.inPipe(["new", `A ${++count}`, "--project", "my p", ...words]);
    return stderr.split("\n");
  };
  assert.deepEqual(create(), [`Start it: vibe-mcp status 001 in-progress --project "my p"`, ""]);
  assert.deepEqual(create("--status", "blocked"), [
    `Start it: vibe-mcp status 002 in-progress --project "my p"`,
    "",
  ]);
  const [next = "", ...rest] = create("--status", "in-progress");
  assert.match(next, /: vibe-mcp status 003 done --project "my p"$/);
  assert.deepEqual(rest, [""]);
  assert.deepEqual(create("--status", "done"), [""]);
});

test("new refuses a dependency that does not exist, and takes one by its number, name or path", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-a.md": "x", "q/tasks/007-b.md": "x" });
  const create = (...after: string[]) =>
    someone.inPipe(["new", "B", "--project", "p", ...after.map((word) => `--after=${word}`)]);
  for (const missing of ["042", "q/tasks/007-b.md", "none"]) {
    const { stdout, stderr, status } = create("1", missing);
    assert.deepEqual([stdout, status], ["", 1]);
    assert.ok(stderr.includes(missing), stderr);
  }
  assert.equal(create("1", "001-a", "p/tasks/001-a.md", `${someone.root}/p/tasks/001-a.md`).status, 0);
  const text = readFileSync(join(someone.root, "p", "tasks", "002-b.md"), "utf8");
  assert.match(text, /Dependencies: 1, 001-a\n/);
});

test("new sets the owner, the priority and the day, and says what a task that is done leaves open", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/": "" });
  const create = (...words: string[]) => someone.inPipe(["new", "A", "--project", "p", ...words]);
  const { stderr } = create(
    "--owner=ana",
    "--priority=high",
    "--due=2026-12-01",
    "--step=a",
    "--status=done",
  );
  const text = readFileSync(join(someone.root, "p", "tasks", "001-a.md"), "utf8");
  assert.match(text, /^---\npriority: high\ndue: '?2026-12-01'?\nowner: ana\n---\n/);
  assertTells(stderr, ["1 open step", "1"]);
  assert.equal(create("--due=tomorrow").status, 0);
  assert.match(
    readFileSync(join(someone.root, "p", "tasks", "002-a.md"), "utf8"),
    /^due: '?\d{4}-\d\d-\d\d'?$/m,
  );
  for (const wrong of ["--due=soon", "--due=-", "--priority=soonish"])
    assert.equal(create(wrong).status, 2, wrong);
});
