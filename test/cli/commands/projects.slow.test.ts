import assert from "node:assert/strict";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("a project without documents says how to write the first", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/": "" });
  const { status, stdout, stderr } = someone.inPipe(["projects", "p"]);
  assert.deepEqual([status, stdout], [0, ""]);
  assert.match(stderr, /^p has no documents.*: vibe-mcp new "[^"]+" --project p\n$/);
});

test("--json counts every file in assets, as list_projects does", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/assets/logo.png": "x", "p/assets/notes.md": "x", "p/reports/a.csv": "x" });
  const { total, projects } = JSON.parse(someone.inPipe(["projects", "--json"]).stdout);
  assert.deepEqual([total, projects[0].folders.assets, projects[0].folders.reports], [1, 2, 0]);
});

test("--names lists the projects, or the paths of the files of one, as show takes them", (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/status.md": "of p\n",
    "p/tasks/001-a.md": "x",
    "q/b.md": "",
  });
  const names = (...words: string[]) => someone.inPipe(["projects", ...words, "--names"]).stdout;
  assert.equal(names(), "p\nq\n");
  assert.equal(names("P"), "p/status.md\np/tasks/001-a.md\n");
  assert.equal(names("p", "--folder", "tasks"), "p/tasks/001-a.md\n");
  assert.equal(someone.inPipe(["show", names("p").split("\n")[0] ?? ""]).stdout, "of p\n");
  assert.equal(someone.inPipe(["projects", "r", "--names"]).status, 1);
});
