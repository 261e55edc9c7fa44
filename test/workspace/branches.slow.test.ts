import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gitInCalls } from "../../src/core/git/ask-git.ts";
import { Branches } from "../../src/core/workspace/branches.ts";
import { person } from "../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const noGit = spawnSync("git", ["--version"]).status !== 0 && "git is missing";
const ENV = { PATH: process.env["PATH"], HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };

/** A repository with notes in a subfolder; branch `other` has tasks 3 and, in the archive, 12. */
function repository(t: TestContext) {
  const folder = temporaryFolder(t);
  const git = (...args: string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const { status, stdout, stderr } = spawnSync("git", [...who, ...args], {
      cwd: folder,
      env: ENV,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const commit = (files: Record<string, string>) => {
    writeFiles(folder, files);
    git("add", "-A");
    git("commit", "-qm", "notes");
  };
  git("init", "-q", "-b", "main");
  commit({ "my notes/p/tasks/001-a.md": "# Task: A\n" });
  git("checkout", "-qb", "other");
  commit({
    "my notes/p/tasks/deep/003-b.md": "# Task: B\n",
    "my notes/p/archive/tasks/012-日本.md": "# Task: C\n",
    "p/tasks/077-elsewhere.md": "# Task: D\n",
  });
  git("checkout", "-q", "main");
  return { folder, root: join(folder, "my notes"), git, commit };
}

test("a new task is above the numbers of all local branches", { skip: noGit }, (t) => {
  const { folder, root, git, commit } = repository(t);
  const someone = person(t, root);
  const create = () => someone.inPipe(["new", "Next", "--project", "p", "--json"], { cwd: folder }).stdout;
  assert.match(create(), /013-next\.md/);
  commit({});
  git("checkout", "-q", "other");
  assert.match(create(), /014-next\.md/);
});

test("a branch that moved is looked at again, the others are not", { skip: noGit }, async (t) => {
  const { root, git, commit } = repository(t);
  const asked: string[] = [];
  const runner = gitInCalls({ env: ENV });
  const branches = new Branches(root, (folder, args, input) => {
    asked.push(args[0] ?? "");
    return runner(folder, args, input);
  });
  assert.equal(await branches.nextNumber("p"), 13);
  asked.length = 0;
  assert.equal(await branches.nextNumber("p"), 13);
  assert.deepEqual(asked, ["for-each-ref"]);
  commit({ "my notes/p/tasks/020-e.md": "# Task: E\n" });
  asked.length = 0;
  assert.equal(await branches.nextNumber("p"), 21);
  assert.deepEqual(asked, ["for-each-ref", "cat-file", "ls-tree"]);
  git("reset", "-q", "--hard", "HEAD~1");
  git("branch", "-qD", "other");
  assert.equal(await branches.nextNumber("p"), 2);
  assert.equal(await branches.nextNumber("none"), 1);
});

test("without git, or if it fails, numbers count from the files alone", async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { ".git/HEAD": "nonsense", "p/tasks/001-a.md": "# Task: A\n" });
  for (const env of [{ PATH: "" }, ENV]) {
    const branches = new Branches(root, gitInCalls({ env }));
    assert.equal(await branches.nextNumber("p"), 1);
  }
  const created = person(t, root).inPipe(["new", "Next", "--project", "p", "--json"]);
  assert.match(created.stdout, /002-next\.md/, created.stderr);
});
