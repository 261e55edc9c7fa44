import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ErrorCode, UserError } from "../../../src/core/lib/errors.ts";
import { apiV1 } from "../../../src/core/mcp/api-v1/api.ts";
import { matchSnapshot } from "../../fixtures/snapshot.ts";
import { answers, startV1, type V1 } from "../../fixtures/v1-client.ts";
import { connect, type Files, makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

type Settings = Parameters<typeof connect>[2];
type Row = Record<string, unknown>;

const project = "p";

async function connectV1(t: TestContext, files: Files, settings: Settings = {}): Promise<V1> {
  const root = makeWorkspace(t, files);
  const { client } = await connect(t, root, { api: "v1", ...settings });
  return { client, root, ...answers(client) };
}

test("the tools, prompts and templates of API v1 match the reviewed snapshot", async (t) => {
  const { client } = await connectV1(t, { "p/": "" });
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resourceTemplates } = await client.listResourceTemplates();
  const instructions = client.getInstructions();
  const listed = { tools, prompts, resourceTemplates, instructions };
  matchSnapshot("api-v1.json", `${JSON.stringify(listed, null, 2)}\n`);
});

test("api-v1 stays a thin mapping: under 440 lines", () => {
  const files = readdirSync("src/core/mcp/api-v1").map((name) =>
    readFileSync(join("src/core/mcp/api-v1", name), "utf8"),
  );
  const lines = files.flatMap((text) => text.trimEnd().split("\n")).length;
  assert.ok(lines < 440, `${lines}`);
});

test("wrong arguments are ValueErrors that say what to do", async (t) => {
  const { error } = await connectV1(t, { "p/tasks/001-a.md": "# Task: A\n" });
  const doc = { project, folder: "tasks", filename: "b.md", content: "x" };
  const cases: [string, Row, RegExp][] = [
    ["search", {}, /^ValueError: 'query' is missing\.$/],
    ["search", { query: "x", limit: 0 }, /^ValueError: 'limit' must be 1 or more\.$/],
    ["search", { query: "?!" }, /^ValueError: The query has no word/],
    ["search", { query: "x", folder: "tasks" }, /^ValueError: 'folder' is not an argument of search\./],
    [
      "search",
      { query: "x", project: "nope" },
      /^ValueError: Project 'nope' does not exist\. Known projects: p\.$/,
    ],
    ["list_tasks", { status: "todo" }, /^ValueError: Invalid status: todo\. Must be one of: pending, /],
    [
      "tool_create_task",
      { project: "q", title: "A", objective: "B" },
      /^ValueError: Project 'q' does not exist/,
    ],
    [
      "tool_create_task",
      { project, title: "A", objective: "B", steps: { a: "C" } },
      /^ValueError: 'steps' must be an array of strings/,
    ],
    ["tool_create_doc", { ...doc, filename: "a:b" }, /^ValueError: The filename 'tasks\/a:b' contains ':'/],
    ["tool_create_doc", { ...doc, folder: ".." }, /^ValueError: Path traversal not allowed$/],
    ["tool_create_doc", { ...doc, project: "" }, /^ValueError: Invalid project name: $/],
    [
      "tool_update_task_status",
      { project, task_file: "../x", new_status: "done" },
      /^ValueError: Path traversal/,
    ],
    ["tool_init_project", { project: "p" }, /^ValueError: Project 'p' already exists/],
    ["tool_init_project", { project: "a/b" }, /^ValueError: Invalid project name: a\/b$/],
  ];
  for (const [name, args, message] of cases) assert.match(await error(name, args), message);
});

test("a task in review is in progress, and no client sets the status", async (t) => {
  const { answer, client } = await connectV1(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: in review\n" });
  const tasks = async (status: string | null) =>
    ((await answer("list_tasks", { status })) as Row[]).map((task) => task["status"]);
  assert.deepEqual([await tasks(null), await tasks("in-progress")], [["in-progress"], ["in-progress"]]);
  const read = (await answer("read_doc", { project, folder: "tasks", filename: "001-a.md" })) as Row;
  assert.equal((read["metadata"] as Row)["status"], "in-progress");
  const { contents } = await client.readResource({ uri: "vibe://projects/p" });
  assert.match(JSON.stringify(contents), /- in-progress: 1(?!.*review)/);
  const wrong = await client.callTool({
    name: "tool_update_task_status",
    arguments: { project, task_file: "001-a.md", new_status: "review" },
  });
  assert.equal(wrong.isError, true);
});

test("every file in assets counts", async (t) => {
  const { client } = await connectV1(t, { "p/assets/d.png": "x", "p/assets/e.svg": "x" });
  const read = async (uri: string) => JSON.stringify((await client.readResource({ uri })).contents);
  assert.match(await read("vibe://projects/p"), /`assets\/` \(2 files\)/);
  assert.match(await read("vibe://projects"), /Files: assets=2/);
});

test("a cancelled task is done", async (t) => {
  const { answer, client } = await connectV1(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: wontfix\n" });
  const [task] = (await answer("list_tasks", { status: "done" })) as Row[];
  assert.equal(task?.["status"], "done");
  const { contents } = await client.readResource({ uri: "vibe://projects/p" });
  assert.match(JSON.stringify(contents), /- done: 1(?!.*cancelled)/);
});

test('a document of any length is complete, and root files have the folder ""', async (t) => {
  const text = `# Log\n\n${"word ".repeat(50_000)}`;
  const { answer } = await connectV1(t, { "p/reports/log.md": text, "p/status.md": "# P\n" });
  const read = async (folder: string, filename: string) =>
    (await answer("read_doc", { project, folder, filename })) as Row;
  assert.equal((await read("reports", "log.md"))["content"], text);
  const status = await read("", "status.md");
  assert.deepEqual([status["path"], status["content"]], ["p/status.md", "# P\n"]);
});

test("the vault tools keep their own errors, and can be switched off", async (t) => {
  const { answer, error, client } = await connectV1(t, { "p/a.log": "one\ntwo\n" });
  const page = (await answer("vault_read", { path: "p/a.log", full: true })) as Row;
  assert.equal(page["text"], "one\ntwo\n");
  const { error: envelope } = JSON.parse(await error("vault_ls", { path: "../x" })) as { error: Row };
  assert.equal(envelope["code"], "invalid_path");
  assert.ok((await client.listTools()).tools.some(({ name }) => name === "vault_ls"));
  const off = await startV1(t, { args: ["--api", "v1"], env: { VIBE_API: "v2", VAULT_ROOT: "off" } });
  assert.ok((await off.client.listTools()).tools.every(({ name }) => !name.startsWith("vault_")));
});

test("--tools core picks the same six as of the default interface", async (t) => {
  const { client } = await connectV1(t, {}, { tools: "core" });
  const names = (await client.listTools()).tools.map(({ name }) => name.replace("tool_", ""));
  const core = ["create_task", "list_tasks", "log_session", "read_doc", "search", "update_task_status"];
  assert.deepEqual(names.sort(), core);
});

test("unknown prompts and resources answer the protocol's errors, and names are completed", async (t) => {
  const { client } = await connectV1(t, { "payments/tasks/001-a.md": "# Task: A\n" });
  await assert.rejects(
    client.getPrompt({ name: "session_start", arguments: { project: "nope" } }),
    /payments/,
  );
  await assert.rejects(client.readResource({ uri: "vibe://projects/nope" }), { code: -32002 });
  const ref = { type: "ref/prompt", name: "project_briefing" } as const;
  const { completion } = await client.complete({ ref, argument: { name: "project", value: "pay" } });
  assert.deepEqual(completion.values, ["payments"]);
  const { resources } = await client.listResources();
  assert.ok(resources.length === 3 && resources.every(({ mimeType }) => mimeType === "text/markdown"));
});

test("project_briefing shows list items in one line, and no heading of status.md", async (t) => {
  const { client } = await connectV1(t, {
    "p/status.md": "---\ntype: status\n---\n# P\n\n## Current Status\n\nGoing well.\n\n## Next\n\nMore.\n",
    "p/sessions/2026-06-01.md": "## What was done\n- Implemented search\n- Fixed bugs\n\n## Next\n- Deploy\n",
  });
  const { messages } = await client.getPrompt({ name: "project_briefing", arguments: { project: "p" } });
  const [{ content } = assert.fail()] = messages;
  const text = content.type === "text" ? content.text : "";
  assert.match(text, /## Current Status\nGoing well\.\n\n## Next\n\nMore\.\n/);
  assert.match(text, /^\*\*Done:\*\* Implemented search; Fixed bugs\n\*\*Next:\*\* Deploy$/m);
});

test("an empty workspace and an empty project say so", async (t) => {
  const { client, root, error } = await connectV1(t, {});
  const missing = "Project 'p' does not exist. The workspace has no project yet.";
  assert.equal(await error("list_tasks", { project }), `ValueError: ${missing}`);
  const briefing = client.getPrompt({ name: "project_briefing", arguments: { project } });
  await assert.rejects(briefing, (thrown: Error) =>
    thrown.message.includes(`${missing} Create one with tool_init`),
  );
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && "text" in content ? content.text : assert.fail();
  };
  assert.equal(await read("vibe://projects"), "# Vibe Projects\n\nTotal projects: 0\n");
  writeFiles(root, { "p/": "", "q/tasks/001-a.md": "# Task: A\n\nStatus: perhaps\n" });
  assert.match(
    await read("vibe://projects/p"),
    /Updated:\*\* unknown\n.*No folders found.*- pending: 0\n- in-progress: 0\n- blocked: 0\n- done: 0\n$/s,
  );
  assert.match(await read("vibe://projects/q"), /tasks\/` \(1 file\).*- unknown: 1\n$/s);
  const { messages } = await client.getPrompt({ name: "project_briefing", arguments: { project } });
  assert.match(JSON.stringify(messages), /_No status file_.*_None_.*_None_/);
});

test("a briefing of long notes stays under 60,000 characters", async (t) => {
  const long = "word ".repeat(20_000);
  const tasks = Array.from({ length: 300 }, (_, n) => [
    `p/tasks/${n + 1}-a.md`,
    `# Task: A\n\nStatus: pending\n\n## Objective\n${long}\n`,
  ]);
  const notes = { "p/status.md": long, "p/sessions/2026-01-01.md": `## Done\n${long}\n` };
  const { client } = await connectV1(t, { ...Object.fromEntries(tasks), ...notes });
  const { messages } = await client.getPrompt({ name: "project_briefing", arguments: { project } });
  const { content } = messages[0] ?? assert.fail();
  assert.ok(
    content.type === "text" && content.text.length < 60_000 && content.text.includes("## Recent Sessions"),
  );
});

const BOOSTED: Files = {
  "p/scratch/draft.md": "# Narwhal\n\nNarwhal narwhal narwhal.\n",
  "p/tasks/001-a.md":
    "# Task: A\n\nStatus: in-progress\n\n## Objective\nFeed one narwhal, and much else besides it.\n",
};

test("the ranking has the boosts in full, unless VIBE_BOOST says otherwise", async (t) => {
  const root = makeWorkspace(t, BOOSTED);
  const first = async (env: Record<string, string>) => {
    const { answer, client } = await startV1(t, { root, env });
    const [hit] = (await answer("search", { query: "narwhal" })) as Row[];
    await client.close();
    return hit?.["folder"];
  };
  assert.equal(await first({}), "tasks");
  assert.equal(await first({ VIBE_BOOST: "0" }), "scratch");
});

const wordsOf = (code: ErrorCode, details: Record<string, unknown> = {}) =>
  apiV1.failure(new UserError(code, "What happened.", { details }));

test("errors use the wording of the earlier server", () => {
  for (const code of ["INDEX_ERROR", "FILESYSTEM_ERROR"] as const)
    assert.equal(wordsOf(code), "RuntimeError: What happened.");
  assert.equal(wordsOf("FILE_NOT_FOUND", { path: "a.md" }), "ValueError: File not found: a.md");
  assert.equal(wordsOf("INVALID_PATH"), "ValueError: What happened.");
  const next = new UserError("CONFLICT", "It changed.", { next: "read-again" });
  assert.equal(apiV1.failure(next), "ValueError: It changed.");
});
