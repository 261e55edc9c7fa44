import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readTranscriptFile } from "../../src/sessions/capture/transcript-file.ts";
import { claudeTranscript, geminiTranscript } from "../fixtures/transcripts.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const ID = "6a0c1d52-3f5e-4b0e-9d0b-0c4f2a7e1b11";
const helped = (shell: string, write: string) => [
  { ask: "What a helper is asked" },
  { call: shell, input: { command: "git commit -m 'feat: helped'" } },
  { call: write, input: { file_path: "src/helped.ts", content: "x" } },
  { say: "What a helper says" },
];
const MAIN = [{ ask: "Do it" }, { say: "Done" }];

for (const [name, file, main, helper, text] of [
  [
    "Claude Code",
    `projects/p/${ID}.jsonl`,
    claudeTranscript(MAIN),
    `projects/p/${ID}/subagents/agent-1.jsonl`,
    claudeTranscript(helped("Bash", "Write")).replaceAll('"isSidechain":false', '"isSidechain":true'),
  ],
  [
    "Gemini CLI",
    "tmp/p/chats/session-2025-02-09T14-05-6a0c1d52.jsonl",
    geminiTranscript(MAIN),
    `tmp/p/chats/${ID}/helper.jsonl`,
    geminiTranscript(helped("run_shell_command", "write_file")).replace('"kind":"main"', '"kind":"subagent"'),
  ],
] as const)
  test(`what helpers of ${name} did in files of their own is part of the session`, (t) => {
    const home = temporaryFolder(t);
    writeFiles(home, { [file]: main, [helper]: text });
    const { days } = readTranscriptFile(join(home, file));
    assert.deepEqual(
      days.map(({ asks, said, files, commits }) => ({ asks, said, files, commits })),
      [{ asks: ["Do it"], said: "Done", files: ["src/helped.ts"], commits: ["feat: helped"] }],
    );
    assert.deepEqual(readTranscriptFile(join(home, helper)).days, []);
  });

test("a prompt keeps its words beside pictures of any size", (t) => {
  const home = temporaryFolder(t);
  const picture = { type: "image", source: { type: "base64", data: "A".repeat(5 * 1024 * 1024) } };
  const content = [picture, { type: "text", text: "Fix the button" }, picture];
  const record = { type: "user", sessionId: ID, cwd: "/x", message: { role: "user", content } };
  writeFiles(home, { "a.jsonl": `${JSON.stringify(record)}\n` });
  const { days, skipped } = readTranscriptFile(join(home, "a.jsonl"));
  assert.deepEqual(days[0]?.asks, ["Fix the button"]);
  assert.deepEqual(skipped, { broken: 0, long: 0 });
});
