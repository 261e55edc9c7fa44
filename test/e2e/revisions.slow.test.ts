import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../src/core/mcp/vault/all.ts";
import { type BuiltServer, builtFile, handshake, startBuilt } from "../fixtures/built.ts";
import { UNDER_WINE } from "../fixtures/disk.ts";
import { connectHttp, startHttp, TOKEN } from "../fixtures/http.ts";
import { connectModernHttp, connectStdio, ENVELOPE } from "../fixtures/modern.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { matchSnapshot } from "../fixtures/snapshot.ts";
import { dateFile, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const FILES = {
  "p/status.md": "# P\n\nOn its way",
  "p/tasks/001-a.md": "# A\n\nStatus: in-progress\n\n## Objective\n\nzebra",
  "p/plans/execution-plan.md": "# Plan\n\nFirst A",
  "p/sessions/2026-01-02.md": "# 2026-01-02\n\nStarted",
  "q/references/b.md": "# B\n\nzebra crossing",
};

/** In this order: each finds what those before it wrote. */
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ["search", { query: "zebra" }],
  ["read_doc", { project: "p", folder: "tasks", filename: "001-a.md" }],
  ["list_tasks", { project: "p" }],
  ["get_plan", { project: "p" }],
  ["list_projects", {}],
  ["get_briefing", { project: "p" }],
  ["reindex", {}],
  ["init_project", { project: "new" }],
  ["create_task", { project: "p", title: "B", objective: "o", steps: ["s"], acceptance_criteria: ["c"] }],
  ["update_task_status", { project: "p", task: "001", status: "done" }],
  ["create_plan", { project: "q", content: "# Plan" }],
  ["create_doc", { project: "q", folder: "references", filename: "c.md", content: "# C" }],
  ["update_doc", { project: "q", folder: "references", filename: "c.md", content: "more", mode: "append" }],
  ["log_session", { project: "p", content: "Done" }],
  ["history", { project: "q" }],
  ["restore_doc", { path: "q/references/c.md", change: "000000000000" }],
  ["move_doc", { path: "q/references/c.md", to_filename: "d" }],
  ["delete_doc", { path: "q/references/d.md", expected_hash: "0".repeat(16) }],
  ["archive_tasks", { project: "p", tasks: ["001"] }],
  ["claim_task", { project: "p", agent: "a" }],
  ["update_task", { project: "p", task: "002", done_steps: [1], priority: "high" }],
  ["vault_ls", { path: "p" }],
  ["vault_read", { path: "p/status.md", full: true }],
  ["vault_scan", { path: "p/status.md" }],
  ["vault_create", { path: "p/scratch/x.md", content: "x" }],
  ["vault_replace", { path: "p/scratch/x.md", find: "x", replace: "y" }],
  ["read_doc", { project: "p", folder: "tasks", filename: "999.md" }],
  ["search", { query: 1 }],
];

/** What both clients have, as far as it is needed here. */
type AnyClient = Pick<
  Client,
  "callTool" | "listTools" | "listPrompts" | "listResources" | "listResourceTemplates" | "getInstructions"
> & {
  readResource(params: { uri: string }): Promise<{ contents: unknown }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: unknown }>;
  complete(params: Parameters<Client["complete"]>[0]): Promise<{ completion: unknown }>;
};

/** The project is set, since a client on stdio would start the server in a folder of its own. */
const serving = (root: string) => ["--root", root, "--project", "p"];

/** Each way to reach a server over a workspace, by the names of client and transport. */
const WAYS: Record<string, (t: TestContext, root: string) => Promise<AnyClient>> = {
  "older client on stdio": async (t, root) => {
    const client = new Client({ name: "test", version: "1" });
    const env = { HOME: temporaryFolder(t), TZ: "UTC" };
    const args = [builtFile(t), ...serving(root)];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "pipe" }));
    t.after(() => client.close());
    return client;
  },
  "newest client on stdio": async (t, root) => (await connectStdio(t, serving(root))).client as never,
  "older client over HTTP": async (t, root) =>
    (await connectHttp(t, await startHttp(t, serving(root), { VIBE_AUTH_TOKEN: TOKEN }))).client,
  "newest client over HTTP": async (t, root) =>
    (await connectModernHttp(t, await startHttp(t, serving(root), { VIBE_AUTH_TOKEN: TOKEN })))
      .client as never,
  "older client over SSE": async (t, root) => {
    const server = await startHttp(t, serving(root), { VIBE_AUTH_TOKEN: TOKEN });
    return (await connectHttp(t, server, { sse: true })).client;
  },
};

test("every tool, resource and prompt answers the same to every client on every transport", {
  skip: UNDER_WINE,
}, async (t) => {
  const untested = [...allTools, ...vaultTools].filter(({ name }) => !CALLS.some(([tool]) => tool === name));
  assert.deepEqual(untested, []);
  const answers = [];
  const ways = Object.entries(WAYS);
  for (const [way, connect] of [...ways.slice(0, 1), ...someOf(ways.slice(1))]) {
    const root = makeWorkspace(t, FILES);
    for (const path of Object.keys(FILES)) dateFile(root, path, "2026-01-03");
    const text = JSON.stringify(await everything(await connect(t, root)));
    answers.push({ way, all: JSON.parse(comparable(text, root)) as unknown });
  }
  const [first, ...others] = answers;
  for (const { way, all } of others) assert.deepEqual(all, first?.all, way);
});

function comparable(text: string, root: string): string {
  return (
    text
      .replaceAll(root, "(root)")
      // Over HTTP, a client is called behind its token.
      .replaceAll("token 1/test", "test")
      .replaceAll(/(duration_ms\\?":)\d+/g, "$10")
      .replaceAll(/(change\\?":\\?")[0-9a-f]{12}/g, "$1(any)")
      .replaceAll(/ until [0-9T:-]+Z/g, " until (any)")
      .replaceAll(/((?:version|time|claimed_until|held_until)\\?":\\?")[^"\\]+/g, "$1(any)")
  );
}

/** Everything that the server offers, used once. */
async function everything(client: AnyClient) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools, snapshot("tools-list.json"));
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts, snapshot("prompts-list.json"));
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const contents = [];
  for (const { uri } of resources) contents.push((await client.readResource({ uri })).contents);
  const texts = [];
  for (const { name } of prompts)
    texts.push((await client.getPrompt({ name, arguments: { project: "p" } })).messages);
  const ref = { type: "ref/prompt", name: "session_start" } as const;
  const { completion } = await client.complete({ ref, argument: { name: "project", value: "" } });
  const results = [];
  for (const [name, args] of CALLS) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    results.push({ name, content, structuredContent, isError });
  }
  const instructions = client.getInstructions();
  return { instructions, resources, resourceTemplates, contents, texts, completion, results };
}

function snapshot(name: string): unknown {
  return JSON.parse(readFileSync(join("test", "snapshots", name), "utf8"));
}

/** Bare requests whose answers differ between the revisions. */
const REQUESTS: [method: string, params: Record<string, unknown>][] = [
  ["server/discover", {}],
  ["ping", {}],
  ["logging/setLevel", { level: "error" }],
  ["resources/subscribe", { uri: "vibe://projects" }],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "vibe://projects/p/status.md" }],
  ["resources/read", { uri: "vibe://projects/p/none.md" }],
  ["prompts/get", { name: "no_such_prompt" }],
  ["tools/call", { name: "list_projects", arguments: {} }],
  ["tools/call", { name: "no_such_tool" }],
  ["no/such/method", {}],
];

async function wire(server: BuiltServer, _meta: object | undefined): Promise<string> {
  const answers = [];
  for (const [at, [method, params]] of REQUESTS.entries()) {
    server.request(at + 1, method, { ...params, ...(_meta && { _meta }) });
    const { result, error } = await server.reply(at + 1);
    answers.push({ method, params, ...(error ? { error } : { result: outline(result ?? {}) }) });
  }
  return `${JSON.stringify(answers, null, 2)}\n`;
}

/** Without long values, which other snapshots hold. */
function outline(result: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown) => {
    if (Array.isArray(value)) return `${value.length} items`;
    return typeof value === "string" && value.length > 40 ? "a text" : value;
  };
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [key, key === "supportedVersions" ? value : short(value)]),
  );
}

test("what differs between the revisions matches the reviewed snapshots", { skip: UNDER_WINE }, async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P" });
  dateFile(root, "p/status.md", "2026-01-03");
  const start = () => startBuilt(t, ["--root", root]);
  const older = start();
  await handshake(older);
  const readable = (text: string) =>
    text.replaceAll(root, "(root)").replaceAll(/"version": "[^"]+"/g, '"version": "(version)"');
  matchSnapshot("revision-2025.json", readable(await wire(older, undefined)));
  matchSnapshot("revision-2026.json", readable(await wire(start(), ENVELOPE)));
});

test("a request gets the log lines that it causes, from the level that it names", {
  skip: UNDER_WINE,
}, async (t) => {
  const connections = [
    (args: string[]) => connectStdio(t, args),
    async (args: string[]) => connectModernHttp(t, await startHttp(t, args)),
  ];
  for (const connectTo of connections) {
    const root = makeWorkspace(t, { "p/a.md": "# A\n" });
    const { client } = await connectTo(["--root", root, "--watch", "off"]);
    const messages: Record<string, unknown>[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params));
    const broken = async (name: string, level?: string) => {
      writeFileSync(join(root, "p", name), "---\na: [\n---\n");
      const _meta = level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level };
      await client.callTool({ name: "search", arguments: { query: "a" }, _meta });
    };
    await broken("silent.md");
    await broken("error.md", "error");
    await broken("info.md", "info");
    const data = messages[0]?.["data"];
    assert.deepEqual(messages, [{ level: "warning", logger: "vibe-mcp", data }]);
    assert.match(String(data), /^p\/info\.md: /);
  }
});
