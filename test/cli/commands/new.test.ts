import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("new suggests the status that follows the one given", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "my p/": "" });
  const create = (...words: string[]) => {
    const { stderr } = someone.inPipe(["new", "A", "--project", "my p", ...words]);
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
