import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import {
  claudeTranscript,
  codexTranscript,
  copilotTranscript,
  geminiTranscript,
  oldGeminiTranscript,
  WORK,
} from "../../fixtures/transcripts.ts";
import { temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const NOTE = "payments-api/sessions/2025-02-09.md";

/** A person whose sessions ran in the folder of a project. */
function worker(t: TestContext) {
  const someone = person(t);
  const home = temporaryFolder(t);
  const folder = join(home, "payments-api");
  writeFiles(someone.root, {
    "payments-api/tasks/004-rotate-keys.md": "# Task: Rotate keys\n\nStatus: pending\n",
  });
  writeFiles(home, {
    "payments-api/.git/HEAD": "ref: refs/heads/main\n",
    ".claude/projects/-home-ana-payments-api/6a0c1d52.jsonl": claudeTranscript(WORK, { folder }),
    ".codex/sessions/2025/02/09/rollout-2025-02-09T14-05-00-7b1d.jsonl": codexTranscript(WORK, {
      folder,
      session: "7b1d",
    }),
  });
  utimesSync(join(home, ".claude/projects/-home-ana-payments-api/6a0c1d52.jsonl"), 0, 0);
  const env = { HOME: home, USERPROFILE: home };
  const run = (args: readonly string[], input = "") => someone.inPipe(args, { cwd: folder, env, input });
  const file = (path: string) => join(home, path);
  const note = () => readFileSync(join(someone.root, NOTE), "utf8");
  return {
    ...someone,
    folder,
    home,
    run,
    note,
    claude: file(".claude/projects/-home-ana-payments-api/6a0c1d52.jsonl"),
  };
}

test("capture keeps a session in the project of its folder, and says where", (t) => {
  const { run, note, claude } = worker(t);
  const shown = run(["capture", claude, "--dry-run"]);
  assert.match(shown.stdout, /^payments-api\/sessions\/2025-02-09\.md:\n<!-- vibe-mcp capture claude-code/);
  assert.throws(note);
  const { status, stdout, stderr } = run(["capture", claude]);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, `Created ${NOTE}: 2 questions to Claude Code\n`);
  assert.match(note(), /1\. Rotate the signing keys, and say what is left\. The old one is •••\.\n/);
  assert.match(run(["capture", claude]).stdout, /^Already in /);
  // The newest one of this project.
  assert.match(run(["capture"]).stdout, /^Added to .*: 2 questions to Codex\n$/);
  const { days } = JSON.parse(run(["capture", claude, "--json"]).stdout);
  assert.equal(days[0].action, "unchanged");
  assert.match(run(["history"]).stdout, /capture/);
});

test("capture says what it skipped, and what is no transcript", (t) => {
  const { run, claude, home } = worker(t);
  const whole = readFileSync(claude, "utf8");
  writeFileSync(claude, `${whole.slice(0, -30)}\n{"cut`);
  const { status, stderr } = run(["capture", claude]);
  assert.equal(status, 0);
  assert.match(stderr, /^Skipped 2 of \d+ lines: 2 cut or not JSON\.\n$/);
  const files: [string, string, RegExp][] = [
    ["notes.md", "# Notes\n", /is no transcript of Codex, Gemini CLI, Copilot CLI, Claude Code/],
    ["empty.jsonl", "", /is no transcript/],
    ["missing.jsonl", "", /it does not exist/],
    [
      "other.jsonl",
      claudeTranscript(WORK, { folder: "/home/ana/unknown" }),
      /belongs to no project .* init unknown/,
    ],
  ];
  for (const [name, text, problem] of files) {
    if (name !== "missing.jsonl") writeFileSync(join(home, name), text);
    const failed = run(["capture", join(home, name)]);
    assert.equal(failed.status, 1, name);
    assert.match(failed.stderr, problem);
  }
  writeFileSync(join(home, "none.jsonl"), claudeTranscript([{ say: "Hello" }], { folder: home }));
  const none = run(["capture", join(home, "none.jsonl"), "--project", "payments-api"]);
  assert.equal(none.status, 1);
  assert.match(none.stderr, /^Nothing to keep/);
});

test("a hook captures without a word, whatever it is given", (t) => {
  const { run, note, claude, home } = worker(t);
  const input = JSON.stringify({ session_id: "x", transcript_path: claude, hook_event_name: "SessionEnd" });
  assert.equal(run(["capture", "--on"]).status, 0);
  for (const [given, args] of [
    ["", []],
    ["no JSON", []],
    ['{"transcript_path": 7}', []],
    [JSON.stringify({ transcript_path: join(home, "missing.jsonl") }), []],
    [input, ["--read-only"]],
    [input, []],
  ] as const) {
    const { status, stdout, stderr } = run(["capture", "--hook", ...args], given);
    assert.deepEqual([status, stdout, stderr], [0, "", ""], given);
  }
  assert.match(note(), /Rotate the signing keys/);
  assert.match(run(["search", "signing keys"]).stdout, /sessions\/2025-02-09\.md/);
});

test("hooks keep nothing without a yes, and off again leaves no trace of it", (t) => {
  const { root, run, note, claude, home } = worker(t);
  const input = JSON.stringify({ transcript_path: claude });
  const end = () => {
    const { status, stdout, stderr } = run(["capture", "--hook"], input);
    assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  };
  const before = readdirSync(home, { recursive: true });
  const notes = readdirSync(root, { recursive: true });
  end();
  const on = run(["capture", "--on"]);
  assertTells(on.stderr, ["what you asked", "masked", "Nothing leaves"]);
  assertTells(on.stdout, [root, "capture --off"]);
  assert.equal(JSON.parse(run(["capture", "--on", "--json"]).stdout).changed, false);
  assert.equal(JSON.parse(run(["capture", "--off", "--json"]).stdout).changed, true);
  end();
  assert.throws(note);
  rmdirSync(join(home, ".local/state/vibe-mcp/capture"));
  rmdirSync(join(home, ".local/state/vibe-mcp"));
  const own = (path: string | Buffer) => !/^\.local/.test(String(path));
  assert.deepEqual(readdirSync(home, { recursive: true }).filter(own), before);
  assert.deepEqual(readdirSync(root, { recursive: true }), notes);
  for (const args of [
    ["--on", "--off"],
    ["--on", claude],
    ["--off", "--all"],
    ["--all", claude],
  ])
    assert.equal(run(["capture", ...args]).status, 2, args.join(" "));
});

test("a read-only workspace keeps nothing", (t) => {
  const { run, note, claude } = worker(t);
  assert.match(run(["capture", claude, "--read-only"]).stderr, /read-only/);
  assert.equal(run(["capture", claude, "--read-only", "--dry-run"]).status, 0);
  assert.throws(note);
});

test("capture --all brings in the sessions of every client, and names the folders without a project", (t) => {
  const { folder, run, note, home } = worker(t);
  const chats = ".gemini/tmp/payments-api/chats";
  const lost = geminiTranscript(WORK, { session: "g2" }).replaceAll("**Workspace", "**Lost");
  writeFiles(home, {
    ".gemini/tmp/payments-api/.project_root": folder,
    [`${chats}/session-2025-02-09T14-05-g1.jsonl`]: `${geminiTranscript(WORK, { folder, session: "g1" })}{`,
    [`${chats}/session-2025-02-09T14-06-g2.jsonl`]: lost,
    [`${chats}/session-2025-02-09T14-07-g3.json`]: oldGeminiTranscript(WORK, { folder, session: "g3" }),
    [`${chats}/g1/helper.jsonl`]: geminiTranscript(WORK, { folder, session: "helper" }),
    ".copilot/session-state/c1/events.jsonl": copilotTranscript(WORK, { folder, session: "c1" }),
  });
  const shop = claudeTranscript(WORK, { folder: join(home, "shop") });
  writeFiles(home, {
    ".claude/projects/-home-ana-shop/a.jsonl": shop,
    ".claude/projects/-home-ana-shop/b.jsonl": "{",
  });
  assert.match(run(["capture", "--all", "--dry-run"]).stdout, /^payments-api\/sessions\/2025-02-09\.md:\n/);
  assert.throws(note);
  const { stdout, stderr } = run(["capture", "--all"]);
  assert.equal(stdout.match(/2 questions to Gemini CLI\n/g)?.length, 3);
  assert.equal(stdout.match(/2 questions to Copilot CLI\n/g)?.length, 1);
  assert.match(stderr, /^\S+-g1\.jsonl: Skipped 1 of \d+ lines: .*\nLeft out, .*shop\n$/);
  for (const block of ["gemini g1", "gemini g2", "gemini g3", "copilot c1"])
    assert.match(note(), new RegExp(`<!-- vibe-mcp capture ${block} `));
  assert.doesNotMatch(note(), /helper/);
  const before = note();
  assert.doesNotMatch(run(["capture", "--all"]).stdout, /^(?:Created|Added|Updated)/m);
  assert.equal(note(), before);
  const { status, stderr: none } = run(["capture", join(home, ".claude/projects/-home-ana-shop/a.jsonl")]);
  assert.equal(status, 1);
  assert.match(none, /shop', which belongs to no project .* vibe-mcp init shop\n/);
});
