import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { loadApi } from "../../src/core/mcp/api.ts";
import { ownArguments } from "../../src/core/mcp/argument-names.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

/** What clients add to the arguments of every call. */
const ADDED: Record<string, Record<string, unknown>> = {
  n8n: { toolCallId: "call_1", sessionId: "s", action: "sendMessage", chatInput: "hi" },
  Gemini: { wait_for_previous: false },
  LangChain: { tool_call_id: "call_1", run_manager: null, config: { tags: ["a"] } },
  CrewAI: { security_context: { agent_fingerprint: { user_id: "u", metadata: {} } } },
  Windsurf: { toolSummary: "reads", waitForPreviousTools: true, explanation: "why" },
  others: { request_id: 1, threadId: "t", reasoning: "because", _meta: {}, ["__proto__"]: 1, constructor: 1 },
};

/** What may not get lost: a word for an argument, one of another tool, one that bounds the deed, or one with letters wrong. */
const REFUSED: [tool: string, argument: Record<string, unknown>, named: RegExp][] = [
  ["create_task", { assignee: "ana" }, /Did you mean 'owner'/],
  ["create_task", { description: "x" }, /Did you mean 'objective'/],
  ["create_task", { dependsOn: ["1"] }, /Did you mean 'context.dependencies'/],
  ["create_task", { deadline: "2030-01-01" }, /Did you mean 'due'/],
  ["update_task", { notes: "x" }, /Did you mean update_task_status, which has 'note'/],
  ["update_task", { completed: true }, /Did you mean update_task_status, which has 'status'/],

  ["update_task", { steps: ["x"] }, /update_doc with section 'Steps' changes that text/],
  ["update_task", { subtasks: ["x"] }, /update_doc with section 'Steps'/],
  ["update_task", { acceptance_criteria: ["x"] }, /update_doc with section 'Acceptance criteria'/],
  ["update_task", { context: ["x"] }, /update_doc with section 'Context'/],
  ["claim_task", { status: "done" }, /Did you mean update_task_status/],
  ["update_task_status", { path: "p/tasks/001-a.md" }, /Did you mean 'task'/],
  ["move_doc", { to: "archive" }, /Did you mean 'to_folder'/],
  ["update_task", { summary: "x" }, /Did you mean 'objective'/],
  ["update_task_status", { newStatus: "done" }, /Did you mean 'status'/],
  ["delete_doc", { dry_run: true }, /'dry_run' is not/],
  ["delete_doc", { isDryRun: true }, /'isDryRun' is not/],
  ["delete_doc", { status: "done" }, /'status' is not/],
  ["log_session", { apend: true }, /Did you mean 'append'/],
  ["update_doc", { heading: "A" }, /Did you mean 'section'/],
  ["update_doc", { if_match: "A" }, /Did you mean 'expected_hash'/],
  ["list_tasks", { top_k: 3 }, /Did you mean 'limit'/],
  ["search", { tags: ["a"] }, /Did you mean 'tag'/],
  ["vault_read", { startLine: 1 }, /'startLine' is not/],
  ["create_task", { context: { deps: ["1"] } }, /'deps' is not/],
];

const NOTE = "p/references/n.md";
const NEEDED: Record<string, Record<string, unknown>> = {
  create_task: { title: "t", objective: "o" },
  update_task: { task: "1", done_steps: [1] },
  claim_task: { agent: "a" },
  move_doc: { path: NOTE },
  update_task_status: { task: "1", status: "done" },
  delete_doc: { path: NOTE },
  log_session: { content: "x" },
  update_doc: { path: NOTE, content: "# New\n" },
  search: { query: "walrus" },
  vault_read: { path: NOTE, full: true },
};
const FILES = {
  "p/status.md": "# P\n",
  [NOTE]: "# N\n\nwalrus\n",
  "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n\n## Steps\n1. [ ] one\n",
};

test("what a client adds to every call is nobody's for every tool", async () => {
  for (const name of ["v2", "v1"] as const) {
    const { tools, ours } = await loadApi({ api: name, tools: "all", vault: "/" });
    const added = Object.fromEntries(Object.values(ADDED).flatMap((one) => Object.entries(one)));
    for (const tool of tools) {
      const { own, ignored } = ownArguments(tool, added, ours);
      assert.deepEqual([own, ignored], [{}, Object.keys(added)], tool.name);
    }
  }
});

test("a word for an argument is refused with its name, and nothing is written", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { call, fail } = await connect(t, root, { current: "p" });
  const { hash } = await call("read_doc", { path: NOTE });
  for (const [tool, argument, named] of REFUSED) {
    const bound = tool === "delete_doc" ? { expected_hash: hash } : {};
    const { message } = await fail(tool, { ...NEEDED[tool], ...bound, ...argument });
    assert.match(message, named, `${tool} ${JSON.stringify(argument)}`);
  }
  assert.equal((await call("list_tasks", {}))["total"], 1);
  assert.ok(existsSync(join(root, NOTE)));
});

for (const settings of [{}, { api: "v1" as const }])
  test(`a call with what a client added runs, and says so once: ${JSON.stringify(settings)}`, async (t) => {
    const { client } = await connect(t, makeWorkspace(t, FILES), { current: "p", ...settings });
    const { tools } = await client.listTools();
    const has = new Set(tools.map(({ name }) => name));
    const calls = [
      ["list_tasks", {}],
      ["read_doc", { project: "p", folder: "references", filename: "n.md" }],
      ["vault_ls", {}],
      ["vault_read", NEEDED["vault_read"]],
      ["get_briefing", {}],
      ["update_task", { task: "1", done_steps: [1] }],
      ["tool_reindex", {}],
    ] as const;
    for (const [name, own] of calls.filter(([name]) => has.has(name))) {
      const run = async () =>
        (await client.callTool({ name, arguments: { ...own, ...ADDED["n8n"] } })) as CallToolResult;
      const first = await run();
      assert.equal(first.isError, undefined, JSON.stringify(first));
      assert.match(
        `${first.structuredContent?.["hint"]}`,
        /takes no toolCallId, sessionId, action, chatInput/,
      );
      assert.match(JSON.stringify(first.content), /takes no toolCallId/);
      assert.doesNotMatch(JSON.stringify(await run()), /toolCallId/);
    }
  });
