import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { placeBuilt } from "../../fixtures/built.ts";
import { runCommand } from "../../fixtures/command.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const TASK = "---\nstatus: pending\n---\n# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] a\n2. [ ] b\n";

function merger(t: TestContext, files: Record<string, string | Buffer>) {
  const someone = person(t);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(someone.cwd, name), content);
  const merge = (...more: string[]) => someone.inPipe(["merge", "base", "ours", "theirs", ...more]);
  const ours = () => readFileSync(join(someone.cwd, "ours"));
  return { ...someone, merge, ours };
}

test("merge writes the result into ours", (t) => {
  const { merge, ours } = merger(t, {
    base: TASK,
    ours: TASK.replace("[ ] a", "[x] a").replace("---\n#", "priority: high\n---\n#"),
    theirs: TASK.replace("[ ] b", "[x] b").replaceAll("pending", "done"),
  });
  const { status, stdout, stderr } = merge();
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  const expected = TASK.replaceAll("[ ]", "[x]").replaceAll("pending", "done");
  assert.equal(ours().toString(), expected.replace("---\n#", "priority: high\n---\n#"));
});

test("merge marks a conflict with markers of the size that is asked for, and exits with 1", (t) => {
  const { merge, ours } = merger(t, { base: "a\n", ours: "b\n", theirs: "c\n" });
  const { status, stdout } = merge("--marker-size", "9", "--path", "p/tasks/001-a.md", "--json");
  assert.equal(status, 1);
  assert.deepEqual(JSON.parse(stdout), { success: false, path: "p/tasks/001-a.md", conflicts: 1 });
  assert.equal(ours().toString(), "<<<<<<<<< ours\nb\n=========\nc\n>>>>>>>>> theirs\n");
});

test("merge leaves what it cannot read alone", (t) => {
  const bytes = Buffer.from([0x61, 0xff, 0x0a]);
  const { merge, ours, inPipe } = merger(t, { base: "a\n", ours: bytes, theirs: "c\n" });
  assert.match(merge().stderr, /'ours' is not UTF-8/);
  assert.deepEqual(ours(), bytes);
  assert.equal(inPipe(["merge", "base", "ours", "missing"]).status, 1);
  assert.equal(inPipe(["merge", "base", "ours"]).status, 2);
  assert.match(inPipe(["merge", "--register", "--remove"]).stderr, /two directions: choose one/);
});

/** A repository whose notes are merged by the built file. */
function repository(t: TestContext) {
  const [cwd, home, folder] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const program = join(folder, "it's a 100%A");
  mkdirSync(program);
  const file = join(program, "vibe-mcp.cjs");
  placeBuilt(file);
  const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd, env, encoding: "utf8" });
    return { status, output: stdout + stderr };
  };
  const commit = (files: Record<string, string>) => {
    writeFiles(cwd, files);
    git("add", "-A");
    git("commit", "-qm", "change");
  };
  git("init", "-q", "-b", "main");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  const vibe = (...args: string[]) => {
    const line = [...args, "--root", cwd, "--json"];
    const { stdout, stderr } = runCommand(file, line, { cwd: home, env });
    assert.equal(stderr, "");
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  assert.deepEqual(vibe("merge", "--register")["registered"], true);
  commit({ "p/tasks/001-a.md": TASK });
  return { cwd, git, commit, vibe };
}

const noGit = spawnSync("git", ["--version"]).status !== 0 && "git is missing";

test("git merges two branches that changed different facts of a task and added sessions", {
  skip: noGit,
}, (t) => {
  const { cwd, git, commit } = repository(t);
  const session = "# Session Log - 2026-01-01\n\n";
  git("checkout", "-qb", "other");
  commit({
    "p/tasks/001-a.md": TASK.replace("[ ] b", "[x] b").replaceAll("pending", "done"),
    "p/sessions/2026-01-01.md": `${session}Theirs.\n`,
  });
  git("checkout", "-q", "main");
  commit({
    "p/tasks/001-a.md": TASK.replace("[ ] a", "[x] a").replace("---\n#", "priority: high\n---\n#"),
    "p/sessions/2026-01-01.md": `${session}Ours.\n`,
  });
  const { status, output } = git("merge", "-q", "--no-edit", "other");
  assert.equal(status, 0, output);
  const read = (path: string) => readFileSync(join(cwd, path), "utf8");
  const expected = TASK.replaceAll("[ ]", "[x]").replaceAll("pending", "done");
  assert.equal(read("p/tasks/001-a.md"), expected.replace("---\n#", "priority: high\n---\n#"));
  assert.equal(read("p/sessions/2026-01-01.md"), `${session}Ours.\n\n---\nTheirs.\n`);
});

test("git stops at a contradiction, with its usual markers", { skip: noGit }, (t) => {
  const { cwd, git, commit } = repository(t);
  git("checkout", "-qb", "other");
  commit({ "p/tasks/001-a.md": TASK.replace("# Task: A", "# Task: B") });
  git("checkout", "-q", "main");
  commit({ "p/tasks/001-a.md": TASK.replace("# Task: A", "# Task: C") });
  assert.equal(git("rebase", "other").status, 1);
  assert.match(readFileSync(join(cwd, "p/tasks/001-a.md"), "utf8"), /<{7} .*\n.*B\n={7}\n.*C\n>{7} /);
});

test("merge --register and --remove change two settings, and doctor knows of them", { skip: noGit }, (t) => {
  const { cwd, git, vibe } = repository(t);
  const file = (name: string) => readFileSync(join(cwd, name), "utf8");
  const [config, attributes] = [file(".git/config"), file(".gitattributes")];
  assert.equal(attributes, "*.md merge=vibe-mcp\n");
  const merging = (...args: string[]) => {
    const { findings } = vibe("doctor", ...args) as { findings: { check: string; state: string }[] };
    return findings.find(({ check }) => check === "merge")?.state;
  };
  assert.equal(merging(), "ok");
  vibe("merge", "--register");
  assert.deepEqual([file(".git/config"), file(".gitattributes")], [config, attributes]);
  writeFileSync(join(cwd, ".gitattributes"), `*.png binary\r\n${attributes}# end`);
  vibe("merge", "--remove");
  assert.equal(file(".gitattributes"), "*.png binary\r\n# end");
  assert.notEqual(git("config", "--get", "merge.vibe-mcp.driver").status, 0);
  assert.equal(merging(), "note");
  merging("--fix");
  assert.equal(merging(), "ok");
  assert.equal(file(".gitattributes"), "*.png binary\r\n# end\n*.md merge=vibe-mcp\n");
});

test("merge --register outside of a repository says so", (t) => {
  const { inPipe } = person(t);
  assert.match(inPipe(["merge", "--register"]).stderr, /not in a git/);
});
