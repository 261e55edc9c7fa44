import assert from "node:assert/strict";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isEmptyFolder, listFolder } from "../../src/core/storage/list.ts";
import { ON_WINDOWS, withMode } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const NOTHING = { folders: [], files: [] };

test("a listing has the direct entries of a folder, sorted, without hidden and other files", (t) => {
  const root = makeWorkspace(t, {
    "b/z.md": "",
    "b/A.MD": "",
    "b/deep/x.md": "",
    "b/called-like.md/x.md": "",
    "b/readme.txt": "",
    "b/.hidden.md": "",
    "b/.git/x.md": "",
    "a/": "",
    ".vibe-mcp/": "",
    "loose.md": "",
    "index.db": "",
  });
  assert.deepEqual(listFolder(root, ""), { folders: ["a", "b"], files: ["loose.md"] });
  assert.deepEqual(listFolder(root, "b"), { folders: ["called-like.md", "deep"], files: ["A.MD", "z.md"] });
  assert.deepEqual(listFolder(root, "b/deep"), { folders: [], files: ["x.md"] });
});

test("links are left out if their targets are outside, hidden, missing, or listed in the same project", (t) => {
  const outside = makeWorkspace(t, { "secret.md": "" });
  const root = makeWorkspace(t, { "p/x.md": "", "p/tasks/": "", ".git/": "" });
  const links = {
    alias: "p",
    "p/there": "tasks",
    "p/same.md": "x.md",
    "p/same.txt": "x.md",
    "p/folder.md": "tasks",
    out: outside,
    "p/out": outside,
    "p/out.md": join(outside, "secret.md"),
    "p/git": "../.git",
    "p/broken.md": "nowhere.md",
    "p/loop": "loop",
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, ...path.split("/")));
  assert.deepEqual(listFolder(root, ""), { folders: ["alias", "p"], files: [] });
  assert.deepEqual(listFolder(root, "p"), {
    folders: ["tasks"],
    files: ["x.md"],
  });
  assert.deepEqual(listFolder(root, "alias"), listFolder(root, "p"));
});

test("a missing folder, a file and a missing root list nothing", (t) => {
  const root = makeWorkspace(t, { "p/x.md": "" });
  for (const path of ["none", "p/none", "p/x.md", "p/x.md/y"])
    assert.deepEqual(listFolder(root, path), NOTHING);
  assert.deepEqual(listFolder(join(root, "none"), ""), NOTHING);
  assert.deepEqual(listFolder(join(root, "none"), "p"), NOTHING);
});

test("a folder outside the root is never listed", (t) => {
  const root = makeWorkspace(t, { "p/x.md": "", ".git/x.md": "" });
  symlinkSync(temporaryFolder(t), join(root, "p", "out"));
  for (const path of ["..", "p/..", "/", "p/out", ".git", "p//", "p\0"]) {
    assert.throws(() => listFolder(root, path), { code: "INVALID_PATH" }, path);
  }
});

test("an unreadable folder is an error that says so", {
  skip: ON_WINDOWS && "chmod takes no read permission on Windows",
}, async (t) => {
  const root = makeWorkspace(t, { "p/x.md": "" });
  chmodSync(root, 0o755);
  const message = "Could not list 'p': the permission is missing. Fix that and try again.";
  await withMode(join(root, "p"), 0, () => {
    assert.throws(() => listFolder(root, "p"), { code: "FILESYSTEM_ERROR", message });
    assert.throws(() => isEmptyFolder(join(root, "p")), { code: "FILESYSTEM_ERROR", message });
  });
});

test("a folder is empty if it is missing or has no entries, not even hidden ones", (t) => {
  const root = makeWorkspace(t, { "empty/": "", "full/x.txt": "", "hidden/.x": "" });
  const empty = (name: string) => isEmptyFolder(join(root, name));
  assert.deepEqual(["empty", "none", "full", "hidden"].map(empty), [true, true, false, false]);
});
