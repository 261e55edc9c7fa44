import assert from "node:assert/strict";
import { parse } from "node:path";
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

test("a link to a missing project is reported with its file", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  writeFiles(someone.cwd, { "AGENTS.md": "vibe: gone\n" });
  const { stderr } = someone.inPipe(["brief"]);
  assert.match(stderr, /AGENTS\.md names project 'gone', which does not exist\. Projects: p\./);
});

test("in a folder without a name, a project name is suggested", (t) => {
  const someone = person(t);
  const typed = { cwd: parse(someone.cwd).root };
  assert.match(
    someone.inPipe(["brief"], typed).stderr,
    /no project yet\. Create it: vibe-mcp init my-project\n$/,
  );
  assert.match(someone.inPipe(["init"], typed).stderr, /for example: vibe-mcp init my-project/);
});

test("in an empty workspace, a wrong name leads to the first steps", (t) => {
  const someone = person(t);
  const { status, stderr } = someone.inPipe(["search", "x", "--project", "p"]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /no project yet\. Create one: vibe-mcp init my-project\. Or try an example: vibe-mcp demo\n$/,
  );
});
