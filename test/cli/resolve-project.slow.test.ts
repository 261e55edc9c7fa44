import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { test } from "node:test";
import { assertTells } from "../fixtures/tells.ts";
import { person } from "../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

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
  assertTells(stderr, ["AGENTS.md", "'gone'", "p"]);
});

test("in a folder without a name, a project name is suggested", (t) => {
  const someone = person(t);
  const typed = { cwd: parse(someone.cwd).root };
  assert.match(
    someone.inPipe(["brief"], typed).stderr,
    /no project yet\. Create it: vibe-mcp init my-project\n$/,
  );
  assert.match(someone.inPipe(["init"], typed).stderr, /: vibe-mcp init my-project\n$/);
});

test("the next command names the project only where it is not the current one", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const next = (cwd: string, ...args: string[]) => someone.inPipe(args, { cwd }).stderr;
  const [inside, outside] = [join(someone.root, "p"), someone.cwd];
  assert.match(next(inside, "new", "A"), /: vibe-mcp status 001 in-progress\n$/);
  assert.match(
    next(outside, "new", "B", "--project", "p"),
    /: vibe-mcp status 002 in-progress --project p\n$/,
  );
  assert.match(next(inside, "claim", "1"), /show 001\n.* status 001 done\n$/);
  const hidden = join(outside, ".notes");
  writeFiles(hidden, { "a.txt": "" });
  assert.match(next(hidden, "log", "x"), /create it: vibe-mcp init my-project\n$/);
  assert.match(next(hidden, "init"), /: vibe-mcp init my-project\n$/);
  assert.match(next(inside, "show", "9"), /^vibe-mcp: Task '9' not found/);
  assert.match(next(inside, "claim", "9"), /^vibe-mcp: Task '9' not found/);
});

test("in an empty workspace, a wrong name leads to the first steps", (t) => {
  const someone = person(t);
  const { status, stderr } = someone.inPipe(["search", "x", "--project", "p"]);
  assert.equal(status, 1);
  assert.match(stderr, /no project yet\. .*: vibe-mcp init my-project\. .*: vibe-mcp demo\n$/);
});

test("VIBE_PROJECT and --project name the current project of every command", (t) => {
  const someone = person(t);
  const task = "# Task: A\n\nStatus: pending\n";
  writeFiles(someone.root, { "a/tasks/001-a.md": task, "b/tasks/001-b.md": task });
  const env = { VIBE_PROJECT: "B" };
  const first = (...args: string[]) => someone.inPipe(args, { env }).stdout.split("\n")[0] ?? "";
  assert.equal(first("brief"), "# Session Start: b");
  assert.equal(first("brief", "--project", "a"), "# Session Start: a");
  assert.match(first("tasks"), /b\/tasks\/001-b\.md/);
  assert.match(first("tasks", "--project", "a"), /a\/tasks\/001-a\.md/);
  assert.match(first("search", "task"), /^b\/tasks/);
  assert.equal(first("status", "1", "done"), "b/tasks/001-b.md: pending → done");
  assert.equal(first("__complete", "--word=", "--", "show"), "001\t001-b.md");
  assert.match(first("new", "x", "--project", "a"), /^Created a\//);
});

test("CLAUDE_PROJECT_DIR comes before the current folder, unless it is the home folder", (t) => {
  const someone = person(t);
  const place = temporaryFolder(t);
  writeFiles(someone.root, { "a/a.md": "x", "b/a.md": "x" });
  writeFiles(place, { "a/": "", "b/": "" });
  const brief = (env: Record<string, string>) =>
    someone.inPipe(["brief"], { cwd: join(place, "b"), env }).stdout.split("\n")[0];
  assert.equal(brief({ CLAUDE_PROJECT_DIR: join(place, "a") }), "# Session Start: a");
  assert.equal(brief({ CLAUDE_PROJECT_DIR: place, HOME: place, USERPROFILE: place }), "# Session Start: b");
  assert.equal(brief({ CLAUDE_PROJECT_DIR: "a" }), "# Session Start: b");
});

test("a current project that does not exist is an error that names its source, or a mistake if it is empty", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  const env = { VIBE_PROJECT: "gone" };
  const { status, stderr } = someone.inPipe(["tasks"], { env });
  assert.equal(status, 1);
  assertTells(stderr, ["VIBE_PROJECT", "'gone'", "p", "--project p"]);
  assert.equal(someone.inPipe(["search", "x"], { env }).status, 0);
  const empty = someone.inPipe(["tasks", "--project", " "]);
  assert.equal(empty.status, 2);
  assertTells(empty.stderr, ["--project"]);
  const word = someone.inPipe(["reindex", "--project", "p"]);
  assert.match(word.stderr, /reindex has no option --project\. It belongs to search, show, new, …\./);
});

test("a folder that belongs to no project cannot be linked", (t) => {
  const someone = person(t);
  const { status, stderr } = someone.inPipe(["init", "p", "--link"], { cwd: parse(someone.cwd).root });
  assert.equal(status, 2);
  assertTells(stderr, ["--link"]);
});

test("a repository of dotfiles in the home folder names no project below, and gets no line", (t) => {
  const someone = person(t);
  const home = temporaryFolder(t);
  writeFiles(home, { ".git/HEAD": "", "AGENTS.md": "vibe: dotfiles\n", "code/shop/": "" });
  const typed = { cwd: join(home, "code", "shop"), env: { HOME: home, USERPROFILE: home } };
  assert.match(
    someone.inPipe(["init", "store", "--link"], typed).stdout,
    /^Wrote `vibe: store` .*AGENTS\.md$/m,
  );
  assert.equal(readFileSync(join(home, "AGENTS.md"), "utf8"), "vibe: dotfiles\n");
  assert.match(someone.inPipe(["brief"], typed).stdout, /^# Session Start: store\n/);
});
