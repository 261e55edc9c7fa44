import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { placeBuilt } from "../../fixtures/built.ts";
import { runCommand } from "../../fixtures/command.ts";
import { someOf } from "../../fixtures/num-runs.ts";
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
  return { cwd, file, git, commit, vibe };
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

const broken: [how: string, spoil: (file: string) => void][] = [
  ["is gone", (file) => rmSync(file)],
  ["is damaged", (file) => writeFileSync(file, "const a = ;")],
  ["fails without a word", (file) => writeFileSync(file, "process.exit(1);")],
];

for (const [how, spoil] of someOf(broken))
  test(`if the program ${how}, git merges by line, with its markers at a contradiction`, {
    skip: noGit,
  }, (t) => {
    const { cwd, file, git, commit } = repository(t);
    const [path, other] = ["p/tasks/001-a.md", "p/status.md"];
    const note = "# P\n\nOne.\n\nTwo.\n\nThree.\n";
    commit({ [other]: note });
    git("checkout", "-qb", "other");
    commit({ [path]: TASK.replace("# Task: A", "# Task: B"), [other]: note.replace("One", "Theirs") });
    git("checkout", "-q", "main");
    commit({ [path]: TASK.replace("# Task: A", "# Task: C"), [other]: note.replace("Three", "Ours") });
    spoil(file);
    assert.equal(git("merge", "-q", "--no-edit", "other").status, 1);
    const read = (name: string) => readFileSync(join(cwd, name), "utf8");
    assert.match(read(path), /<{7} .*\n.*C\n={7}\n.*B\n>{7} /);
    assert.match(read(other), /Theirs\.\n\nTwo\.\n\nOurs\./);
  });

test("doctor names a program that git starts in vain, and a command of earlier versions, and renews both", {
  skip: noGit,
}, (t) => {
  const { file, git, vibe } = repository(t);
  const [node, good] = [process.execPath, git("config", "--get", "merge.vibe-mcp.driver").output];
  const rest = "%O %A %B --marker-size %L --path %P";
  const rows: [driver: string, message: RegExp][] = [
    [
      good.trim().replace(basename(file), "gone.cjs"),
      /gone\.cjs" .*missing: git merges the notes line by line/,
    ],
    [`'${node}' '/none/it'\\''s 100%%.cjs' 'merge' ${rest}`, /it's 100%\.cjs.*missing.*only your side/],
    [`'/none/node' '${node}' 'merge' ${rest}`, /'\/none\/node'.*missing/],
    [`no-such-program -y vibe-mcp merge ${rest}`, /'no-such-program'.*missing/],
    [`'${node}' '${node}' 'merge' ${rest}`, /earlier way.*only your side/],
  ];
  const merging = (...args: string[]) => {
    const { findings } = vibe("doctor", ...args) as {
      findings: Record<"check" | "state" | "message", string>[];
    };
    return findings.find(({ check }) => check === "merge");
  };
  for (const [driver, message] of rows) {
    git("config", "merge.vibe-mcp.driver", driver);
    const found = merging();
    assert.equal(found?.state, "problem");
    assert.match(found.message, message);
    merging("--fix");
    assert.equal(merging()?.state, "ok");
  }
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

test("the briefing of a clone that merges by line names the command", { skip: noGit }, (t) => {
  const { git, vibe } = repository(t);
  const said = () => /`vibe-mcp merge --register`/.test(String(vibe("brief", "p")["text"]));
  assert.equal(said(), false);
  git("config", "--remove-section", "merge.vibe-mcp");
  assert.equal(said(), true);
  vibe("merge", "--remove");
  assert.equal(said(), false);
});

test("merge --register outside of a repository says so", (t) => {
  const { inPipe } = person(t);
  assert.match(inPipe(["merge", "--register"]).stderr, /not in a git/);
});
