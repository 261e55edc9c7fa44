import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { builtFile } from "../fixtures/built.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { contentOf } from "./newcomer.ts";

const MOUNT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0/repository" && exec "$@"';

function onReadOnlyDisk(folder: string, command: readonly string[]) {
  const env = {
    HOME: join(folder, "home"),
    VIBE_ROOT: join(folder, "root"),
    CODEX_HOME: join(folder, "none", "codex"),
    PATH: process.env["PATH"],
  };
  const args = ["--mount", "sh", "-c", MOUNT, folder, ...command];
  return spawnSync("unshare", args, { env, encoding: "utf8", timeout: 120_000 });
}

/** Why no disk can be made read-only here; false if one can. */
function noMount(): string | false {
  const isThere = process.platform === "linux" && spawnSync("unshare", ["--mount", "true"]).status === 0;
  return isThere ? false : "making a disk read-only takes Linux, unshare and the right to mount";
}

test("every command that writes names a read-only disk as the reason", { skip: noMount() }, (t) => {
  const [folder, file] = [temporaryFolder(t), builtFile(t)];
  writeFiles(folder, {
    "home/.cursor/mcp.json": "{}",
    "root/shop/status.md": "# Status\n",
    "root/.vibe-mcp/locks/": "",
    "root/.vibe-mcp/.gitignore": "*\n",
    "repository/.git/HEAD": "",
    "repository/AGENTS.md": "# Notes\n",
  });
  const before = contentOf(folder);
  for (const args of [
    ["connect", "cursor", "--yes"],
    ["connect", "gemini", "--yes"],
    ["connect", "codex", "--yes"],
    ["connect", "vscode", "--here", "--yes"],
    ["init", "shop", "--link"],
    ["init", "other"],
    ["new", "A task", "--project", "shop"],
    ["log", "Some words", "--project", "shop"],
  ]) {
    const { status, stderr } = onReadOnlyDisk(folder, [process.execPath, file, ...args]);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /: .*disk is read-only/, args.join(" "));
  }
  const { stdout } = onReadOnlyDisk(folder, [process.execPath, file, "doctor"]);
  assert.match(stdout, /root: .*disk is read-only/);
  assert.doesNotMatch(stdout, /permission to/);
  assert.deepEqual(contentOf(folder), before);
  assert.equal(readFileSync(join(folder, "repository", "AGENTS.md"), "utf8"), "# Notes\n");
});
