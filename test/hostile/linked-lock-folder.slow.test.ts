import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withLock } from "../../src/core/storage/locks.ts";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { lockPath, locksOf, plantLock } from "../fixtures/locks.ts";
import { assertTells } from "../fixtures/tells.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const skip = process.platform === "win32" && "links need privileges";
/** Makes a lock, or a file in it, look old. */
function makeOld(lock: string): void {
  const names = lstatSync(lock).isDirectory() ? readdirSync(lock).map((name) => join(lock, name)) : [lock];
  for (const name of names) lutimesSync(name, 1, 1);
}

const TASK = { project: "p", title: "New", objective: "Do it" };

for (const place of [".vibe-mcp", ".vibe-mcp/locks"]) {
  test(`if ${place} is a link, nothing is written or removed behind it`, { skip }, async (t) => {
    const root = makeWorkspace(t, { "p/a.md": "# A\n" });
    const outside = makeWorkspace(t, { ".vibe-mcp-00000000-1-0123456789ab.tmp": "mine", "locks/": "" });
    utimesSync(join(outside, ".vibe-mcp-00000000-1-0123456789ab.tmp"), 1, 1);
    if (place !== ".vibe-mcp") mkdirSync(join(root, ".vibe-mcp"));
    symlinkSync(outside, join(root, place));
    const before = readdirSync(outside, { recursive: true });
    const { fail } = await serve(t, root);
    const { code, message } = await fail("create_task", TASK);
    assert.equal(code, "FILESYSTEM_ERROR");
    assertTells(message, [`'${place}'`, "folder", "link"]);
    const doctor = runCommand(builtFile(t), ["doctor", "--fix", "--root", root], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: root },
    });
    assert.match(doctor.stdout, /problem +locks .*link/);
    assert.deepEqual(readdirSync(outside, { recursive: true }), before);
    assert.deepEqual(readdirSync(join(root, "p")), ["a.md"]);
  });
}

test("a lock that is a link, or holds links, pipes and folders, is removed without following them", {
  skip,
}, async (t) => {
  const root = temporaryFolder(t);
  const outside = makeWorkspace(t, { "notes/a.md": "mine", "b.md": "mine" });
  await withLock(root, "p", async () => {});
  const inside = [
    () => symlinkSync(join(outside, "notes"), lockPath(root)),
    () => symlinkSync(join(outside, "b.md"), lockPath(root)),
    () => {
      mkdirSync(lockPath(root));
      symlinkSync(join(outside, "b.md"), join(lockPath(root), ".vibe-mcp-00000000-1-0123456789ab.tmp"));
      symlinkSync(join(outside, "notes"), join(lockPath(root), "notes"));
      mkdirSync(join(lockPath(root), ".vibe-mcp-00000000-1-0123456789ac.tmp", "deep"), { recursive: true });
      spawnSync("mkfifo", [join(lockPath(root), ".vibe-mcp-00000000-1-0123456789ad.tmp")]);
    },
    () => {
      writeFileSync(join(plantLock(root, "x"), "..", ".vibe-mcp-00000000-1-0123456789ae.tmp.broken"), "");
    },
  ];
  for (const plant of inside) {
    plant();
    makeOld(lockPath(root));
    assert.equal(await withLock(root, "p", async () => "done"), "done");
    assert.deepEqual(
      locksOf(root).filter((name) => name.endsWith(".lock")),
      [],
    );
  }
  assert.deepEqual(readdirSync(outside, { recursive: true }).sort(), ["b.md", "notes", "notes/a.md"]);
  assert.equal(readFileSync(join(outside, "b.md"), "utf8"), "mine");
});
