import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeFolder } from "../../src/core/storage/folders.ts";
import { projectNames } from "../../src/core/storage/list.ts";
import { findHome, makeHome } from "../../src/core/storage/lock-folder.ts";
import { placeNew } from "../../src/core/storage/new-file.ts";
import { gateOf } from "../../src/core/storage/path-gate.ts";
import { scanWorkspace } from "../../src/core/storage/walk.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const GONE = { code: "FILESYSTEM_ERROR", message: /^The folder of the notes is not there now \(a disk/ };

/** A root whose notes were seen; `leave` moves what is in it elsewhere, `comeBack` brings it. */
function seenRoot(t: TestContext, files: Record<string, string>) {
  const root = makeWorkspace(t, files);
  const away = temporaryFolder(t);
  assert.deepEqual(projectNames(root), ["p"]);
  const move = (from: string, to: string) => {
    for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name));
  };
  return { root, leave: () => move(root, away), comeBack: () => move(away, root) };
}

const CALLS: Record<string, (root: string) => unknown> = {
  "lists projects": projectNames,
  "reads a file": (root) => gateOf(root).openFile("p/a.md"),
  "finds a folder": (root) => gateOf(root).resolve("p"),
  "creates a note": (root) => placeNew(gateOf(root), "p/b.md"),
  "makes the root": makeFolder,
  "makes its own folder": (root) => makeHome(root, ["locks"]),
  "finds its own folder": (root) => findHome(root, ["history"]),
};

for (const [what, call] of Object.entries(CALLS))
  test(`nothing that ${what} takes a disk that went away for an empty folder`, (t) => {
    const { root, leave, comeBack } = seenRoot(t, { "p/a.md": "a", ".vibe-mcp/locks/": "" });
    leave();
    assert.throws(() => call(root), GONE);
    assert.deepEqual(readdirSync(root), []);
    comeBack();
    assert.deepEqual(projectNames(root), ["p"]);
    assert.doesNotThrow(() => call(root));
  });

test("a scan of a disk that went away fails, whatever it lacks", (t) => {
  const { root, leave } = seenRoot(t, { "p/a.md": "a", ".vibe-mcp/locks/": "" });
  leave();
  const { failed, skipped } = scanWorkspace(root);
  assert.deepEqual(failed, [""]);
  assert.match(skipped[0]?.reason ?? "", /^not readable: The folder of the notes is not there now/);
});

const STAYS: Record<string, (root: string) => void> = {
  "whose last project was removed": (root) => rmSync(join(root, "p"), { recursive: true }),
  "that was removed": (root) => rmSync(root, { recursive: true }),
  "that was renamed, and made again": (root) => {
    renameSync(root, `${root}-old`);
    projectNames(root);
    mkdirSync(root);
  },
};

for (const [what, change] of Object.entries(STAYS))
  test(`a root ${what} has no projects`, (t) => {
    const { root } = seenRoot(t, { "p/a.md": "a", ".vibe-mcp/locks/": "" });
    t.after(() => rmSync(`${root}-old`, { recursive: true, force: true }));
    change(root);
    assert.deepEqual(projectNames(root), []);
  });

test("a root that never had a folder of this program may be emptied", (t) => {
  const { root, leave } = seenRoot(t, { "p/a.md": "a" });
  leave();
  assert.deepEqual(projectNames(root), []);
});
