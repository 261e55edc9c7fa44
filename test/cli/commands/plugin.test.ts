import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { person } from "../../fixtures/terminal.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

test("plugin writes a folder and says how to install it, and a second time changes nothing", (t) => {
  const { inPipe, cwd } = person(t);
  const answers = [1, 2].map(() => JSON.parse(inPipe(["plugin", "Claude Code", "--json"]).stdout));
  const [first, second] = answers;
  assert.deepEqual([first.written, second.written], [first.total, 0]);
  assert.match(
    first.next.join("\n"),
    /^claude plugin marketplace add .*vibe-plugin\S*\nclaude plugin install vibe@vibe-mcp$/,
  );
  const file = join(cwd, "vibe-plugin", "skills", "vibe", "SKILL.md");
  writeFileSync(file, "old");
  assert.match(inPipe(["plugin", "claude-code"]).stdout, /^Wrote 1 of \d+ files to vibe-plugin\.\n/);
  assert.match(readFileSync(file, "utf8"), /^---\nname: vibe\n/);
});

test("plugin refuses a folder of something else, and a client that has no plugins", (t) => {
  const { inPipe, cwd } = person(t);
  writeFiles(cwd, { "mine/a.txt": "x" });
  const taken = inPipe(["plugin", "gemini-cli", "mine"]);
  assert.equal(taken.status, 1);
  assert.match(taken.stderr, /'mine' is not empty\. Name a new folder: .* plugin gemini my-plugin/);
  const unknown = inPipe(["plugin", "zed"]);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /'zed' is not one of claude-code, codex, copilot, gemini/);
});

test("the hook prints the briefing of the folder's project, and nothing without Node.js, workspace or project", {
  skip: ON_WINDOWS && "the hook is a line for a shell",
}, (t) => {
  const { inPipe, cwd, root } = person(t);
  inPipe(["plugin", "claude-code"]);
  const plugin = join(cwd, "vibe-plugin");
  const hooks = JSON.parse(readFileSync(join(plugin, "hooks", "hooks.json"), "utf8"));
  const [
    {
      matcher,
      hooks: [hook],
    },
  ] = hooks.hooks.SessionStart;
  assert.equal(matcher, "startup|clear|compact");
  const project = temporaryFolder(t);
  writeFiles(project, { "AGENTS.md": "vibe: shop\n" });
  const run = (env: Record<string, string>) => {
    const all = {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      CLAUDE_PLUGIN_ROOT: plugin,
      VIBE_ROOT: root,
      ...env,
    };
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", hook.command], {
      cwd: project,
      env: all,
      encoding: "utf8",
    });
    assert.deepEqual([status, stderr], [0, ""]);
    return stdout;
  };
  assert.equal(run({}), "");
  writeFiles(root, { "shop/status.md": `# Status\n\n${"All is well. ".repeat(2000)}\n` });
  const { hookSpecificOutput } = JSON.parse(run({}));
  assert.equal(hookSpecificOutput.hookEventName, "SessionStart");
  assert.match(hookSpecificOutput.additionalContext, /^# Session Start: shop\n/);
  assert.ok(hookSpecificOutput.additionalContext.length <= 8000);
  assert.equal(run({ PATH: "/nonexistent" }), "");
  assert.equal(run({ VIBE_ROOT: join(project, "AGENTS.md") }), "");
  assert.equal(run({ CLAUDE_PLUGIN_ROOT: "" }), "");
});
