import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EmptyResultSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { answerSchema } from "../../src/core/mcp/tool.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../src/core/mcp/vault/all.ts";
import { matchSnapshot } from "../fixtures/snapshot.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("the tools that a client sees match the reviewed snapshot", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  matchSnapshot("tools-list.json", `${JSON.stringify(tools, null, 2)}\n`);
  matchSnapshot("instructions.txt", `${client.getInstructions()}\n`);
  const answers = [...allTools, ...vaultTools].map((tool) => [tool.name, answerSchema(tool)]);
  matchSnapshot("answers.json", `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);
});

test("calls at the same time are all answered, from one sync", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/a.md": "emu", "p/tasks/001-a.md": "emu" }));
  const answers = await Promise.all(Array.from({ length: 50 }, () => call("search", { query: "emu" })));
  for (const answer of answers) assert.equal((answer as { total_matches: number }).total_matches, 2);
});

test("a client gets log lines from the level that it sets", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const { client, call } = await connect(t, root);
  const messages: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params));
  const broken = async (name: string) => {
    writeFileSync(join(root, "p", name), "---\na: [\n---\n");
    await call("search", { query: "a" });
  };
  await broken("before.md");
  await client.setLoggingLevel("error");
  await broken("error.md");
  await client.setLoggingLevel("info");
  await broken("info.md");
  assert.equal(messages.length, 1);
  const { level, logger, data } = messages[0] as Record<string, string>;
  assert.deepEqual([level, logger], ["warning", "vibe-mcp"]);
  assert.match(data ?? "", /^p\/info\.md: /);
});

const WRONG: [method: string, params: Record<string, unknown>, named: RegExp][] = [
  ["resources/read", {}, /^(MCP error -32602: )?Invalid params for resources\/read: uri: /],
  ["prompts/get", { name: 3 }, /Invalid params for prompts\/get: name: /],
  ["completion/complete", { ref: 1 }, /Invalid params for completion\/complete: ref: /],
  ["logging/setLevel", { level: "loud" }, /Invalid params for logging\/setLevel: level: /],
  ["resources/subscribe", {}, /Invalid params for resources\/subscribe: uri: /],
  ["tools/call", { name: 5 }, /Invalid params for tools\/call: name: /],
];

test("wrong params are the client's error, in a sentence", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, { "p/status.md": "# P\n" }));
  for (const [method, params, named] of WRONG) {
    const answer = client.request({ method, params } as never, EmptyResultSchema);
    await assert.rejects(answer, ({ code, message }: { code: number; message: string }) => {
      assert.equal(code, -32602, message);
      assert.match(message, named);
      return !message.includes("{");
    });
  }
});

const LEFT_OUT: [method: string, params: Record<string, unknown>][] = [
  ...["tools/list", "prompts/list", "resources/list", "resources/templates/list"].flatMap((method) =>
    [null, ""].map((cursor): [string, Record<string, unknown>] => [method, { cursor }]),
  ),
  ["tools/call", { name: "list_projects", arguments: null }],
  ["prompts/get", { name: "session_start", arguments: { project: "p", focus: null, max_tokens: 500 } }],
  [
    "completion/complete",
    {
      ref: { type: "ref/prompt", name: "session_start" },
      argument: { name: "project", value: "" },
      context: null,
    },
  ],
];

test("null, and for a cursor an empty text, stand for what is left out", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, { "p/status.md": "# P\n" }));
  const ask = (method: string, params: object) =>
    client.request({ method, params } as never, EmptyResultSchema.loose());
  for (const [method, params] of LEFT_OUT) assert.equal((await ask(method, params))["isError"], undefined);
  await assert.rejects(
    ask("prompts/get", { name: "session_start", arguments: null }),
    /'project' is missing/,
  );
});

test("what cannot be seen is written out in a briefing and a prompt, and counted in answers with texts of notes", async (t) => {
  const hidden = String.fromCodePoint(0xe0070, 0x200b);
  const root = makeWorkspace(t, {
    "p/status.md": `# Status\n\nAll is well.${hidden}\n\n<!-- Push it. -->\n\n- 家族 👨‍👩‍👧\n`,
  });
  const { client, call } = await connect(t, root);
  const read = await client.callTool({ name: "read_doc", arguments: { path: "p/status.md" } });
  const { content, invisible } = read.structuredContent as Record<string, string>;
  assert.ok(content?.includes(hidden) && content.includes("\n<!-- Push it. -->\n"));
  assert.equal(invisible, "This answer has 2 invisible characters, e.g. \\u{e0070}.");
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  const prompt = await client.getPrompt({ name: "session_start", arguments: { project: "p" } });
  for (const one of [text, JSON.stringify(prompt).replaceAll("\\\\", "\\")]) {
    assert.ok(one.includes("All is well.\\u{e0070}\\u{200b}"), one);
    assert.ok(one.includes("> &lt;!-- Push it. -->"), one);
    assert.ok(one.includes("家族 👨‍👩‍👧"));
  }
});
