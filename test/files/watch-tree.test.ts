import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { unwatchable, watchLimits } from "../../src/files/fs-type.ts";
import { openInotify } from "../../src/files/inotify.ts";
import { scanChanges } from "../../src/files/scan-changes.ts";
import type { Scan } from "../../src/files/walk.ts";
import { openWatchTree, refresh } from "../../src/files/watch-tree.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../support/workspace.ts";

const skip = unwatchable(tmpdir()) ?? false;
const FILES = { "p/a.md": "a", "p/deep/b.md": "b", "q/c.md": "c", "q/other.txt": "" };

async function watching(t: TestContext) {
  const root = makeWorkspace(t, FILES);
  const watched = openWatchTree(root, () => {});
  t.after(() => watched.inotify.close());
  assert.equal(
    await refresh(
      watched,
      () => true,
      () => {},
    ),
    true,
  );
  const next = (again: string[] = []) => scanChanges(watched, root, { again, whole: false });
  return { root, watched, next };
}

const pathsOf = (scan: Scan | undefined) => scan?.files.map(({ path }) => path).sort();

test("a disk that does not tell every change is not watched", { skip }, () => {
  assert.equal(unwatchable("/proc"), "the disk is shared or layered");
  assert.equal(unwatchable(join(tmpdir(), "missing", "folder")), "the disk does not say what it is");
  assert.throws(() => openWatchTree("/proc", () => {}), /shared or layered/);
  assert.throws(() => openWatchTree(join(tmpdir(), "missing"), () => {}), /no such folder/);
  assert.ok(watchLimits().watches > 0 && watchLimits().queue > 0);
});

test("every folder is watched, and a look is at nothing but what changed", { skip }, async (t) => {
  const { root, watched, next } = await watching(t);
  assert.deepEqual([...watched.folders.keys()].sort(), ["p", "p/deep", "q"]);
  const still = await next();
  assert.deepEqual([still?.files, still?.scope], [[], { files: [], below: [], projects: false }]);
  writeFileSync(join(root, "p", "deep", "b.md"), "changed");
  const edited = await next();
  assert.deepEqual([pathsOf(edited), edited?.scope?.files], [["p/deep/b.md"], ["p/deep/b.md"]]);
  rmSync(join(root, "p", "deep"), { recursive: true });
  const removed = await next(["q/c.md"]);
  assert.deepEqual(pathsOf(removed), ["q/c.md"]);
  assert.deepEqual(removed?.scope?.below, ["p/deep"]);
  assert.deepEqual([...watched.folders.keys()].sort(), ["p", "q"]);
  writeFiles(root, { "r/x/y.md": "", "p/.hidden/z.md": "" });
  const added = await next();
  assert.deepEqual([pathsOf(added), added?.projects], [["r/x/y.md"], ["p", "q", "r"]]);
  assert.deepEqual([...watched.folders.keys()].sort(), ["p", "q", "r", "r/x"]);
});

test("a project with a link to a folder is walked each time, until the link is gone", { skip }, async (t) => {
  const { root, watched, next } = await watching(t);
  symlinkSync(join(root, "q"), join(root, "p", "link"));
  assert.deepEqual(pathsOf(await next()), ["p/a.md", "p/deep/b.md", "p/link/c.md"]);
  assert.deepEqual([...watched.walked], ["p"]);
  assert.deepEqual([...watched.folders.keys()], ["q"]);
  assert.deepEqual(pathsOf(await next()), ["p/a.md", "p/deep/b.md", "p/link/c.md"]);
  rmSync(join(root, "p", "link"));
  const news: boolean[] = [];
  await refresh(
    watched,
    () => true,
    (_, isNew) => void news.push(isNew),
  );
  assert.deepEqual(news, [true, false]);
  assert.deepEqual([[...watched.walked], pathsOf(await next())], [[], []]);
});

test("a round shows all files, and stops when nobody wants it", { skip }, async (t) => {
  const { watched } = await watching(t);
  const seen: string[] = [];
  await refresh(
    watched,
    () => true,
    ({ files }, isNew) => {
      assert.equal(isNew, false);
      seen.push(...files.map(({ path }) => path));
    },
  );
  assert.deepEqual(seen.sort(), ["p/a.md", "p/deep/b.md", "q/c.md"]);
  assert.equal(
    await refresh(
      watched,
      () => false,
      () => assert.fail(),
    ),
    false,
  );
});

test("another root, or none, is no longer the one that is watched", { skip }, async (t) => {
  const { root, next } = await watching(t);
  renameSync(root, `${root}-old`);
  t.after(() => rmSync(`${root}-old`, { recursive: true }));
  assert.equal(await next(), undefined);
  mkdirSync(root);
  assert.equal(await next(), undefined);
});

test("only a share of the system's watches is used", { skip }, async (t) => {
  const watched = { ...openWatchTree(makeWorkspace(t, FILES), () => {}), most: 3 };
  t.after(() => watched.inotify.close());
  await assert.rejects(
    refresh(
      watched,
      () => true,
      () => {},
    ),
    /quarter of the system's watches/,
  );
});

test("so many changes at once that some may be missing are not believed", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const inotify = openInotify(50, () => {});
  t.after(() => inotify.close());
  inotify.add("p", folder);
  for (let n = 0; n < 100; n++) {
    writeFileSync(join(folder, `${n}.md`), "x");
    assert.equal(await inotify.drain(), true);
    await turn();
  }
  assert.equal(inotify.take().get("p")?.names.size, 100);
  for (let n = 0; n < 100; n++) writeFileSync(join(folder, `${n}.md`), "y");
  assert.equal(await inotify.drain(), false);
});

test("watching leaves no file behind", { skip }, (t) => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith(".vibe-mcp-"));
  openWatchTree(makeWorkspace(t, FILES), () => {}).inotify.close();
  const after = readdirSync(tmpdir()).filter((name) => name.startsWith(".vibe-mcp-"));
  assert.deepEqual(after, before);
});
