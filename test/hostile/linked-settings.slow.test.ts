import assert from "node:assert/strict";
import { lstatSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { writeFiles } from "../fixtures/workspace.ts";
import { contentOf, newcomer } from "./newcomer.ts";

const skip = ON_WINDOWS && "Links need a right of their own there";

test("a link inside the repository is followed", { skip }, (t) => {
  const { run, cwd } = newcomer(t);
  writeFiles(cwd, { "tools/mcp.json": "{}" });
  symlinkSync(join("tools", "mcp.json"), join(cwd, ".mcp.json"));
  assert.equal(run("connect", "claude-code", "--here", "--yes").status, 0);
  assert.ok(lstatSync(join(cwd, ".mcp.json")).isSymbolicLink());
  assert.ok(JSON.parse(readFileSync(join(cwd, "tools", "mcp.json"), "utf8")).mcpServers.vibe);
});

test("links in a home may lead anywhere in it, but not out of it", { skip }, (t) => {
  const { run, home, outside } = newcomer(t);
  writeFiles(home, { ".cursor/": "", "dotfiles/mcp.json": "{}" });
  symlinkSync(join("..", "dotfiles", "mcp.json"), join(home, ".cursor", "mcp.json"));
  assert.equal(run("connect", "cursor", "--yes").status, 0);
  assert.ok(lstatSync(join(home, ".cursor", "mcp.json")).isSymbolicLink());
  assert.match(readFileSync(join(home, "dotfiles", "mcp.json"), "utf8"), /vibe/);
  writeFiles(outside, { "settings.json": "{}" });
  symlinkSync(outside, join(home, ".gemini"));
  const { status, stderr } = run("connect", "gemini", "--yes");
  assert.equal(status, 1);
  assert.ok(stderr.includes(join(realpathSync(outside), "settings.json")), stderr);
  assert.deepEqual(contentOf(outside), { "settings.json": "{}" });
  assert.match(run("doctor").stdout, /Gemini CLI cannot .*: .* link to/);
});

test("in a home that is a repository, links may not leave their folder", { skip }, (t) => {
  const { inPipe, home } = newcomer(t);
  writeFiles(home, { ".git/HEAD": "", ".bashrc.json": "{}", "unpacked/": "" });
  symlinkSync(join("..", ".bashrc.json"), join(home, "unpacked", ".mcp.json"));
  const typed = { cwd: join(home, "unpacked"), env: { HOME: home, USERPROFILE: home } };
  const { status, stderr } = inPipe(["connect", "claude-code", "--here", "--yes"], typed);
  assert.equal(status, 1);
  assert.match(stderr, /\.bashrc\.json', outside of '.*unpacked'/);
  assert.equal(readFileSync(join(home, ".bashrc.json"), "utf8"), "{}");
});
