import assert from "node:assert/strict";
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
  assert.deepEqual(create("--status", "in-progress"), [
    `When it is done: vibe-mcp status 003 done --project "my p"`,
    "",
  ]);
  assert.deepEqual(create("--status", "done"), [""]);
});

test("new says that a dependency does not exist, and creates the task", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-a.md": "x" });
  const { stdout, stderr, status } = someone.inPipe([
    "new",
    "B",
    "--project",
    "p",
    "--after=1",
    "--after=042",
  ]);
  assert.equal(status, 0);
  assert.equal(stdout, "Created p/tasks/002-b.md\n");
  assert.equal(
    stderr,
    "There is no task 042 to wait for. See the tasks: vibe-mcp tasks p\nStart it: vibe-mcp status 002 in-progress --project p\n",
  );
});
