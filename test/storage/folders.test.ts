import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryOf } from "../../src/storage/folders.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("a .git link that leads to itself makes no repository and throws nothing", { skip: ON_WINDOWS }, (t) => {
  const folder = makeWorkspace(t, { ".git/HEAD": "", "inner/": "" });
  symlinkSync(".git", join(folder, "inner", ".git"));
  assert.equal(repositoryOf(join(folder, "inner")), folder);
});
