import assert from "node:assert/strict";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("a project without documents says how to write the first", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/": "" });
  const { status, stdout } = someone.inPipe(["projects", "p"]);
  assert.equal(status, 0);
  assert.equal(stdout, 'p has no documents yet. Write a task: vibe-mcp new "Add login" --project p\n');
});
