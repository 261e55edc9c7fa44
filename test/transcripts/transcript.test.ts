import assert from "node:assert/strict";
import { test } from "node:test";
import { readTranscript } from "../../src/transcripts/transcript.ts";
import {
  claudeTranscript,
  codexTranscript,
  copilotTranscript,
  geminiTranscript,
  oldGeminiTranscript,
  type Told,
  WORK,
} from "../fixtures/transcripts.ts";

const written = new Date("2025-02-09T18:00:00Z");
const read = (text: string) => readTranscript(text.split("\n"), { written });
const only = (text: string) => {
  const { days } = read(text);
  assert.equal(days.length, 1);
  return days[0] ?? assert.fail();
};

const CLAUDE = [
  ...WORK.slice(0, 3),
  { call: "Write", input: { file_path: "/home/ana/payments-api/src/keys.ts", content: "x" } },
  {
    call: "Edit",
    input: { file_path: "/home/ana/payments-api/src/refused.ts" },
    error: "The user doesn't want to proceed",
  },
  { call: "Bash", input: { command: "npm test" }, error: "Exit code 1\n\nsecret output" },
  { call: "Bash", input: { command: "npm run lint" }, error: "Exit code 1" },
  { call: "Bash", input: { command: "npm run lint" } },
  {
    call: "Bash",
    input: { command: "git commit -m 'feat: rotate keys'" },
    output: "[main 1a2b3c4] feat: rotate keys",
  },
  ...WORK.slice(3),
];
const CODEX = [
  ...WORK.slice(0, 3),
  { call: "apply_patch", input: "*** Begin Patch\n*** Add File: src/keys.ts\n+x\n*** End Patch\n" },
  {
    call: "exec_command",
    input: { cmd: "npm test" },
    error: "Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nsecret output",
  },
  {
    call: "shell",
    input: { command: ["bash", "-lc", "npm run lint"] },
    error: JSON.stringify({ output: "", metadata: { exit_code: 2 } }),
  },
  {
    call: "shell",
    input: { command: ["bash", "-lc", "npm run lint"] },
    error: JSON.stringify({ output: "", metadata: { exit_code: 0 } }),
  },
  { call: "exec_command", input: { cmd: "git commit -m 'feat: rotate keys'" } },
  ...WORK.slice(3),
];

const mcp = (name: string) => (part: (typeof WORK)[number]) =>
  "call" in part ? { ...part, call: part.call.replace("mcp__vibe__", name) } : part;
const GEMINI = [
  ...WORK.slice(0, 3).map(mcp("mcp_vibe_")),
  { call: "write_file", input: { file_path: "src/keys.ts", content: "x" } },
  { call: "replace", input: { file_path: "src/refused.ts" }, error: "[Operation Cancelled]" },
  {
    call: "run_shell_command",
    input: { command: "npm test" },
    error: "Output: secret output\nExit Code: 1\nProcess Group PGID: 9",
  },
  { call: "run_shell_command", input: { command: "npm run lint" }, error: "Command failed" },
  { call: "run_shell_command", input: { command: "npm run lint" }, output: "Output: (empty)" },
  { call: "run_shell_command", input: { command: "git commit -m 'feat: rotate keys'" } },
  ...WORK.slice(3),
];
const COPILOT = [
  ...WORK.slice(0, 3),
  { call: "create", input: { path: "src/keys.ts", file_text: "x" } },
  { call: "edit", input: { path: "src/refused.ts" }, error: "denied" },
  { call: "bash", input: { command: "npm test" }, error: "Exit code 1\n\nsecret output" },
  { call: "bash", input: { command: "npm run lint" }, error: "Exit code 1" },
  { call: "bash", input: { command: "npm run lint" } },
  { call: "bash", input: { command: "git commit -m 'feat: rotate keys'" } },
  ...WORK.slice(3),
];

const CLIENTS = [
  ["claude-code", claudeTranscript, CLAUDE, "/home/ana/payments-api/src/keys.ts"],
  ["codex", codexTranscript, CODEX, "src/keys.ts"],
  ["gemini", geminiTranscript, GEMINI, "src/keys.ts"],
  ["gemini", oldGeminiTranscript, GEMINI, "src/keys.ts"],
  ["copilot", copilotTranscript, COPILOT, "src/keys.ts"],
] as const;

for (const [client, render, parts, file] of CLIENTS) {
  test(`a session of ${client} (${render.name}) says who asked what, and what was done`, () => {
    const transcript = read(render(parts));
    assert.equal(transcript.client, client);
    assert.equal(transcript.id, "6a0c1d52-3f5e-4b0e-9d0b-0c4f2a7e1b11");
    assert.equal(transcript.folder, "/home/ana/payments-api");
    assert.deepEqual(transcript.skipped, { broken: 0, long: 0 });
    const day = only(render(parts));
    assert.equal(day.day, "2025-02-09");
    assert.deepEqual(day.asks, [
      "Rotate the signing keys, and say what is left. The old one is •••.",
      "Now write the audit log.",
    ]);
    assert.match(day.said, /^Both are done/);
    assert.deepEqual(day.files, [file]);
    assert.deepEqual(day.commits, ["feat: rotate keys"]);
    assert.deepEqual(day.failed, ["npm test"]);
    assert.deepEqual(
      day.tasks.map(({ task, use }) => `${task} ${use}`),
      ["4 claimed", "004 review"],
    );
    assert.doesNotMatch(JSON.stringify(transcript), /secret output|abcdefgh/);
    assert.ok(day.tokens.input > 0 && day.tokens.output > 0);
  });

  test(`what no person asked is no question in ${client} (${render.name})`, () => {
    const machine = [
      "<system-reminder>Be brief.</system-reminder>",
      "<hook_context># Session Start</hook_context>\n",
      "<command-name>/clear</command-name>\n<command-args></command-args>",
      "<local-command-stdout>ok</local-command-stdout>",
      "<environment_context>x</environment_context>",
      "<state_snapshot>x</state_snapshot>",
      "# AGENTS.md instructions for /home/ana",
      "[Request interrupted by user]",
    ];
    const parts = [...machine.map((ask) => ({ ask })), { say: "Ready." }];
    assert.deepEqual(read(render(parts)).days, []);
    const command = "<command-name>/fix</command-name>\n<command-args>the login</command-args>";
    assert.deepEqual(only(render([...parts, { ask: command }])).asks, ["/fix the login"]);
    const briefed = "<hook_context># Session Start\n</hook_context>\n\nFix the login";
    assert.deepEqual(only(render([{ ask: briefed }])).asks, ["Fix the login"]);
  });
}

test("tokens of a message count once, however many records it has", () => {
  const { tokens } = only(claudeTranscript([{ ask: "a" }, { call: "Bash", input: { command: "ls" } }]));
  assert.deepEqual(tokens, { input: 155, cached: 50, output: 20 });
});

test("hidden records, helpers of the agent and their questions are left out", () => {
  assert.deepEqual(read(claudeTranscript([{ ask: "Caveat", meta: true }])).days, []);
  const side = claudeTranscript([{ ask: "Find it" }]).replaceAll('"isSidechain":false', '"isSidechain":true');
  assert.deepEqual(read(side).days, []);
  const helper = codexTranscript([{ ask: "Find it" }]).replace(
    '"source":"exec"',
    '"source":{"subagent":"review"}',
  );
  assert.deepEqual(read(helper).days, []);
});

test("a session over midnight has two days, each with its own tokens and times", () => {
  const told: Told = { from: "2025-02-09T23:56:00.000Z" };
  const parts = [{ ask: "one" }, { say: "a" }, { ask: "two" }, { say: "b" }, { ask: "three" }, { say: "c" }];
  for (const [, render] of CLIENTS) {
    const { days } = read(render(parts, told));
    assert.deepEqual(
      days.map(({ day }) => day),
      ["2025-02-09", "2025-02-10"],
    );
    assert.deepEqual(
      days.flatMap(({ asks }) => asks),
      ["one", "two", "three"],
    );
    const [first, second] = days;
    assert.ok(first !== undefined && second !== undefined && first.to < second.from);
    assert.ok(first.tokens.output > 0 && second.tokens.output > 0);
  }
});

test("what was in a block already can be left out", () => {
  const text = claudeTranscript([{ ask: "one" }, { ask: "two" }, { say: "b" }]);
  const after = new Map([["2025-02-09", new Date("2025-02-09T14:05:00.000Z")]]);
  const { days } = readTranscript(text.split("\n"), { written, after });
  assert.deepEqual(days[0]?.asks, ["two"]);
});

for (const [client, render, parts] of CLIENTS.filter(([, render]) => render(WORK)[1] !== "\n"))
  test(`a damaged transcript of ${client} is read as far as possible, and says what was skipped`, () => {
    const whole = render(parts).trimEnd().split("\n");
    const count = whole.length;
    for (let at = 0; at < 200; at++) {
      const n = (at * 7) % count;
      const line = whole[n] ?? "";
      const damages = [
        line.slice(0, (line.length * (at % 10)) / 10),
        `${line.slice(0, 40)}\u0000${line.slice(45)}`,
        line.replaceAll(/"(?:content|message|data)":/g, '"other":'),
        line.replaceAll(/\[\{/g, "[null,7,[[],{"),
        "[".repeat(50_000),
        '"text"',
        line.replaceAll(/"type":"[a-z_.]+"/g, '"type":{"later":1}'),
        line.replaceAll(/:"[^"]*"/g, ":12"),
      ];
      const lines: (string | undefined)[] = [...whole];
      lines[n] = at % 9 === 8 ? undefined : damages[at % 9];
      const transcript = readTranscript(lines, { written });
      const { broken, long } = transcript.skipped;
      assert.ok(broken + long <= 1, `damage ${at}`);
      assert.equal(transcript.lines, count);
      assert.equal(transcript.days.length, 1, `damage ${at}`);
    }
  });

const DOCUMENT = oldGeminiTranscript(GEMINI);

test("a document that is cut anywhere gives what stands before the cut", () => {
  let last = 0;
  for (let end = 0; end < DOCUMENT.length; end += 41) {
    const { days, skipped } = read(DOCUMENT.slice(0, end));
    const asks = days.flatMap((day) => day.asks).length;
    assert.ok(asks >= last && skipped.broken <= 1, `cut at ${end}`);
    last = asks;
  }
  assert.equal(last, 2);
});

test("a document with a damaged line loses no more than the message around it", () => {
  const whole = DOCUMENT.split("\n");
  for (let at = 0; at < 200; at++) {
    const n = 1 + ((at * 7) % (whole.length - 2));
    const line = whole[n] ?? "";
    const damages = [
      line.slice(0, line.length / 2),
      "",
      "    },",
      "  ],",
      "[".repeat(50_000),
      '  "messages": [',
    ];
    const lines: (string | undefined)[] = [...whole];
    lines[n] = at % 7 === 6 ? undefined : damages[at % 7];
    const { days } = readTranscript(lines, { written });
    assert.ok(days.flatMap(({ asks }) => asks).length >= 1, `damage ${at}: ${line}`);
  }
});

test("messages that Gemini CLI writes again count once, and its helpers' sessions not at all", () => {
  const text = geminiTranscript(GEMINI);
  const records = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const messages = records.filter(({ type }) => type !== undefined);
  const again = `${text}${JSON.stringify({ $set: { messages } })}\n`;
  assert.deepEqual(only(again), only(text));
  assert.deepEqual(read(text.replace('"kind":"main"', '"kind":"subagent"')).days, []);
});

test("what Copilot CLI's helpers and skills say is left out, and older versions sum up tokens at the end", () => {
  assert.deepEqual(read(copilotTranscript([{ ask: "Read the PDF", meta: true }])).days, []);
  const helper = copilotTranscript([{ ask: "Find it" }]).replaceAll(
    '"parentId":null',
    '"parentId":null,"agentId":"a"',
  );
  assert.deepEqual(read(helper).days, []);
  const old = copilotTranscript([{ ask: "a" }, { say: "b" }]).replace("session.usage_record", "session.info");
  assert.deepEqual(only(old).tokens, { input: 155, cached: 50, output: 20 });
});

test("a text of another kind is no transcript", () => {
  for (const text of ["", "# Notes\n", '{"a": 1}\n', '{"type":"user","text":"hi"}\n', "\u0000\u0001\n"])
    assert.equal(read(text).client, undefined, text);
});
