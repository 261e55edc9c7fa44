import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noTerminal, person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

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

test("a missing last line break is added only on a terminal", { skip: noTerminal() }, (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/notes.md": "no end" });
  assert.equal(someone.inPipe(["show", "p/notes.md"]).stdout, "no end");
  assert.equal(someone.onTerminal(["show", "p/notes.md"]).stdout, "no end\r\n");
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

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
const terminal = { skip: noTerminal() };

/** Shows a long and a short document on a terminal of 20 lines. */
function pages(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, { "p/long.md": `${LINES.join("\n")}\n`, "p/short.md": "one\ntwo\n" });
  return (words: string[], env: Record<string, string>, answer?: readonly [string, string]) => {
    const typed = { rows: 20, env, ...(answer && { answer }) };
    const { status, stdout } = someone.onTerminal(["show", ...words], typed);
    return { status, stdout: stdout.replaceAll("\r", "") };
  };
}
const WHOLE = `${LINES.join("\n")}\n`;

test("a document longer than the screen goes through PAGER", terminal, (t) => {
  const show = pages(t);
  assert.equal(show(["p/long.md"], { PAGER: "sed 's/^/> /'" }).stdout, WHOLE.replaceAll(/^(?=l)/gm, "> "));
  assert.equal(show(["p/short.md"], { PAGER: "sed 's/^/> /'" }).stdout, "one\ntwo\n");
  assert.equal(show(["p/long.md"], { PAGER: "echo $LESS; cat" }).stdout, `FRX\n${WHOLE}`);
  assert.equal(show(["p/long.md"], { PAGER: "echo $LESS; cat", LESS: "i" }).stdout, `i\n${WHOLE}`);
});

test("without a pager a document is printed at once", terminal, (t) => {
  const show = pages(t);
  for (const PAGER of ["", "cat"]) assert.equal(show(["p/long.md"], { PAGER }).stdout, WHOLE);
  const sed = { PAGER: "sed 's/^/> /'" };
  assert.equal(show(["p/long.md", "--no-pager"], sed).stdout, WHOLE);
  assert.equal(show(["--no-pager", "p/long.md"], sed).stdout, WHOLE);
  assert.equal(JSON.parse(show(["p/long.md", "--json"], sed).stdout).content, WHOLE);
  assert.equal(show(["p/long.md"], { TERM: "dumb" }).stdout, WHOLE);
});

test("a pager that is missing or stops reading early does no harm", terminal, (t) => {
  const show = pages(t);
  const missing = show(["p/long.md"], { PAGER: "no-such-pager" });
  assert.equal(missing.status, 0);
  assert.ok(missing.stdout.endsWith(WHOLE), missing.stdout);
  const early = show(["p/long.md"], { PAGER: "head -n 1" });
  assert.deepEqual([early.status, early.stdout], [0, "line 1\n"]);
  assert.deepEqual(show(["p/long.md"], { PAGER: "true" }), { status: 0, stdout: "" });
  // A PATH with Python, which makes the terminal, and without less.
  const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  const PATH = temporaryFolder(t);
  symlinkSync(python.stdout.trim(), join(PATH, "python3"));
  assert.deepEqual(show(["p/long.md"], { PATH }), { status: 0, stdout: WHOLE });
});

test("Ctrl+C in a pager does not end the program", terminal, (t) => {
  // The signal reaches everything that runs on the terminal.
  const PAGER = "trap '' INT; kill -INT 0; cat";
  assert.deepEqual(pages(t)(["p/long.md"], { PAGER }), { status: 0, stdout: WHOLE });
});

test("without PAGER it is less", {
  skip: noTerminal() || (spawnSync("sh", ["-c", "command -v less"]).status === 0 ? false : "less is missing"),
}, (t) => {
  const { status, stdout } = pages(t)(["p/long.md"], {}, ["line 19", "q"]);
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /line 30/);
});

test("on a terminal prose is wrapped between words, and code is unchanged", terminal, (t) => {
  const someone = person(t);
  const code = "```\nsome code that is wider than this terminal\n```\n";
  writeFiles(someone.root, { "p/a.md": `# A\n\n- a list item of some length\n\n${code}` });
  const { stdout } = someone.onTerminal(["show", "p/a.md"], { columns: 20, env: { NO_COLOR: "1" } });
  assert.equal(stdout.replaceAll("\r", ""), `# A\n\n- a list item of\n  some length\n\n${code}`);
});
