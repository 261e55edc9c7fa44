import assert from "node:assert/strict";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { unwatchable } from "../../src/core/watch/inotify.ts";
import type { Workspace } from "../../src/core/workspace/workspace.ts";
import { makeWorkspace, open, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const FILES = {
  "p/tasks/001-a.md": "one alpha",
  "p/tasks/002-b.md": "two alpha",
  "p/deep/er/c.md": "three alpha",
  "q/d.md": "four alpha",
  "q/notes/e.md": "five alpha",
  "empty/": "",
};

const search = async (workspace: Workspace, query: string) => {
  const { results } = await workspace.search({ query: `"${query}"`, filter: {}, limit: 100 });
  return results.map(({ path }) => path).sort();
};

/** A workspace that is watched by the time it is given, or one that is walked in each call. */
async function opened(t: TestContext, watch: boolean, files = FILES as Record<string, string>) {
  const root = makeWorkspace(t, files);
  const { workspace, logged } = open(t, root, { watch });
  const isWatching = () => logged.some((line) => line.includes(" watching "));
  await search(workspace, "alpha");
  while (watch && !isWatching()) await sleep(20);
  return { root, workspace, logged, find: (query: string) => search(workspace, query) };
}

const projects = (workspace: Workspace) =>
  workspace.index.query((db) => (db.exec("SELECT name FROM projects ORDER BY name")[0]?.values ?? []).flat());

/** Whether what was found was found by watching all along. */
const keptWatching = (logged: string[]) => !logged.some((line) => line.includes("not watching"));

const ways = unwatchable(tmpdir()) === undefined ? [false, true] : [false];

for (const watch of ways) {
  const how = watch ? "watched" : "walked";

  test(`${how}: the next call sees each kind of change`, async (t) => {
    const { root, workspace, find, logged } = await opened(t, watch);
    const at = (path: string) => join(root, ...path.split("/"));
    const a = "p/tasks/001-a.md";
    for (let n = 0; n < 10; n++) {
      writeFileSync(at(a), `edit${n}`);
      assert.deepEqual(await find(`edit${n}`), [a], "in place");
      appendFileSync(at(a), ` more${n}`);
      assert.deepEqual(await find(`more${n}`), [a], "appended");
      writeFileSync(at("p/tasks/.swap"), `swap${n}`);
      renameSync(at("p/tasks/.swap"), at(a));
      assert.deepEqual(await find(`swap${n}`), [a], "by rename");
    }
    renameSync(at(a), at("p/tasks/003-z.md"));
    assert.deepEqual(await find("swap9"), ["p/tasks/003-z.md"]);
    renameSync(at("p/tasks/003-z.md"), at("p/tasks/003-Z.md"));
    assert.deepEqual(await find("swap9"), ["p/tasks/003-Z.md"]);
    unlinkSync(at("p/tasks/003-Z.md"));
    assert.deepEqual(await find("swap9"), []);
    writeFiles(root, { "p/tasks/caf\u00e9.md": "composed", "p/tasks/cafe\u0301.md": "apart" });
    assert.deepEqual(await find("apart"), ["p/tasks/cafe\u0301.md"]);
    unlinkSync(at("p/tasks/caf\u00e9.md"));
    assert.deepEqual(await find("composed"), []);
    assert.deepEqual(await find("apart"), ["p/tasks/cafe\u0301.md"]);
    writeFiles(root, { "p/new/folder/in/f.md": "sixth" });
    assert.deepEqual(await find("sixth"), ["p/new/folder/in/f.md"]);
    writeFiles(root, { "p/new/folder/in/f.md": "seventh" });
    assert.deepEqual(await find("seventh"), ["p/new/folder/in/f.md"]);
    assert.deepEqual(await projects(workspace), ["empty", "p", "q"]);
    assert.ok(keptWatching(logged));
  });

  test(`${how}: folders and projects move, are replaced and come back`, async (t) => {
    const { root, workspace, find, logged } = await opened(t, watch);
    const at = (path: string) => join(root, ...path.split("/"));
    renameSync(at("p"), at("r"));
    assert.deepEqual(await find("three"), ["r/deep/er/c.md"]);
    assert.deepEqual(await projects(workspace), ["empty", "q", "r"]);
    writeFileSync(at("r/deep/er/c.md"), "moved");
    assert.deepEqual(await find("moved"), ["r/deep/er/c.md"]);
    renameSync(at("r/deep"), at("q/shallow"));
    assert.deepEqual(await find("moved"), ["q/shallow/er/c.md"]);
    writeFileSync(at("q/shallow/er/c.md"), "twice");
    assert.deepEqual(await find("twice"), ["q/shallow/er/c.md"]);
    const away = temporaryFolder(t);
    renameSync(at("q"), join(away, "q"));
    writeFiles(root, { "q/notes/e.md": "replaced" });
    assert.deepEqual(await find("replaced"), ["q/notes/e.md"]);
    assert.deepEqual(await find("four"), []);
    writeFileSync(join(away, "q", "d.md"), "outside");
    writeFileSync(at("q/notes/e.md"), "replaced again");
    assert.deepEqual(await find("outside"), []);
    assert.deepEqual(await find("again"), ["q/notes/e.md"]);
    rmSync(at("q"), { recursive: true });
    renameSync(join(away, "q"), at("q"));
    assert.deepEqual(await find("outside"), ["q/d.md"]);
    rmSync(at("empty"), { recursive: true });
    mkdirSync(at("other"));
    assert.deepEqual(await projects(workspace), ["other", "q", "r"]);
    writeFiles(root, { "other/x.md/": "", "other/y.md": "file" });
    assert.deepEqual(await find("file"), ["other/y.md"]);
    rmSync(at("other/x.md"), { recursive: true });
    writeFiles(root, { "other/x.md": "no folder" });
    assert.deepEqual(await find("no folder"), ["other/x.md"]);
    unlinkSync(at("other/x.md"));
    writeFiles(root, { "other/x.md/z.md": "a folder" });
    assert.deepEqual(await find("no folder"), []);
    assert.deepEqual(await find("a folder"), ["other/x.md/z.md"]);
    assert.ok(keptWatching(logged));
  });

  test(`${how}: another folder takes the place of the root`, async (t) => {
    const { root, find } = await opened(t, watch);
    renameSync(root, `${root}-old`);
    t.after(() => rmSync(`${root}-old`, { recursive: true }));
    assert.deepEqual(await find("four"), ["q/d.md"], "a root that vanished loses nothing");
    writeFiles(root, { "q/d.md": "fresh" });
    writeFileSync(join(`${root}-old`, "q", "d.md"), "stale");
    assert.deepEqual(await find("fresh"), ["q/d.md"]);
    assert.deepEqual(await find("stale"), []);
    assert.deepEqual(await find("three"), []);
  });

  test(`${how}: links and second names`, { skip: process.platform === "win32" }, async (t) => {
    const { root, find, logged } = await opened(t, watch);
    const at = (path: string) => join(root, ...path.split("/"));
    symlinkSync(at("q/d.md"), at("p/link.md"));
    assert.deepEqual(await find("four"), ["p/link.md", "q/d.md"]);
    writeFileSync(at("q/d.md"), "through");
    assert.deepEqual(await find("through"), ["p/link.md", "q/d.md"]);
    symlinkSync(at("q/notes"), at("p/notes"));
    assert.deepEqual(await find("five"), ["p/notes/e.md", "q/notes/e.md"]);
    writeFileSync(at("q/notes/e.md"), "linked");
    assert.deepEqual(await find("linked"), ["p/notes/e.md", "q/notes/e.md"]);
    const outside = join(temporaryFolder(t), "outside.md");
    writeFileSync(outside, "second name");
    linkSync(outside, at("q/twin.md"));
    assert.deepEqual(await find("second name"), ["q/twin.md"]);
    writeFileSync(outside, "unseen");
    assert.deepEqual(await find("unseen"), ["q/twin.md"]);
    symlinkSync(at("q"), at("s"));
    assert.deepEqual(await find("unseen"), ["q/twin.md", "s/twin.md"]);
    writeFileSync(outside, "everywhere");
    assert.deepEqual(await find("everywhere"), ["q/twin.md", "s/twin.md"]);
    unlinkSync(at("s"));
    assert.deepEqual(await find("everywhere"), ["q/twin.md"]);
    assert.ok(keptWatching(logged));
  });

  test(`${how}: many files at once, again and again`, async (t) => {
    const { root, find } = await opened(t, watch);
    for (const count of [300, 1000, 30]) {
      rmSync(join(root, "many"), { recursive: true, force: true });
      const paths = Array.from({ length: count }, (_, n) => `many/f${n % 17}/g${n}.md`);
      writeFiles(root, Object.fromEntries(paths.map((path) => [path, `crowd${count}`])));
      assert.equal((await find(`crowd${count}`)).length, Math.min(100, count));
    }
  });
}
