import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CallToolResultSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { selectTools } from "../../src/mcp/tool.ts";
import { allTools } from "../../src/mcp/tools/all.ts";
import { vaultTools } from "../../src/mcp/vault/all.ts";
import { matchSnapshot } from "../fixtures/snapshot.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

test("the tools a client sees are those that were reviewed", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  matchSnapshot("tools-list.json", `${JSON.stringify(tools, null, 2)}\n`);
  matchSnapshot("instructions.txt", `${client.getInstructions()}\n`);
});

test("names, descriptions and parameters keep the rules of the house", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  for (const tool of tools) {
    assert.match(tool.name, /^[a-z0-9_]{1,40}$/);
    assert.ok((tool.description ?? "").length <= 500, `${tool.name}: description`);
    assert.ok(tool.title, `${tool.name}: title`);
    for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      assert.ok("description" in schema, `${tool.name}.${name}: described`);
    }
  }
  const access = new Map([...allTools, ...vaultTools].map((tool) => [tool.name as string, tool.access]));
  for (const { name, annotations } of tools) {
    assert.equal(annotations?.readOnlyHint, access.get(name) === "read", name);
  }
});

test("tools cost at most 2,900 tokens, instructions at most 2,000 characters", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  const { tools } = await client.listTools();
  const cost = tools.map(
    ({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema),
  );
  assert.ok(cost.join("").length / 4 <= 2900);
  assert.ok((client.getInstructions() ?? "").length <= 2000);
});

test("an unknown argument is refused with the nearest known name", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const error = await fail("search", { qeury: "x", query: "x" });
  assert.equal(error.code, "INVALID_ARGUMENT");
  assert.match(error.message, /Did you mean 'query'\?/);
  for (const sent of ['{"query": "x", "__proto__": {"a": 1}}', '{"query": "x", "constructor": 1}']) {
    const { code, message } = await fail("search", JSON.parse(sent));
    assert.equal(code, "INVALID_ARGUMENT");
    assert.match(message, /^'(?:__proto__|constructor)' is not an argument of search/);
  }
});

test("a missing argument, a wrong type and an unknown tool answer in the envelope", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const cases = [
    ["search", {}, /'query' is missing/],
    ["search", { query: 5 }, /'query'/],
    ["search", { query: "x", limit: 0 }, /'limit'/],
    ["search", { query: "x", limit: 1.5 }, /'limit'/],
    ["read_doc", { project: "p", folder: "", filename: ["a"] }, /'filename'/],
    ["serach", {}, /has no tool 'serach'/],
  ] as const;
  for (const [name, args, message] of cases) {
    const error = await fail(name, args);
    assert.equal(error.code, "INVALID_ARGUMENT", name);
    assert.match(error.message, message);
  }
});

test("a wrong name is told before what is missing, and where it belongs", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const task = { project: "p", title: "x", objective: "y" };
  const cases = [
    ["search", { qury: "x" }, /'qury' is not an argument.*Did you mean 'query'/],
    [
      "update_task_status",
      { project: "p", task: "1", new_status: "done" },
      /'new_status'.*Did you mean 'status'/,
    ],
    ["update_task_status", { project: "p", task: "1" }, /'status' is missing/],
    ["create_task", { ...task, context: { deps: [] } }, /It takes: related_files, dependencies/],
    ["search", { query: ["x"] }, /'query' must be a string/],
    ["search", { query: "x", limit: 1000 }, /'limit' must be 100 or less/],
    [
      "update_doc",
      { project: "p", folder: "", filename: "a", content: "x", mode: "add" },
      /one of: replace, append/,
    ],
  ] as const;
  for (const [name, args, message] of cases) assert.match((await fail(name, args)).message, message);
});

test("arguments that are no object answer in the envelope too", async (t) => {
  const { client } = await connect(t, makeWorkspace(t, {}));
  for (const wrong of [[1], "x", 5]) {
    const params = { name: "search", arguments: wrong as unknown as Record<string, unknown> };
    const result = await client.request({ method: "tools/call", params }, CallToolResultSchema);
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /INVALID_ARGUMENT.*must be a JSON object/);
  }
});

test("VIBE_TOOLS picks tools by name and group, core within 1,000 tokens", async (t) => {
  const names = async (tools: string) => {
    const { client } = await connect(t, makeWorkspace(t, {}), { tools });
    return (await client.listTools()).tools;
  };
  const core = await names("core");
  assert.deepEqual(core.map(({ name }) => name).sort(), [
    ...["create_task", "list_tasks", "log_session", "read_doc", "search", "update_task_status"],
  ]);
  const cost = core.map(
    ({ name, description, inputSchema }) => name + description + JSON.stringify(inputSchema),
  );
  assert.ok(cost.join("").length / 4 <= 1000, `${cost.join("").length / 4}`);
  const picked = await names("get_plan, READ");
  assert.ok(picked.length > 1 && picked.every(({ annotations }) => annotations?.readOnlyHint));
  for (const wrong of ["", "serach", "core,,read", "constructor"]) {
    assert.throws(() => selectTools(allTools, wrong), /--tools/);
  }
  const { fail } = await connect(t, makeWorkspace(t, {}), { tools: "read" });
  assert.equal((await fail("create_task")).code, "INVALID_ARGUMENT");
});

test("instructions name the projects as far as they fit", async (t) => {
  const some = await connect(t, makeWorkspace(t, { "alpha/": "", "beta/": "" }));
  assert.match(some.client.getInstructions() ?? "", /Projects: alpha, beta\.$/);
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`a-long-project-name-${n}/`, ""]));
  const { client } = await connect(t, makeWorkspace(t, many));
  const text = client.getInstructions() ?? "";
  assert.ok(text.length <= 2000);
  const [, shown = "", more = ""] = /Projects: (.*), and (\d+) more: list_projects\.$/.exec(text) ?? [];
  assert.equal(shown.split(", ").length + Number(more), 300);
  assert.match((await connect(t, makeWorkspace(t, {}))).client.getInstructions() ?? "", /init_project/);
});

test("a read-only server neither lists nor runs what writes", async (t) => {
  const { client, fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }), { readOnly: true });
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
    [],
  );
  assert.equal((await fail("reindex")).code, "READ_ONLY");
});

test("calls at the same time are all answered, from one sync", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/a.md": "emu", "p/tasks/001-a.md": "emu" }));
  const answers = await Promise.all(Array.from({ length: 50 }, () => call("search", { query: "emu" })));
  for (const answer of answers) assert.equal((answer as { total_matches: number }).total_matches, 2);
});

test("a client that asks for the log is told of warnings from its level on", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const { client, call } = await connect(t, root);
  const told: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void told.push(params));
  const broken = async (name: string) => {
    writeFileSync(join(root, "p", name), "---\na: [\n---\n");
    await call("search", { query: "a" });
  };
  await broken("before.md");
  await client.setLoggingLevel("error");
  await broken("error.md");
  await client.setLoggingLevel("info");
  await broken("info.md");
  assert.equal(told.length, 1);
  const { level, logger, data } = told[0] as Record<string, string>;
  assert.deepEqual([level, logger], ["warning", "vibe-mcp"]);
  assert.match(data ?? "", /^p\/info\.md: /);
});
