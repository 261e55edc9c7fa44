import assert from "node:assert/strict";
import { chmodSync, chownSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeFiles } from "../fixtures/workspace.ts";
import { newcomer } from "./newcomer.ts";

const OTHER_USER = 65534;

test("files that connect makes as root in another user's home belong to that user", {
  skip: process.getuid?.() !== 0 && "only root writes for others",
}, (t) => {
  const { run, home, cwd } = newcomer(t);
  writeFiles(home, { ".gemini/settings.json": "{}" });
  for (const path of ["", ".gemini", ".gemini/settings.json"])
    chownSync(join(home, path), OTHER_USER, OTHER_USER);
  chmodSync(join(home, ".gemini", "settings.json"), 0o640);
  chownSync(cwd, OTHER_USER, OTHER_USER);
  for (const args of [["cursor"], ["windsurf"], ["gemini"], ["claude-code", "--here"]])
    assert.equal(run("connect", ...args, "--yes").status, 0);
  const made = [
    ".cursor",
    ".cursor/mcp.json",
    ".codeium",
    ".codeium/windsurf",
    ".codeium/windsurf/mcp_config.json",
    ".gemini/settings.json.bak",
  ].map((path) => join(home, path));
  for (const file of [...made, join(cwd, ".mcp.json")]) {
    const { uid, gid } = lstatSync(file);
    assert.deepEqual([uid, gid], [OTHER_USER, OTHER_USER], file);
  }
  const bits = (path: string) => statSync(join(home, path)).mode & 0o777;
  assert.equal(bits(".gemini/settings.json.bak"), 0o640);
});

test("only the user can read their new settings, whatever the umask", {
  skip: process.platform === "win32" && "Windows keeps no permission bits",
}, (t) => {
  const { run, home } = newcomer(t);
  for (const client of ["cursor", "codex", "claude-code"])
    assert.equal(run("connect", client, "--yes").status, 0);
  for (const path of [".cursor/mcp.json", ".codex/config.toml", ".claude.json"])
    assert.equal(statSync(join(home, path)).mode & 0o777, 0o600, path);
});
