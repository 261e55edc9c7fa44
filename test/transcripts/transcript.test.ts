import assert from "node:assert/strict";
import { test } from "node:test";
import { readTranscript } from "../../src/sessions/transcripts/transcript.ts";
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
    assert.deepEqual(read(`\uFEFF${render(parts)}`.replaceAll("\n", "\r\n")), transcript);
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

const CODEX_HEAD = { type: "session_meta", payload: { id: "c1", cwd: "/home/ana/api" } };
const item = (payload: object) => ({ type: "response_item", payload });
const event = (payload: object) => ({ type: "event_msg", payload });
const completed = (type: string, fields: object) =>
  event({ type: "item_completed", item: { type, id: "k", ...fields } });
const program = (input: string, output: unknown = "Script completed\nProcess exited with code 0") => [
  item({ type: "custom_tool_call", call_id: input, name: "exec", input }),
  item({ type: "custom_tool_call_output", call_id: input, output }),
];
const ASKED = item({ type: "message", role: "user", content: [{ type: "input_text", text: "Do it" }] });
const PATCH = "*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n*** Add File: src/b.ts\\n*** End Patch";

for (const [name, records, expected] of [
  [
    "in programs and events",
    [
      ASKED,
      ...program(`const p = "${PATCH}"; await tools.apply_patch(p);`),
      completed("FileChange", {
        changes: { "src/a.ts": { update: { move_path: "src/c.ts" } } },
        status: "completed",
      }),
      ...program('await tools.exec_command({cmd:"npm test"});', [
        { type: "input_text", text: "Script completed" },
      ]),
      completed("CommandExecution", { command: ["bash", "-lc", "npm test"], status: "failed", exit_code: 1 }),
      completed("CommandExecution", { command: ["rm", "x"], status: "declined", exit_code: -1 }),
      completed("FileChange", { changes: { "src/no.ts": {} }, status: "declined" }),
      completed("McpToolCall", { tool: "claim_task", arguments: { task: "4" }, status: "completed" }),
      completed("AgentMessage", { content: [{ type: "Text", text: "Done" }], phase: "final_answer" }),
    ],
    { files: ["src/a.ts", "src/b.ts", "src/c.ts"], failed: ["npm test"], tasks: "4 claimed", said: "Done" },
  ],
  [
    "in programs alone",
    [
      ASKED,
      ...program(`await tools.apply_patch(\`${PATCH.replaceAll("\\n", "\n")}\`)`),
      ...program(
        "const r = await tools.exec_command({'cmd': 'awk \\'{print}\\' x', workdir: '/x'}); text(r)",
        "Process exited with code 2",
      ),
      ...program(
        'await Promise.all([tools.exec_command({"cmd":"git commit -qm \\"feat: a\\""}), tools.mcp__vibe__claim_task({task: "4", project: "api"})])',
      ),
      ...program("text(await tools.view_image({path: 'a.png'}))"),
    ],
    {
      files: ["src/a.ts", "src/b.ts"],
      failed: ["awk '{print}' x"],
      commits: ["feat: a"],
      tasks: "4 claimed",
    },
  ],
  [
    "in events alone",
    [
      completed("UserMessage", {
        content: [
          { type: "text", text: "Do it" },
          { type: "image", image_url: "x" },
        ],
      }),
      completed("CommandExecution", { command: "git commit -m 'feat: a'", status: "completed" }),
      completed("AgentMessage", { content: [{ type: "Text", text: "Done" }] }),
    ],
    { commits: ["feat: a"], said: "Done" },
  ],
  [
    "in events of older versions",
    [
      event({ type: "user_message", message: "Do it" }),
      event({ type: "exec_command_end", call_id: "1", command: ["bash", "-lc", "npm test"], exit_code: 1 }),
      event({ type: "patch_apply_end", call_id: "2", changes: { "src/a.ts": { add: {} } }, success: true }),
      event({ type: "patch_apply_end", call_id: "3", changes: { "src/b.ts": { add: {} } }, success: false }),
      event({
        type: "mcp_tool_call_end",
        invocation: { tool: "claim_task", arguments: { task: 4 } },
        result: { Ok: {} },
      }),
      event({ type: "agent_message", message: "Done" }),
    ],
    { files: ["src/a.ts"], failed: ["npm test"], tasks: "4 claimed", said: "Done" },
  ],
  [
    "in items and in events of the same",
    [
      ASKED,
      event({ type: "user_message", message: "Do it (with what the client adds)" }),
      item({
        type: "function_call",
        call_id: "1",
        name: "exec_command",
        arguments: '{"cmd":"git commit -m x"}',
      }),
      completed("CommandExecution", { id: "1", command: ["bash", "-lc", "git commit -m x"], exit_code: 0 }),
      item({ type: "function_call_output", call_id: "1", output: "Process exited with code 0" }),
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done" }] }),
      event({ type: "agent_message", message: "Done, as shown" }),
    ],
    { commits: ["x"], said: "Done" },
  ],
] as const)
  test(`a session of Codex that is recorded ${name} says what was done`, () => {
    const lines = [CODEX_HEAD, ...records].map((record) => JSON.stringify(record));
    const { days, unknown } = readTranscript(lines, { written });
    const [{ asks, said, files, commits, failed, tasks } = assert.fail()] = days;
    assert.deepEqual(
      { asks, said, files, commits, failed, tasks: tasks.map(({ task, use }) => `${task} ${use}`).join() },
      { asks: ["Do it"], said: "", files: [], commits: [], failed: [], tasks: "", ...expected },
    );
    assert.deepEqual(unknown, {});
  });

const claudePart = (type: string) => ({
  type: "assistant",
  sessionId: "s",
  message: { content: [{ type, id: "a" }] },
});

test("records of new kinds are counted, with their names", () => {
  for (const [render, known, fresh, kind] of [
    [
      claudeTranscript,
      { type: "last-prompt", sessionId: "s" },
      { type: "new-latch", sessionId: "s" },
      "new-latch",
    ],
    [claudeTranscript, claudePart("server_tool_use"), claudePart("new_call"), "assistant/new_call"],
    [
      codexTranscript,
      event({ type: "task_started" }),
      completed("NewItem", {}),
      "event_msg/item_completed/NewItem",
    ],
    [codexTranscript, item({ type: "reasoning" }), { type: "new_record", payload: {} }, "new_record"],
    [
      copilotTranscript,
      { type: "abort", data: {}, parentId: "a" },
      { type: "canvas.opened", data: {}, parentId: "a" },
      "canvas.opened",
    ],
    [geminiTranscript, { id: "a", type: "info", content: "x" }, { id: "b", type: "canvas" }, "canvas"],
    [geminiTranscript, { $rewindTo: "a" }, { id: "b", type: "canvas" }, "canvas"],
  ] as const) {
    const lines = [known, fresh, fresh].map((record) => JSON.stringify(record)).join("\n");
    assert.deepEqual(read(`${render(WORK)}${lines}\n`).unknown, { [kind]: 2 });
  }
});

test("what a person wrote while Claude Code worked is asked, what the client queued is not", () => {
  const queued = (attachment: object, fields: object = {}) =>
    JSON.stringify({
      type: "attachment",
      sessionId: "s",
      attachment: { type: "queued_command", ...attachment },
      ...fields,
    });
  const text = [
    claudeTranscript([{ ask: "one" }]).trimEnd(),
    queued({ prompt: "two", commandMode: "prompt" }),
    queued({ prompt: [{ type: "text", text: "three" }] }),
    queued({ prompt: "<task-notification>x", commandMode: "task-notification" }),
    queued({ prompt: "hidden" }, { isMeta: true }),
    queued({ prompt: "from a peer", commandMode: "prompt", isMeta: true, origin: { kind: "peer" } }),
    queued({ prompt: "four", commandMode: "prompt", origin: { kind: "human" } }),
    JSON.stringify({ type: "attachment", sessionId: "s", attachment: { type: "todo", prompt: "x" } }),
  ].join("\n");
  assert.deepEqual(only(text).asks, ["one", "two", "three", "four"]);
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
