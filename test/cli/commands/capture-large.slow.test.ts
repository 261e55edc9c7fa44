import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isNightly, someOf } from "../../fixtures/num-runs.ts";
import { claudeTranscript, codexTranscript, WORK } from "../../fixtures/transcripts.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const MB = 2 ** 20;
/** By day a quarter, within the same bounds. */
const SIZE = (isNightly ? 200 : 50) * MB;

/** Runs `capture`, and says what it cost: processor time, which a busy machine does not lengthen, and memory. */
function cost(t: TestContext, write: (add: (text: string) => void) => void) {
  const folder = temporaryFolder(t);
  const [file, hook, used] = ["session.jsonl", "used.cjs", "used.json"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const descriptor = openSync(file, "w");
  let size = 0;
  while (size < SIZE)
    write((text) => {
      size += writeSync(descriptor, text);
    });
  closeSync(descriptor);
  writeFileSync(
    hook,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage())));`,
  );
  const root = makeWorkspace(t, { "payments-api/status.md": "# Status\n" });
  const args = ["--require", hook, "dist/vibe-mcp.cjs", "capture", file, "--project", "payments-api"];
  const env = { HOME: folder, PATH: process.env["PATH"], TZ: "UTC", VIBE_ROOT: root };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(used, "utf8"));
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
}

const OUTPUT = "const limit = 12; // límite de peticiones\n".repeat(500);
const LONG = [
  ...WORK,
  ...Array.from({ length: 40 }, () => ({ call: "Bash", input: { command: "npm test" }, output: OUTPUT })),
];

for (const [name, text] of someOf([
  ["Claude Code", claudeTranscript(LONG)],
  [
    "Codex",
    codexTranscript(
      LONG.map((part) =>
        "call" in part && part.call === "Bash"
          ? { ...part, call: "exec_command", input: { cmd: "npm test" } }
          : part,
      ),
    ),
  ],
  ["Claude Code with pictures", claudeTranscript([...WORK, { ask: "x".repeat(7.9 * MB) }])],
  ["Claude Code with lines that are too long", claudeTranscript([...WORK, { ask: "x".repeat(40 * MB) }])],
] as const))
  test(`${SIZE / MB} MB of ${name} take at most 5 seconds and 200 MB`, (t) => {
    const { seconds, megabytes } = cost(t, (add) => add(text));
    t.diagnostic(`${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB`);
    assert.ok(seconds < 5, `${seconds} s`);
    assert.ok(megabytes < 200, `${megabytes} MB`);
  });
