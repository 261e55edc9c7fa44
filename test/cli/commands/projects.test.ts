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

test("--json counts every file in assets, as list_projects does", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/assets/logo.png": "x", "p/assets/notes.md": "x", "p/reports/a.csv": "x" });
  const { total, projects } = JSON.parse(someone.inPipe(["projects", "--json"]).stdout);
  assert.deepEqual([total, projects[0].folders.assets, projects[0].folders.reports], [1, 2, 0]);
});
