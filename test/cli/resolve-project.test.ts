import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { test } from "node:test";
import { person } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

test("without a project, the first ten of many are listed", (t) => {
  const someone = person(t);
  const names = Array.from({ length: 12 }, (_, at) => `p${10 + at}`);
  writeFiles(someone.root, Object.fromEntries(names.map((name) => [`${name}/a.md`, "x"])));
  const { status, stderr } = someone.inPipe(["new", "x"]);
  assert.equal(status, 1);
  assert.ok(
    stderr.includes(
      ` Projects: ${names.slice(0, 10).join(", ")} and 2 more. Use --project p10, or create it: `,
    ),
    stderr,
  );
});

test("a link to a project that is not there is named by its file", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  writeFiles(someone.cwd, { "AGENTS.md": "vibe: gone\n" });
  const { stderr } = someone.inPipe(["brief"]);
  assert.match(stderr, /AGENTS\.md names project 'gone', which does not exist\. Projects: p\./);
});

test("a project without documents says how to write the first", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/": "" });
  const { status, stdout } = someone.inPipe(["projects", "p"]);
  assert.equal(status, 0);
  assert.equal(stdout, 'p has no documents yet. Write a task: vibe-mcp new "Add login" --project p\n');
});

test("a note without words is refused with an example", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  for (const words of [[], [" "], ["-"]]) {
    const { status, stderr } = someone.inPipe(["log", ...words, "--project", "p"], { input: " \n" });
    assert.equal(status, 2, words.join());
    assert.match(stderr, /^vibe-mcp: log needs text, .* vibe-mcp log "/);
  }
});

test("what looks like the name of a tool and is none stays as it was typed", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const { stderr } = someone.inPipe(["show", "no_such_thing", "--project", "p"]);
  assert.match(stderr, /no_such_thing/);
});

test("a folder without a name proposes one for the project", (t) => {
  const someone = person(t);
  const typed = { cwd: parse(someone.cwd).root };
  assert.match(
    someone.inPipe(["brief"], typed).stderr,
    /no project yet\. Create it: vibe-mcp init my-project\n$/,
  );
  assert.match(someone.inPipe(["init"], typed).stderr, /for example: vibe-mcp init my-project/);
});

test("a wrong name in an empty workspace is told how to begin", (t) => {
  const someone = person(t);
  const { status, stderr } = someone.inPipe(["search", "x", "--project", "p"]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /no project yet\. Create one: vibe-mcp init my-project\. Or try an example: vibe-mcp demo\n$/,
  );
});

test("inside the workspace the place names the project, and no link is written", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const cwd = join(someone.root, "p");
  const { status, stderr } = someone.inPipe(["init", "q", "--link"], { cwd });
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(cwd), ["a.md"]);
});

test("what search finds above the first heading is printed without one", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "The axolotl smiles.\n" });
  assert.equal(someone.inPipe(["search", "axolotl"]).stdout, "p/a.md\n  The >>>axolotl<<< smiles.\n\n");
});
