import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("more tasks than one answer of the tool holds are all listed", (t) => {
  const someone = person(t);
  const names = Array.from({ length: 1001 }, (_, at) => `${String(at + 1).padStart(4, "0")}-task.md`);
  const files = names.map((name) => [`p/tasks/${name}`, `# Task ${name}\n\nStatus: pending\n`]);
  writeFiles(someone.root, Object.fromEntries(files));
  const { total, tasks } = JSON.parse(someone.inPipe(["tasks", "--json"]).stdout) as {
    total: number;
    tasks: { filename: string }[];
  };
  assert.equal(total, 1001);
  assert.deepEqual(tasks.map(({ filename }) => filename).sort(), names);
});

test("without tasks, a next step is suggested", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/notes.md": "x", "my q/tasks/001-a.md": "Status: done\n" });
  const tasks = (...words: string[]) => someone.inPipe(["tasks", ...words]).stderr;
  assert.equal(someone.inPipe(["tasks", "p"]).stdout, "");
  assert.match(tasks("p"), /no tasks .*'p'.*: vibe-mcp new "[^"]+" --project p\n$/);
  assert.equal(
    tasks("my q", "--ready"),
    `The task in project 'my q' does not match --ready. List all: vibe-mcp tasks "my q"\n`,
  );
  assert.match(tasks("--all", "--status", "blocked"), /--status blocked\. Statuses: done\./);
});

test("--all lists the tasks of all projects, even in the folder of one", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-a.md": "Status: done\n", "q/tasks/001-b.md": "Status: done\n" });
  const cwd = `${someone.root}/q`;
  const names = (...words: string[]) => {
    const { tasks } = JSON.parse(someone.inPipe(["tasks", "--json", ...words], { cwd }).stdout);
    return (tasks as { project: string }[]).map(({ project }) => project).sort();
  };
  assert.deepEqual(names(), ["q"]);
  assert.deepEqual(names("--all"), ["p", "q"]);
});

test("tasks with another status, or none, are counted and shown on the board", (t) => {
  const someone = person(t);
  const files = { "001-a.md": "Status: someday\n", "notes.md": "# Notes\n", "003-c.md": "Status: pending\n" };
  const paths = Object.entries(files).map(([name, text]) => [`p/tasks/${name}`, text]);
  writeFiles(someone.root, Object.fromEntries(paths));
  const env = { NO_COLOR: "1" };
  const { stdout } = someone.onScreen(["tasks", "p"], { env });
  assert.match(stdout, /^p {2}3 tasks, 1 ready .*, 2 with another status/);
  const other = stdout.slice(stdout.indexOf("OTHER (2)"));
  assert.match(other, /someday/);
  assert.match(other, /Notes \(notes\.md\)/);
});

test("status adds a status to a task without one", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-a.md": "# A\n" });
  const { stdout } = someone.inPipe(["status", "1", "done", "--project", "p"]);
  assert.equal(stdout, "p/tasks/001-a.md: (no status) → done\n");
});

test("the boards of several projects follow their names", (t) => {
  const someone = person(t);
  const files = { "a/tasks/001-x.md": "Status: done\n", "b/tasks/001-y.md": "Status: in-progress\n" };
  writeFiles(someone.root, files);
  const { stdout } = someone.onScreen(["tasks", "--all"], { env: { NO_COLOR: "1" } });
  assert.deepEqual(stdout.match(/^[ab] {2}1 task/gm), ["a  1 task", "b  1 task"]);
});

const RELEASE = {
  "p/tasks/001-a.md": "# Design\n\nStatus: done\n",
  "p/tasks/002-b.md": "# Build\n\nStatus: in-progress\n\n## Steps\n\n- [x] one\n- [ ] two\n",
  "p/tasks/003-c.md":
    "# Publish the internationalization of all pages\n\nStatus: pending\n\n## Steps\n\n- [ ] one\n\n" +
    "## Context\n\n- Dependencies: 002-b, #7, tasks/001-a.md, the audit\n",
  "p/tasks/004-d.md": "# Announce\n\nStatus: pending\n",
};

test("--limit leaves the first tasks of a list, and the total is still said", (t) => {
  const someone = person(t);
  writeFiles(someone.root, RELEASE);
  const { total, tasks } = JSON.parse(someone.inPipe(["tasks", "p", "--json", "--limit", "1"]).stdout);
  assert.deepEqual([total, tasks.length], [4, 1]);
  const piped = someone.inPipe(["tasks", "p", "--limit", "3"]);
  assert.equal(piped.stdout.trimEnd().split("\n").length, 3);
  assert.equal(piped.stderr, "3 of 4 tasks\n");
  assert.equal(someone.inPipe(["tasks", "p", "--limit", "4"]).stderr, "");
});

test("a task says its progress first, then the numbers it waits for", (t) => {
  const someone = person(t);
  writeFiles(someone.root, RELEASE);
  const { stdout } = someone.inPipe(["tasks", "p"]);
  assert.match(stdout, / {2}0\/1 · waits for 002, 007, the audit\n/);
  assert.match(stdout, /Build {2}1\/2\n/);
  assert.match(stdout, /Announce {2}ready\n/);
});

test("a filter that leaves one status leaves one group", (t) => {
  const someone = person(t);
  writeFiles(someone.root, RELEASE);
  const board = (...words: string[]) =>
    someone.onScreen(["tasks", "p", ...words], { env: { NO_COLOR: "1" } }).stdout.replaceAll("\r", "");
  assert.equal(board("--ready"), "p  1 task, 1 ready to start\n\nPENDING (1)\n004 Announce  ready\n");
  assert.equal(
    board("--status", "in-progress"),
    "p  1 task, 0 ready to start\n\nIN PROGRESS (1)\n002 Build  1/2\n",
  );
});

test("a narrow board keeps all counts, words and progress, with a hanging indent", (t) => {
  const someone = person(t);
  writeFiles(someone.root, RELEASE);
  const board = (columns: number) =>
    someone.onScreen(["tasks", "p"], { columns, env: { NO_COLOR: "1" } }).stdout.replaceAll("\r", "");
  const stack = board(40);
  for (const title of ["PENDING (2)", "IN PROGRESS (1)", "BLOCKED (0)", "DONE (1)"])
    assert.ok(stack.includes(`\n${title}\n`), stack);
  assert.ok(
    stack.includes(
      "\n003 Publish the internationalization of\n    all pages  0/1 · waits for 002, 007,\n    the audit\n",
    ),
    stack,
  );
  for (const width of [40, 60, 80, 120])
    for (const line of board(width).split("\n")) assert.ok(line.length <= width, `${width}: ${line}`);
});

test("--archived shows archived tasks, too", (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/tasks/002-b.md": "Status: pending\n",
    "p/archive/tasks/001-a.md": "Status: done\n",
    "p/archive/reports/r.md": "x",
  });
  assert.equal(someone.inPipe(["tasks"]).stdout, "pending      p/tasks/002-b.md  b  ready\n");
  assert.match(someone.inPipe(["tasks", "--archived"]).stdout, /^done +p\/archive\/tasks\/001-a\.md {2}a$/m);
  const projects = (...words: string[]) => someone.inPipe(["projects", "p", ...words]).stdout;
  assert.match(projects(), /^archive {2}2 files: .*--folder archive$/m);
  assert.match(
    projects("--folder", "archive"),
    /^archive {2}2 files\n.*reports\/r\.md\n.*tasks\/001-a\.md {2}done\n$/,
  );
  assert.equal(projects("--names"), "p/tasks/002-b.md\n");
  assert.match(someone.inPipe(["show", "1", "--project", "p"]).stdout, /Status: done/);
});

const DATED = {
  "p/tasks/001-a.md": "---\ndue: 2020-01-01\npriority: high\nupdated: 2026-01-03\n---\nStatus: done\n",
  "p/tasks/002-b.md": "---\nupdated: 2026-01-01\n---\nStatus: in-progress\n",
  "p/tasks/003-c.md":
    "---\ndue: 2999-01-01\npriority: low\nowner: ana\nupdated: 2026-01-04\n---\nStatus: pending\n",
  "p/tasks/004-d.md": "---\ndue: 2020-01-02\npriority: high\nupdated: 2026-01-02\n---\nStatus: blocked\n",
};

test("tasks are sorted by due date, priority, number or latest change; done ones have no due date", (t) => {
  const someone = person(t);
  writeFiles(someone.root, DATED);
  const sorted = (...words: string[]) => {
    const { tasks } = JSON.parse(someone.inPipe(["tasks", "p", "--json", ...words]).stdout);
    return (tasks as { number: string }[]).map(({ number }) => Number(number)).join("");
  };
  assert.equal(sorted(), "2431");
  assert.equal(sorted("--sort", "due"), "4321");
  assert.equal(sorted("--sort", "priority"), "4231");
  assert.equal(sorted("--sort", "number"), "1234");
  assert.equal(sorted("--sort", "updated"), "3142");
  const wrong = someone.inPipe(["tasks", "p", "--sort", "size"]);
  assertTells(wrong.stderr, ["--sort", "priority, due, parent, number, updated"]);
});

test("a task says when it is due, its priority and its owner", (t) => {
  const someone = person(t);
  writeFiles(someone.root, DATED);
  const { stdout } = someone.inPipe(["tasks", "p"]);
  assert.match(stdout, / {2}c {2}ready · low · due 2999-01-01 · ana\n/);
  assert.match(stdout, / {2}d {2}high · overdue since 2020-01-02\n/);
  assert.match(stdout, / {2}a\n/);
});

test("a sorted board keeps its order; else ready tasks come first, then those put in order by hand", (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/tasks/001-a.md": "---\ndue: 2026-01-01\n---\nStatus: pending\n## Context\n- Dependencies: 2\n",
    "p/tasks/002-b.md": "Status: pending\n",
    "p/tasks/003-c.md": "---\norder: 2\n---\nStatus: pending\nDepends on: 1\n",
  });
  const board = (...words: string[]) =>
    someone.onScreen(["tasks", "p", "--status", "pending", ...words], { env: { NO_COLOR: "1" } }).stdout;
  assert.match(board(), /002 b[\s\S]*003 c[\s\S]*001 a/);
  assert.match(board("--sort", "due"), /001 a[\s\S]*002 b/);
});

test("tasks are filtered by owner, tag and priority", (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/tasks/001-a.md": "---\nowner: ana\ntags: [api]\npriority: high\n---\n# A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "# B\n\nStatus: pending\n",
  });
  for (const filter of ["--owner=Ana", "--tag=api", "--priority=high"])
    assert.match(someone.inPipe(["tasks", "p", filter]).stdout, /^pending +p\/tasks\/001-a\.md .*\n$/);
  assert.match(
    someone.inPipe(["tasks", "p", "--owner", "ben"]).stderr,
    /None of the 2 tasks.* Owners: ana\./,
  );
});

test("an overdue task is red on a terminal, unless it is done", (t) => {
  const someone = person(t);
  const task = (status: string, due: string) => `---\ndue: ${due}\n---\n# A\n\nStatus: ${status}\n`;
  const shown = (status: string, due: string) => {
    writeFiles(someone.root, { "p/tasks/001-a.md": task(status, due) });
    return someone.onScreen(["tasks", "p"]).stdout.includes("\x1b[31m");
  };
  assert.deepEqual(
    [shown("pending", "2025-02-01"), shown("pending", "2025-03-01"), shown("done", "2025-02-01")],
    [true, false, false],
  );
});
