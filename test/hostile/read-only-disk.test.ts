import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { builtFile } from "../fixtures/built.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const READ_ONLY = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
const inNamespace = (...args: string[]) =>
  spawnSync("unshare", ["--mount", "sh", "-c", READ_ONLY, "sh", ...args], { encoding: "utf8" });

for (const files of [
  { "p/a.md": "# A\n" },
  { "p/a.md": "# A\n", ".vibe-mcp/locks/": "", ".vibe-mcp/.gitignore": "*\n" },
]) {
  test(`a write to a read-only disk names it (${Object.keys(files).length} entries)`, (t) => {
    const root = makeWorkspace(t, files);
    if (inNamespace(root, "true").status !== 0) return t.skip("needs unshare and the right to mount");
    const args = ["new", "task", "New", "--objective", "Do it", "--project", "p", "--root", root];
    const { status, stderr } = inNamespace(root, process.execPath, builtFile(t), ...args);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /disk is read-only/);
    assert.deepEqual(readdirSync(join(root, "p")), ["a.md"]);
  });
}
