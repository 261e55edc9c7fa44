import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { filesBelow } from "../../../src/storage/list.ts";
import { builtFile } from "../../fixtures/built.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const NOTES = {
  "shop/tasks/001-add-login.md":
    "---\nstatus: pending\n---\n# Task: Add login\n\nSee [[flow]] and [api](../../api/a.md).\n",
  "shop/references/flow.md": "# Flow\n",
  "shop/assets/picture.png": Buffer.from([0, 1, 2, 255]),
  "shop/status.md": "# shop\n",
  "api/a.md": "# A\n\nBlocked by [login](../shop/tasks/001-add-login.md).\n",
};

/** A repository named shop that keeps its notes, and a workspace with a project of that name. */
function machine(t: TestContext) {
  const [place, home] = [realpathSync(temporaryFolder(t)), temporaryFolder(t)];
  const program = builtFile(t);
  const [shop, own] = [join(place, "shop"), join(home, ".vibe")];
  mkdirSync(shop);
  writeFiles(shop, { ".git/HEAD": "" });
  writeFiles(own, NOTES);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home };
  const vibe = (args: string[], cwd = shop) =>
    spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: "utf8" });
  const init = vibe(["init", "--in-repo", "--yes"]);
  assert.equal(init.status, 0, init.stderr);
  const contents = (root: string) =>
    Object.fromEntries(
      filesBelow(root, "shop")
        .sort()
        .map((path) => [path, readFileSync(join(root, path)).toString("latin1")]),
    );
  return { shop, own, inside: join(shop, ".vibe"), vibe, contents, init };
}

test("a project moves into the repository and back, byte for byte, with its history", (t) => {
  const { shop, own, inside, vibe, contents, init } = machine(t);
  assert.match(init.stderr, / notes of shop.*: .* move-in shop\n/);
  writeFileSync(join(own, "shop", "tasks", "001-add-login.md"), NOTES["shop/tasks/001-add-login.md"]);
  assert.equal(vibe(["status", "001", "done", "--project", "shop", "--root", own]).status, 0);
  const before = contents(own);
  const dry = vibe(["move-in", "shop", "--dry-run"]);
  assert.match(
    dry.stdout,
    /shop: 4 files, from .*\nshop\/tasks\/001-add-login\.md:6 {2}\[api\].* will lead nowhere\n/,
  );
  assert.match(dry.stdout, /api\/a\.md:3 {2}\[login\].* will lead nowhere/);
  assert.deepEqual(contents(own), before);
  const moved = vibe(["move-in", "--yes"]);
  assert.equal(moved.status, 0, moved.stderr);
  assert.match(moved.stdout, /Moved 4 files, .*1 change.*: .* move-out shop\n/);
  assert.deepEqual(contents(inside), before);
  assert.ok(!existsSync(join(own, "shop")));
  const { stdout } = vibe(["history", "shop/tasks/001-add-login.md"]);
  assert.match(stdout, /vibe-mcp move-in .*\n.*vibe-mcp status/);
  assert.match(vibe(["show", "001"]).stdout, /Add login/);
  const back = vibe(["move-out", "shop", "--yes"]);
  assert.equal(back.status, 0, back.stderr);
  assert.deepEqual(contents(own), before);
  assert.ok(!existsSync(join(inside, "shop")));
  assert.match(readFileSync(join(shop, "AGENTS.md"), "utf8"), /^vibe: shop$/m);
  assert.match(vibe(["tasks", "--all"]).stdout, /Add login/);
});

test("notes on both sides are not mixed, and nothing moves without a yes", (t) => {
  const { own, inside, vibe, contents } = machine(t);
  const asked = vibe(["move-in", "shop"]);
  assert.equal(asked.status, 1);
  assert.match(asked.stdout, /Nothing moved\. To do it: .* move-in shop --yes\n/);
  writeFiles(inside, { "shop/tasks/001-other.md": "# Task: Other\n" });
  const [before, there] = [contents(own), contents(inside)];
  const refused = vibe(["move-in", "shop", "--yes"]);
  assert.equal(refused.status, 1);
  assertTells(refused.stderr, ["'shop'", "001-other.md", "Nothing"]);
  assert.deepEqual([contents(own), contents(inside)], [before, there]);
  assert.equal(vibe(["move-in", "nothing"]).status, 1);
  renameSync(join(inside, "shop"), join(inside, "Shop"));
  assert.match(vibe(["move-in", "shop", "--yes"]).stderr, /has a project 'Shop'\. Nothing was moved/);
  renameSync(join(inside, "Shop"), join(inside, "shop"));
  assert.equal(vibe(["move-in", "shop", "--root", inside]).status, 1);
});

test("a move that was interrupted between the two workspaces is finished by the next one", (t) => {
  const { own, inside, vibe, contents } = machine(t);
  const before = contents(own);
  // As after a kill: the files are in both.
  writeFiles(inside, NOTES);
  const moved = vibe(["move-in", "shop", "--yes"]);
  assert.equal(moved.status, 0, moved.stderr);
  assert.deepEqual(contents(inside), before);
  assert.ok(!existsSync(join(own, "shop")));
});

test("outside of a repository with notes, move-in says what to do", (t) => {
  const { vibe } = machine(t);
  const { status, stderr } = vibe(["move-in", "shop"], temporaryFolder(t));
  assert.equal(status, 2);
  assert.match(stderr, /no notes: .* init --in-repo/);
});
