import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { person } from "../../fixtures/terminal.ts";
import { writeFiles } from "../../fixtures/workspace.ts";

test("a document longer than one answer of the tool is printed whole", (t) => {
  const someone = person(t);
  const long = `# Long\n\n${"Twelve words, none of them odd, stand in each of these lines.\n".repeat(4000)}`;
  writeFiles(someone.root, { "p/long.md": long });
  assert.equal(someone.inPipe(["show", "p/long.md"]).stdout, long);
  const { content, total_chars } = JSON.parse(someone.inPipe(["show", "p/long.md", "--json"]).stdout);
  assert.equal(content, long);
  assert.equal(total_chars, long.length);
});

test("a document is printed without an index, and as JSON with its links", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "[[b]] [[none]]\n", "p/b.md": "[[a]]\n" });
  assert.equal(someone.inPipe(["show", "p/a.md"]).stdout, "[[b]] [[none]]\n");
  assert.ok(!existsSync(join(someone.root, "index.db")));
  const { backlinks, broken_links } = JSON.parse(someone.inPipe(["show", "p/a.md", "--json"]).stdout);
  assert.deepEqual(backlinks, { total: 1, paths: ["p/b.md"] });
  assert.deepEqual(broken_links, [{ link: "[[none]]", line: 1, reason: "missing" }]);
});

test("a document is found by its path in the root or project, or by the number or file of a task", (t) => {
  const someone = person(t);
  const files = {
    "p/status.md": "of p\n",
    "p/12.md": "twelve\n",
    "p/tasks/004-add-login.md": "the task\n",
    "p/docs/status.md": "deeper\n",
  };
  writeFiles(someone.root, { ...files, "q/notes.md": "of q\n" });
  const show = (...words: string[]) => someone.inPipe(["show", ...words]).stdout;
  assert.equal(show("q/notes"), "of q\n");
  assert.equal(show("status", "--project", "p"), "of p\n");
  assert.equal(show("./docs/status.md", "--project", "p"), "deeper\n");
  assert.equal(show("#4", "--project", "p"), "the task\n");
  assert.equal(show("004-add-login", "--project", "p"), "the task\n");
  // A number means a task first.
  assert.equal(show("12", "--project", "p"), "twelve\n");
  assert.equal(show("12.md", "--project", "p"), "twelve\n");
});

test("a path starts with a project if this folder has none", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "Notes/status.md": "of notes\n" });
  assert.equal(someone.inPipe(["show", "notes/status.md"]).stdout, "of notes\n");
  assert.match(
    someone.inPipe(["show", "note/x.md"]).stderr,
    /'note' does not exist\..* Did you mean: Notes\?/,
  );
  assert.match(someone.inPipe(["show", "tasks/001-x.md"]).stderr, /^vibe-mcp: Which project\?/);
});

test("a wrong path is refused, with the command that lists documents", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/.secret/notes.md": "x", "p/notes.md": "x" });
  for (const path of ["p/.secret/notes.md", "p/../q/notes.md"]) {
    const { status, stdout, stderr } = someone.inPipe(["show", path]);
    assert.deepEqual([status, stdout], [1, ""], path);
    assert.match(stderr, /not a path inside .* `vibe-mcp projects` .*\n$/, path);
  }
});

test("a missing last line break is added only on a terminal", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/notes.md": "no end" });
  assert.equal(someone.inPipe(["show", "p/notes.md"]).stdout, "no end");
  assert.equal(someone.onScreen(["show", "p/notes.md"]).stdout, "no end\r\n");
});

test("a section is named by --section or behind the path, and one of two by its own name", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "# N\n\n## A\n\n### C\na\n\n## B\n\n### C\nb\n" });
  const show = (...words: string[]) => someone.inPipe(["show", ...words]);
  for (const words of [["p/a.md#B#C"], ["p/a.md#c-1"], ["p/a.md", "--section", "B > C"]])
    assert.equal(show(...words).stdout, "### C\nb\n");
  assert.match(show("p/a.md", "--section", "C").stderr, /'A > C', 'B > C'/);
});

test("a project in the place of a document shows its files", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/status.md": "x\n", "q/p.md": "a document of q\n" });
  const files = someone.inPipe(["projects", "p"]).stdout;
  assert.match(files, /status\.md/);
  for (const name of ["p", "p/"]) assert.equal(someone.inPipe(["show", name]).stdout, files);
  assert.equal(JSON.parse(someone.inPipe(["show", "p", "--json"]).stdout).name, "p");
  assert.equal(someone.inPipe(["show", "p", "--project", "q"]).stdout, "a document of q\n");
  assert.equal(someone.inPipe(["show", "p"], { cwd: `${someone.root}/q` }).stdout, "a document of q\n");
  const { status, stdout, stderr } = someone.inPipe(["show", "p", "--section", "x"]);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /'p' is a project: --section .* `vibe-mcp projects p` .*\n$/);
});

test("on a terminal prose is wrapped between words, and code is unchanged", (t) => {
  const someone = person(t);
  const code = "```\nsome code that is wider than this terminal\n```\n";
  writeFiles(someone.root, { "p/a.md": `# A\n\n- a list item of some length\n\n${code}` });
  const { stdout } = someone.onScreen(["show", "p/a.md"], { columns: 20, env: { NO_COLOR: "1" } });
  assert.equal(stdout.replaceAll("\r", ""), `# A\n\n- a list item of\n  some length\n\n${code}`);
});
