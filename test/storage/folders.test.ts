import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { test } from "node:test";
import { isCommonFolder, mainRepository, repositoryOf } from "../../src/core/storage/folders.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

test("a .git link that leads to itself makes no repository and throws nothing", { skip: ON_WINDOWS }, (t) => {
  const folder = makeWorkspace(t, { ".git/HEAD": "", "inner/": "" });
  symlinkSync(".git", join(folder, "inner", ".git"));
  assert.equal(repositoryOf(join(folder, "inner")), folder);
});

test("a worktree leads to its main repository; a submodule and a stranger's pointer lead nowhere", (t) => {
  const folder = temporaryFolder(t);
  const main = join(folder, "main");
  const pointers = {
    absolute: `gitdir: ${join(main, ".git", "worktrees", "a")}\n`,
    relative: "gitdir: ../main/.git/worktrees/a\r\n",
    submodule: "gitdir: ../main/.git/modules/submodule\n",
    network: "gitdir: //server/share/.git/worktrees/a\n",
    "network-too": "gitdir: \\\\server\\share\\.git\\worktrees\\a\n",
    huge: `gitdir: ${"/x".repeat(20_000)}/.git/worktrees/a\n`,
    empty: "",
  };
  const files = Object.entries(pointers).map(([name, text]) => [`${name}/.git`, text] as const);
  writeFiles(folder, { ...Object.fromEntries(files), "main/.git/HEAD": "" });
  for (const name of [...Object.keys(pointers), "main"]) {
    const isWorktree = name === "absolute" || name === "relative";
    assert.equal(mainRepository(join(folder, name)), isWorktree ? main : join(folder, name), name);
  }
});

test("a link named .git is not followed to a pointer", { skip: ON_WINDOWS }, (t) => {
  const folder = makeWorkspace(t, { pointer: "gitdir: /main/.git/worktrees/a\n", "tree/": "" });
  symlinkSync("../pointer", join(folder, "tree", ".git"));
  assert.equal(mainRepository(join(folder, "tree")), join(folder, "tree"));
});

test("the top of the disk, the home folder and those for temporary files belong to no project", (t) => {
  const home = temporaryFolder(t);
  for (const folder of [parse(home).root, home, `${home}/`, tmpdir()])
    assert.ok(isCommonFolder(folder, home), folder);
  assert.ok(!isCommonFolder(join(home, "code"), home));
  if (ON_WINDOWS) return;
  const link = join(temporaryFolder(t), "link");
  symlinkSync(home, link);
  assert.ok(isCommonFolder(link, home));
});
