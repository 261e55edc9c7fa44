import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  FILE,
  FOLDER,
  type HostileRemote,
  nested,
  type RawEntry,
  syncedWithHostile,
} from "../fixtures/hostile-remote.ts";
import { filesOf, imageOf, noGit } from "../fixtures/machines.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const options = { skip: noGit };
const BOMBS: Record<string, (remote: HostileRemote) => string> = {
  files: (r) => nested(r, r.rawTree([[FILE, "a.md", r.blob("x")]]), [200, 4]),
  "folders without a file": (r) => nested(r, r.rawTree([]), [200, 6]),
  links: (r) => nested(r, r.rawTree([["120000", "a", r.blob("x")]]), [200, 4]),
  "repositories in it": (r) => nested(r, r.rawTree([["160000", "a", "1".repeat(40)]]), [200, 4]),
  "hidden names": (r) => nested(r, r.rawTree([[FILE, ".a", r.blob("x")]]), [200, 4]),
  "folders in folders": ({ rawTree, blob }) => {
    let tree = rawTree([[FILE, "a.md", blob("x")]]);
    for (let level = 0; level < 300; level++) tree = rawTree([[FOLDER, "d".repeat(250), tree]]);
    return tree;
  },
  "a very long name": (r) => r.rawTree([[FILE, "x".repeat(2 ** 20), r.blob("x")]]),
};

for (const [name, make] of someOf(Object.entries(BOMBS)))
  test(`a branch that describes endless ${name} is refused, and what is here stays`, options, async (t) => {
    const { ana, ...remote } = await syncedWithHostile(t);
    const before = imageOf(ana.root);
    const bomb = make(remote);
    remote.change("p", (entries) => [...entries, [FOLDER, "zz", bomb]]);
    const pushed = remote.tip();
    writeFiles(ana.root, { "p/own.md": "# Own\n" });
    const { problem, unsent } = await ana.sync();
    assert.match(problem ?? "", /^there are more than 100,000 files and folders, or very long paths/);
    assert.equal(unsent, 1, "what waits here is still known");
    assert.equal(remote.tip(), pushed);
    assert.deepEqual(imageOf(ana.root), { ...before, "p/own.md": imageOf(ana.root)["p/own.md"] });
    remote.git(["update-ref", "refs/heads/vibe-notes", `${pushed}^`]);
    assert.deepEqual((await ana.sync()).sent, ["p/own.md"], "once it is gone, all goes on");
  });

test("a branch of our own that is beyond the limit comes back by removing files", options, async (t) => {
  const { ana, ...remote } = await syncedWithHostile(t);
  const leaf = remote.rawTree([[FILE, "a.md", remote.blob("x")]]);
  const many = nested(remote, leaf, [230, 2]);
  remote.change("p", (entries) => [...entries, [FOLDER, "data", many]]);
  const own = (...args: string[]) => execFileSync("git", ["-C", join(ana.folder, "notes.git"), ...args]);
  // As if this machine had sent them, and its person had removed them here.
  own("fetch", "-q", remote.remote, "vibe-notes");
  for (const ref of ["base", "seen", "remote"]) own("update-ref", `refs/vibe/${ref}`, remote.tip());
  const { problem, sent } = await ana.sync();
  assert.deepEqual([problem, sent.length], [undefined, 230 * 230]);
  assert.equal(remote.git(["ls-tree", "-r", "--name-only", remote.tip()]), ".vibe-sync\np/a.md");
});

test(
  "what others' changes need is counted before anything is written; a person can agree",
  options,
  async (t) => {
    const { ana, blob, change, tip } = await syncedWithHostile(t);
    const large = blob("x".repeat(9 * 2 ** 20));
    const names = Array.from({ length: 8 }, (_, at): RawEntry => [FILE, `large-${at}.bin`, large]);
    change("p", (entries) => [...entries, ...names]);
    const pushed = tip();
    for (const how of [{}, { dryRun: true }]) {
      const { problem, received } = await ana.sync(how);
      assert.match(
        problem ?? "",
        /^8 changes of others would need 72 MB, more than 64 MB at once.*sync --large$/,
      );
      assert.deepEqual([received, filesOf(ana.root), tip()], [[], ["p/a.md"], pushed]);
    }
    const { problem, received } = await ana.sync({ isLarge: true });
    assert.deepEqual([problem, received.length], [undefined, 8]);
    assert.equal(statSync(join(ana.root, "p/large-7.bin")).size, 9 * 2 ** 20);
  },
);

test("many small files count with what they need on a disk", options, async (t) => {
  const { ana, blob, change, rawTree } = await syncedWithHostile(t);
  const note = blob("x");
  const folder = rawTree(
    Array.from({ length: 20_000 }, (_, at) => [FILE, `n${String(at).padStart(6, "0")}.md`, note]),
  );
  change("p", (entries) => [...entries, [FOLDER, "zz", folder]]);
  assert.match((await ana.sync()).problem ?? "", /^20000 changes of others would need 79 MB/);
});

test("notes that others move or replace need no more than before", options, async (t) => {
  const large = "x".repeat(9 * 2 ** 20);
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`p/large-${at}.bin`, `${at}${large}`]),
  );
  const { ana, ...remote } = await syncedWithHostile(t, files);
  remote.change("p", (entries) =>
    entries.map(([mode, name, id]) => [mode, String(name).replace("large", "moved"), id]),
  );
  const { problem, received } = await ana.sync();
  assert.deepEqual([problem, received.length], [undefined, 16]);
});
