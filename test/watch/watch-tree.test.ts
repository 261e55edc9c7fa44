import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { isTemporary } from "../../src/core/storage/temp-files.ts";
import type { Scan } from "../../src/core/storage/walk.ts";
import { openInotify, unwatchable, watchLimits } from "../../src/core/watch/inotify.ts";
import { scanChanges } from "../../src/core/watch/scan-changes.ts";
import { closeTree, openWatchTree, refresh, type WatchTree } from "../../src/core/watch/watch-tree.ts";
import { withMode } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const skip = unwatchable(tmpdir()) ?? false;
const FILES = { "p/a.md": "a", "p/deep/b.md": "b", "q/c.md": "c", "q/other.txt": "" };

const always = () => true;

async function watching(t: TestContext) {
  const root = makeWorkspace(t, FILES);
  const tree = openWatchTree(root, () => {});
  t.after(() => closeTree(tree));
  assert.equal(await refresh(tree, always, () => {}), true);
  const next = (...dirty: string[]) => {
    for (const path of dirty) tree.inotify.markDirty(path);
    return scanChanges(tree, root);
  };
  return { root, tree, next };
}

const foldersOf = ({ folders }: WatchTree) => [...folders.keys()].filter((path) => path !== "").sort();
const pathsOf = (scan: Scan | undefined) => scan?.files.map(({ path }) => path).sort();

test("a disk that does not report every change is not watched", { skip }, () => {
  assert.equal(unwatchable("/proc"), "the disk is shared or layered");
  assert.equal(unwatchable(join(tmpdir(), "missing", "folder")), "the disk does not say what it is");
  assert.throws(() => openWatchTree("/proc", () => {}), /shared or layered/);
  assert.throws(() => openWatchTree(join(tmpdir(), "missing"), () => {}), /no such folder/);
  assert.ok(watchLimits().watches > 0 && watchLimits().queue > 0);
});

test("every folder is watched, and a scan covers only changes", { skip }, async (t) => {
  const { root, tree, next } = await watching(t);
  assert.deepEqual(foldersOf(tree), ["p", "p/deep", "q"]);
  const still = await next();
  assert.deepEqual([still?.files, still?.scope], [[], { files: new Set(), folders: new Set() }]);
  writeFileSync(join(root, "p", "deep", "b.md"), "changed");
  const edited = await next();
  assert.deepEqual([pathsOf(edited), edited?.scope?.files], [["p/deep/b.md"], new Set(["p/deep/b.md"])]);
  rmSync(join(root, "p", "deep"), { recursive: true });
  const removed = await next("q/c.md");
  assert.deepEqual(pathsOf(removed), ["q/c.md"]);
  assert.deepEqual(removed?.scope?.folders, new Set(["p/deep"]));
  assert.deepEqual(foldersOf(tree), ["p", "q"]);
  writeFiles(root, { "r/x/y.md": "", "p/.hidden/z.md": "" });
  const added = await next();
  assert.deepEqual([pathsOf(added), added?.projects], [["r/x/y.md"], ["p", "q", "r"]]);
  assert.deepEqual(foldersOf(tree), ["p", "q", "r", "r/x"]);
});

test("a change in an unwatched folder causes a full scan", { skip }, async (t) => {
  const { next } = await watching(t);
  const scan = await next("p/unknown/x.md");
  assert.deepEqual([pathsOf(scan), scan?.scope], [["p/a.md", "p/deep/b.md", "q/c.md"], undefined]);
});

test("a project with a link to a folder is walked each time, until the link is gone", { skip }, async (t) => {
  const { root, tree, next } = await watching(t);
  symlinkSync(join(root, "q"), join(root, "p", "link"));
  const all = await next();
  assert.deepEqual(pathsOf(all), ["p/a.md", "p/deep/b.md", "p/link/c.md", "q/c.md"]);
  assert.deepEqual([all?.scope, [...tree.walked], foldersOf(tree)], [undefined, ["p"], ["q"]]);
  assert.deepEqual(pathsOf(await next()), ["p/a.md", "p/deep/b.md", "p/link/c.md"]);
  rmSync(join(root, "p", "link"));
  await refresh(tree, always, () => {});
  assert.deepEqual(foldersOf(tree), ["p", "p/deep", "q"]);
  assert.deepEqual([[...tree.walked], pathsOf(await next())], [[], []]);
});

test("a walked project that is renamed is no longer walked", { skip }, async (t) => {
  const { root, tree, next } = await watching(t);
  symlinkSync(join(root, "q"), join(root, "p", "link"));
  await next();
  renameSync(join(root, "p"), join(root, "r"));
  const moved = await next();
  assert.deepEqual([moved?.projects, moved?.failed, [...tree.walked]], [["q", "r"], [], ["r"]]);
});

test("a refresh shows all files, and can be stopped", { skip }, async (t) => {
  const { tree } = await watching(t);
  const seen: string[] = [];
  await refresh(tree, always, ({ files }) => void seen.push(...files.map(({ path }) => path)));
  assert.deepEqual(seen.sort(), ["p/a.md", "p/deep/b.md", "q/c.md"]);
  assert.equal(
    await refresh(
      tree,
      () => false,
      () => assert.fail(),
    ),
    false,
  );
});

test("a root that was replaced or removed is no longer watched", { skip }, async (t) => {
  const { root, next } = await watching(t);
  renameSync(root, `${root}-old`);
  t.after(() => rmSync(`${root}-old`, { recursive: true }));
  assert.equal(await next(), undefined);
  mkdirSync(root);
  assert.equal(await next(), undefined);
});

test("a root that was deleted and made again is watched, whatever its inode", {
  skip,
}, async (t) => {
  const { root, next } = await watching(t);
  rmSync(root, { recursive: true });
  mkdirSync(root);
  // Some disks give the new folder the inode of the old one.
  if ((await next()) === undefined) return;
  writeFiles(root, { "new/a.md": "" });
  assert.deepEqual(pathsOf(await next()), ["new/a.md"]);
});

test("an unreadable root ends watching, and is not taken for an empty workspace", {
  skip,
}, async (t) => {
  const { root, tree } = await watching(t);
  await withMode(root, 0, () =>
    assert.rejects(
      refresh(tree, always, () => {}),
      /cannot be read/,
    ),
  );
});

test("only a share of the system's watches is used", { skip }, async (t) => {
  const tree = { ...openWatchTree(makeWorkspace(t, FILES), () => {}), most: 3 };
  t.after(() => closeTree(tree));
  await assert.rejects(
    refresh(tree, always, () => {}),
    /quarter/,
  );
});

test("after so many changes at once that some may be lost, none are reported", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const inotify = openInotify(50, () => {});
  t.after(() => inotify.close());
  const watcher = inotify.watch("p", folder);
  t.after(() => watcher.close());
  const names = new Set<string>();
  for (let n = 0; n < 100; n++) {
    writeFileSync(join(folder, `${n}.md`), "x");
    for (const name of (await inotify.pendingEvents())?.get("p")?.names ?? assert.fail()) names.add(name);
    await turn();
  }
  assert.equal(names.size, 100);
  for (let n = 0; n < 100; n++) writeFileSync(join(folder, `${n}.md`), "y");
  assert.equal(await inotify.pendingEvents(), undefined);
});

test("watching leaves no file behind", { skip }, (t) => {
  closeTree(openWatchTree(makeWorkspace(t, FILES), () => {}));
  // Other processes put files of their own there.
  const own = readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
  assert.deepEqual(own.filter(isTemporary), []);
});
