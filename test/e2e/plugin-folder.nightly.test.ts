import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { builtFile } from "../fixtures/built.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

/** Starts the program in its plugin's folder, as Codex does, and itself works in `folder`. */
const CLIENT = `
const [cwd, ...args] = process.argv.slice(1);
const { status } = require("node:child_process").spawnSync(process.execPath, args, { cwd, stdio: "inherit" });
process.exitCode = status;`;

/** A plugin in a folder that is named like a project, and a repository of another one. */
function setup(t: TestContext) {
  const root = makeWorkspace(t, { "shop/status.md": "# Shop\n", "blog/status.md": "# Blog\n" });
  const home = temporaryFolder(t);
  const [repository, plugin] = [join(home, "code", "shop"), join(home, "cache", "blog")];
  writeFiles(repository, { ".git/HEAD": "" });
  const env = { HOME: home, USERPROFILE: home, PATH: process.env["PATH"] ?? "", VIBE_ROOT: root };
  const inFolder = (cwd: string, args: string[], more = {}) =>
    spawnSync(process.execPath, args, { cwd, env: { ...env, ...more }, encoding: "utf8" });
  inFolder(home, [builtFile(t), "plugin", "codex", plugin]);
  const program = join(plugin, "server", "vibe-mcp.cjs");
  const brief = (folder: string, more = {}) =>
    inFolder(folder, ["-e", CLIENT, "--", plugin, program, "brief", "--json"], more);
  return { home, repository, plugin, brief };
}

test("a server that is started in its plugin's folder finds the project of the client's folder", {
  skip: ON_WINDOWS && "the system does not tell the folder of another process",
}, (t) => {
  const { repository, brief } = setup(t);
  const { stdout, stderr } = brief(repository);
  assert.equal(JSON.parse(stdout || "{}").project, "shop", stderr);
});

test("the environment names the folder, too", (t) => {
  const { home, plugin, repository, brief } = setup(t);
  assert.equal(JSON.parse(brief(plugin, { PWD: repository }).stdout).project, "shop");
  assert.equal(JSON.parse(brief(home, { CLAUDE_PROJECT_DIR: repository }).stdout).project, "shop");
});

test("the plugin's folder is never taken for a project, and the answer says so", (t) => {
  const { plugin, brief } = setup(t);
  const { status, stderr } = brief(plugin);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /Which project\? The client started this server in its plugin's folder, and names no other\./,
  );
});
