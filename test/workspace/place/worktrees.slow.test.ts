import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { projectNameOf } from "../../../src/core/workspace/place/folder-project.ts";
import { UNDER_WINE } from "../../fixtures/disk.ts";
import { noGit } from "../../fixtures/machines.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

/** A home folder with `code/shop`, a repository with a commit; all paths are from there. */
function home(t: TestContext) {
  const top = realpathSync(temporaryFolder(t));
  const at = (path: string) => join(top, path);
  const git = (path: string, ...args: string[]) => {
    mkdirSync(at(path), { recursive: true });
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"];
    execFileSync("git", ["-C", at(path), ...who, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  };
  git("code/shop", "init", "-q", "-b", "main");
  writeFiles(at("code/shop"), { "src/a.txt": "a" });
  git("code/shop", "add", ".");
  git("code/shop", "commit", "-qm", "a");
  const nameOf = (path: string) => projectNameOf(at("notes"), { folder: at(path), home: top })?.name;
  const write = (files: Record<string, string>) => writeFiles(top, files);
  return { at, git, write, nameOf };
}

type Home = ReturnType<typeof home>;

/** A bare clone at `path`, with worktrees. */
function bare({ at, git }: Home, path: string, worktrees: Record<string, string>) {
  git("code", "clone", "-q", "--bare", "shop", at(path));
  for (const [branch, place] of Object.entries(worktrees))
    git(path, "worktree", "add", "-q", ...(branch === "main" ? [] : ["-b", branch]), at(place), "main");
}

type Case = [name: string, make: (home: Home) => void, expected: Record<string, string | undefined>];

const WORKTREES: Case[] = [
  [
    "beside their repository, inside it, and with a slash in their branch",
    ({ at, git }) => {
      git("code/shop", "worktree", "add", "-q", at("code/shop-fix"), "-b", "fix");
      git("code/shop", "worktree", "add", "-q", at("code/shop/.claude/worktrees/feat"), "-b", "feat");
      git("code/shop", "worktree", "add", "-q", at("trees/login/form"), "-b", "login/form");
    },
    {
      "code/shop-fix/src": "shop",
      "code/shop/.claude/worktrees/feat/src": "shop",
      "trees/login/form": "shop",
    },
  ],
  [
    "of a repository that names them relative to it",
    ({ at, git, write }) => {
      git("code/shop", "worktree", "add", "-q", at("code/fix"), "-b", "fix");
      write({ "code/fix/.git": "gitdir: ../shop/.git/worktrees/fix\n" });
    },
    { "code/fix": "shop" },
  ],
  [
    "of a bare repository in a hidden folder, in the folder that its .git file makes a repository",
    (place) => {
      bare(place, "hub/shop/.bare", { main: "hub/shop/main", "fix/a": "hub/shop/fix/a" });
      place.write({ "hub/shop/.git": "gitdir: ./.bare\n" });
    },
    { "hub/shop": "shop", "hub/shop/main/src": "shop", "hub/shop/fix/a": "shop", "hub/shop/.bare": "shop" },
  ],
  [
    "of a bare repository in a hidden folder, without that file",
    (place) => bare(place, "hub/shop/.repo", { main: "hub/shop/main", fix: "trees/fix" }),
    { "hub/shop/main": "shop", "trees/fix": "shop" },
  ],
  [
    "of a bare repository in a folder of any name, in the folder that its .git file makes a repository",
    (place) => {
      bare(place, "hub/shop/store.git", { main: "hub/shop/main" });
      place.write({ "hub/shop/.git": `gitdir: ${place.at("hub/shop/store.git")}\n` });
    },
    { "hub/shop/main": "shop" },
  ],
  [
    "of a bare repository called .git",
    (place) => bare(place, "hub/shop/.git", { main: "hub/shop/main", fix: "hub/fix" }),
    { "hub/shop/main": "shop", "hub/fix": "shop", "hub/shop": "shop" },
  ],
  [
    "beside a bare repository with the ending .git, and in it",
    (place) => bare(place, "hub/shop.git", { main: "hub/main", fix: "hub/shop.git/fix" }),
    { "hub/main/src": "shop", "hub/shop.git/fix": "shop", "hub/shop.git": "shop" },
  ],
  [
    "in a bare repository without that ending, and beside it",
    (place) => bare(place, "hub/shop", { main: "hub/shop/main", fix: "hub/fix" }),
    { "hub/shop/main": "shop", "hub/fix": "shop" },
  ],
  [
    "of a bare repository in the home folder",
    (place) => {
      bare(place, "shop.git", { main: "main" });
      bare(place, ".bare", { main: "tree" });
    },
    { main: "shop", tree: "tree" },
  ],
  [
    "whose repository is not there, as in a container",
    ({ write }) =>
      write({
        "a/.git": "gitdir: /host/shop/.git/worktrees/a\n",
        "b/.git": "gitdir: /host/shop.git/worktrees/b\n",
        "c/.git": "gitdir: /host/shop/.bare/worktrees/c\n",
        "d/.git": "gitdir: /host/.git/modules/worktrees/d\n",
      }),
    { a: "shop", b: "shop", c: "shop", d: "d" },
  ],
  [
    "of a submodule, and a submodule in one",
    ({ at, git }) => {
      git("code/all", "init", "-q");
      for (const path of ["lib/cart", "worktrees/pay"])
        git("code/all", "submodule", "--quiet", "add", at("code/shop"), path);
      git("code/all", "commit", "-qm", "a");
      git("code/all/lib/cart", "worktree", "add", "-q", at("code/fix"), "-b", "fix");
      git("code/all", "worktree", "add", "-q", at("code/tree"), "-b", "tree");
      git("code/tree", "submodule", "--quiet", "update", "--init", "lib/cart");
    },
    {
      "code/all/lib/cart/src": "cart",
      "code/all/worktrees/pay": "pay",
      "code/fix": "cart",
      "code/tree": "all",
      "code/tree/lib/cart": "cart",
    },
  ],
  [
    "of a repository that was moved and repaired",
    ({ at, git }) => {
      git("code/shop", "worktree", "add", "-q", at("code/fix"), "-b", "fix");
      renameSync(at("code/shop"), at("code/store"));
      git("code/store", "worktree", "repair");
    },
    { "code/fix": "store" },
  ],
];

for (const [name, make, expected] of WORKTREES) {
  test(`worktrees belong to the project of their repository: ${name}`, { skip: noGit || UNDER_WINE }, (t) => {
    const place = home(t);
    make(place);
    const found = Object.keys(expected).map((path) => [path, place.nameOf(path)]);
    assert.deepEqual(Object.fromEntries(found), expected);
  });
}
