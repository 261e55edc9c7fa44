import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

const FILES = {
  "p/tasks/001-t.md": "# T\n",
  "p/plans/old.md": "# Old\n",
  "p/status.md": "[[old]] [t](tasks/001-t.md)\n",
  "q/status.md": "x",
};

function mover(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, FILES);
  const run = (...args: string[]) => someone.inPipe(args);
  const text = (path: string) => readFileSync(join(someone.root, path), "utf8");
  return { ...someone, run, text, isThere: (path: string) => existsSync(join(someone.root, path)) };
}

test("move shows the links that change, and moves only when told to", (t) => {
  const { run, text, isThere } = mover(t);
  const shown = run("move", "p/plans/old.md", "new name");
  assert.equal(shown.status, 1);
  assert.match(
    shown.stdout,
    /^p\/plans\/old\.md → p\/plans\/new name\.md\np\/status\.md:1 {2}\[\[old\]\] → \[\[new name\]\]\n\nNothing moved\. To do it: .*move p\/plans\/old\.md "new name" --yes\n$/,
  );
  assert.equal(run("move", "p/plans/old.md", "new name", "--dry-run").status, 0);
  assert.equal(isThere("p/plans/old.md"), true);
  const moved = run("move", "p/plans/old.md", "new name", "--yes");
  assert.match(moved.stdout, /Moved p\/plans\/old\.md to p\/plans\/new name\.md\. .*: .* undo/);
  assert.equal(text("p/status.md"), "[[new name]] [t](tasks/001-t.md)\n");
  assert.match(run("undo", "--yes").stdout, /Undid 1 change/);
  for (const [path, content] of Object.entries(FILES)) assert.equal(text(path), content);
});

test("move says before it archives a task that is not done, and which wait for it", (t) => {
  const { root, run } = mover(t);
  writeFiles(root, { "p/tasks/002-u.md": "# U\n\n## Context\n- Dependencies: 001\n" });
  const doubts = "Not done: 001-t.md. Waiting for it: 002-u.md.";
  const shown = run("move", "p/tasks/001-t.md", "archive");
  assert.equal(shown.stderr, `${doubts}\n`);
  const { hint } = JSON.parse(run("move", "p/tasks/001-t.md", "archive", "--json", "--yes").stdout);
  assert.equal(hint, doubts);
  assert.equal(run("move", "p/plans/old.md", "archive").stderr, "");
});

test("what move and delete offer does the same when pasted in another folder", (t) => {
  const { root, cwd, inPipe, isThere } = mover(t);
  const elsewhere = join(cwd, "elsewhere");
  mkdirSync(elsewhere);
  const pasted = (...args: string[]) => {
    const { stdout } = inPipe([...args, "--project", "p", "--root", relative(cwd, root)]);
    const [, hint = ""] = /(?:do|delete) it: vibe-mcp (.*)\n$/.exec(stdout) ?? [];
    return inPipe(hint.split(" "), { cwd: elsewhere, env: { VIBE_ROOT: elsewhere } });
  };
  assert.equal(pasted("move", "1", "references/").status, 0);
  assert.equal(isThere("p/references/001-t.md"), true);
  assert.equal(pasted("delete", "references/001-t.md").status, 0);
  assert.equal(isThere("p/references/001-t.md"), false);
});

const PLACES: [document: string, place: string, path: string][] = [
  ["p/plans/old.md", "archive", "p/archive/plans/old.md"],
  ["p/plans/old.md", "references/", "p/references/old.md"],
  ["p/plans/old.md", "references/in/", "p/references/in/old.md"],
  ["p/plans/old.md", "references/x.md", "p/references/x.md"],
  ["p/plans/old.md", "q/plans/x", "q/plans/x.md"],
  ["p/plans/old.md", "q/plans/", "q/plans/old.md"],
  ["p/plans/old.md", "q/", "q/plans/old.md"],
  ["p/plans/old.md", "p/x.md", "p/x.md"],
  ["p/plans/old.md", "archive/references/x.md", "p/archive/references/x.md"],
  ["p/plans/old.md", "archive/plans/", "p/archive/plans/old.md"],
  ["1", "login", "p/tasks/001-login.md"],
  ["001", "archive", "p/archive/tasks/001-t.md"],
];

test("a place may be a name, a folder, a project or a path", (t) => {
  const { run } = mover(t);
  for (const [document, place, path] of PLACES) {
    const project = document.includes("/") ? [] : ["--project", "p"];
    const { stdout } = run("move", document, place, ...project, "--dry-run", "--json");
    assert.equal(JSON.parse(stdout).path, path, place);
  }
});

test("move says what is wrong", (t) => {
  const { run } = mover(t);
  const cases: [document: string, place: string, message: RegExp][] = [
    ["p/plans/no.md", "x", /File 'plans\/no\.md' not found/],
    ["p/plans/no.md", "p/plans/nor.md", /File 'plans\/no\.md' not found/],
    ["p/plans/old.md", "nowhere/x.md", /Folder 'nowhere' does not exist/],
    ["p/plans/old.md", "p/status.md", /already exists/],
    ["p/plans/old.md", "plans", /has this place already/],
  ];
  for (const [document, place, message] of cases) {
    const { status, stderr } = run("move", document, place, "--yes");
    assert.equal(status, 1);
    assert.match(stderr, message);
  }
  assert.match(run("move", "p/plans/old.md", "x", "--read-only").stderr, /read-only/);
});

test("move asks on a terminal", (t) => {
  const { isThere, onScreen } = mover(t);
  onScreen(["move", "p/plans/old.md", "new"], {
    answer: ["Move it, and change 1 link in 1 document? [y/N]", "y\n"],
  });
  assert.equal(isThere("p/plans/new.md"), true);
});
