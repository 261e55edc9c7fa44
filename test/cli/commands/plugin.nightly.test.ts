import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { person } from "../../fixtures/terminal.ts";
import { claudeTranscript, copilotTranscript, WORK } from "../../fixtures/transcripts.ts";
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

test("plugin says which line removes the entry of connect", (t) => {
  const { inPipe } = person(t);
  for (const [option, line] of [
    [[], "connect claude-code --remove"],
    [["--here"], "connect claude-code --here --remove"],
  ] as const) {
    assert.doesNotMatch(inPipe(["plugin", "claude-code"]).stderr, /Remove that first/);
    inPipe(["connect", "claude-code", ...option, "--yes"]);
    const { stderr } = inPipe(["plugin", "claude-code"]);
    assert.ok(stderr.endsWith(`Remove that first: vibe-mcp ${line}\n`), stderr);
    assert.equal(inPipe([...line.split(" "), "--yes"]).status, 0);
  }
});

/** A project's folder, and the line of a hook of the plugin as a client runs it there. */
function hooked(t: TestContext, file = "hooks/hooks.json") {
  const someone = person(t);
  const { inPipe, cwd, root } = someone;
  inPipe(["plugin", "claude-code"]);
  const plugin = join(cwd, "vibe-plugin");
  const { hooks } = JSON.parse(readFileSync(join(plugin, file), "utf8"));
  const project = temporaryFolder(t);
  writeFiles(project, { "AGENTS.md": "vibe: shop\n" });
  const run = (event: string, env: Record<string, string> = {}, input = "") => {
    const [group] = hooks[event];
    const roots = { CLAUDE_PLUGIN_ROOT: plugin, COPILOT_PLUGIN_ROOT: plugin };
    const given = { HOME: cwd, ...roots, VIBE_ROOT: root, TZ: "UTC", ...env };
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", group.hooks[0].command], {
      cwd: project,
      env: { PATH: process.env["PATH"], ...given },
      input,
      encoding: "utf8",
    });
    assert.deepEqual([status, stderr], [0, ""]);
    return stdout;
  };
  return { ...someone, project, hooks, run };
}

test("after a yes the plugin's hooks keep the session, behind the client's back", {
  skip: ON_WINDOWS && "the hook is a line for a shell",
  timeout: 120_000,
}, async (t) => {
  const { inPipe, cwd, root, project, run } = hooked(t);
  const transcript = join(project, "s.jsonl");
  writeFiles(root, { "shop/status.md": "# Status\n" });
  writeFileSync(transcript, claudeTranscript(WORK, { folder: project }));
  inPipe(["capture", "--on"], { env: { HOME: cwd } });
  const input = JSON.stringify({ transcript_path: transcript });
  for (const event of ["PreCompact", "SessionEnd"]) assert.equal(run(event, {}, input), "");
  const note = join(root, "shop", "sessions", "2025-02-09.md");
  while (!existsSync(note)) await setTimeout(50);
  assert.match(readFileSync(note, "utf8"), /<!-- vibe-mcp capture claude-code /);
});

test("Copilot CLI gets the briefing in its own form, and its session is kept though it names no transcript", {
  skip: ON_WINDOWS && "the hook is a line for a shell",
  timeout: 120_000,
}, async (t) => {
  const { inPipe, cwd, root, project, hooks, run } = hooked(t, "com.github.copilot/hooks/hooks.json");
  writeFiles(root, { "shop/status.md": "# Status\n" });
  writeFiles(cwd, {
    ".copilot/session-state/7b1d/events.jsonl": copilotTranscript(WORK, { folder: project }),
  });
  assert.equal("matcher" in hooks.SessionStart[0], false);
  const brief = JSON.parse(run("SessionStart", { COPILOT_HOOK_DIR: "/plugin/hooks" }));
  assert.match(brief.additionalContext, /^# Session Start: shop\n/);
  inPipe(["capture", "--on"], { env: { HOME: cwd } });
  const note = join(root, "shop", "sessions", "2025-02-09.md");
  for (const session_id of ["../7b1d", "none"]) run("SessionEnd", {}, JSON.stringify({ session_id }));
  run("SessionEnd", {}, JSON.stringify({ session_id: "7b1d" }));
  while (!existsSync(note)) await setTimeout(50);
  assert.match(readFileSync(note, "utf8"), /<!-- vibe-mcp capture copilot /);
});

test("Gemini CLI's hooks keep a session, in its own events and units", (t) => {
  const { inPipe, cwd } = person(t);
  inPipe(["plugin", "gemini"]);
  const { hooks } = JSON.parse(readFileSync(join(cwd, "vibe-plugin", "hooks", "hooks.json"), "utf8"));
  assert.deepEqual(Object.keys(hooks), ["SessionStart", "PreCompress", "SessionEnd"]);
  const [{ command, timeout }] = hooks.SessionEnd[0].hooks;
  assert.match(command, /extensionPath\}\/server\/vibe-mcp\.cjs" capture --hook/);
  assert.equal(timeout, 30_000);
});

test("the hook prints the briefing of the folder's project, and nothing without Node.js, workspace or project", {
  skip: ON_WINDOWS && "the hook is a line for a shell",
}, (t) => {
  const { root, project, hooks, run } = hooked(t);
  const brief = (env?: Record<string, string>) => run("SessionStart", env);
  assert.equal(hooks.SessionStart[0].matcher, "startup|clear|compact");
  assert.equal(brief(), "");
  writeFiles(root, { "shop/status.md": `# Status\n\n${"All is well. ".repeat(2000)}\n` });
  const { hookSpecificOutput } = JSON.parse(brief());
  assert.equal(hookSpecificOutput.hookEventName, "SessionStart");
  assert.match(hookSpecificOutput.additionalContext, /^# Session Start: shop\n/);
  assert.ok(hookSpecificOutput.additionalContext.length <= 8000);
  assert.equal(brief({ PATH: "/nonexistent" }), "");
  assert.equal(brief({ VIBE_ROOT: join(project, "AGENTS.md") }), "");
  assert.equal(brief({ CLAUDE_PLUGIN_ROOT: "" }), "");
});
