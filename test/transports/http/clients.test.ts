import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { demoFiles } from "../../../src/cli/commands/demo/files.ts";
import { allTools } from "../../../src/mcp/tools/all.ts";
import { vaultTools } from "../../../src/mcp/vault/all.ts";
import { connectHttp, INITIALIZE, post, READ_TOKEN, send, startHttp, TOKEN } from "../../fixtures/http.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

/** So much that indexing it anew takes a while. */
const filler = Object.fromEntries(
  Array.from({ length: 800 }, (_, n) => [
    `filler/references/${n}.md`,
    `# ${n}\n\n${"filler ".repeat(200)}\n`,
  ]),
);

const everyTool = [...allTools, ...vaultTools];

for (const sse of [false, true]) {
  const name = sse ? "the older SSE transport" : "Streamable HTTP";
  test(`over ${name} the official client lists, searches, reads, writes and is given prompts`, async (t) => {
    const root = temporaryFolder(t);
    writeFiles(root, Object.fromEntries(demoFiles(new Date()).map(({ path, content }) => [path, content])));
    writeFiles(root, filler);
    const server = await startHttp(t, ["--root", root]);
    const { client, call, fail } = await connectHttp(t, server, { sse });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      everyTool.map((tool) => tool.name),
    );
    const { results } = await call<{ results: Record<string, string>[] }>("search", {
      query: "認証トークン",
    });
    const { project, folder, filename } = results[0] ?? assert.fail();
    const { content } = await call("read_doc", { project, folder, filename });
    assert.equal(content, readFileSync(join(root, project ?? "", folder ?? "", filename ?? ""), "utf8"));
    const { path } = await call<{ path: string }>("create_doc", {
      ...{ project: "kiroku", folder: "scratch", filename: "over-http", content: "# 端末\n\nñandú" },
    });
    assert.equal(readFileSync(join(root, path), "utf8"), "# 端末\n\nñandú");
    assert.equal(
      (await fail("read_doc", { project: "nope", folder: "", filename: "a" })).code,
      "PROJECT_NOT_FOUND",
    );
    assert.ok((await client.listResources()).resources.length > 3);
    assert.equal(
      (await client.getPrompt({ name: "session_start", arguments: { project: "kiroku" } })).messages.length,
      1,
    );
    const progress: number[] = [];
    // Progress that reaches this client in one piece with the answer is dropped by it.
    for (let turn = 0; turn < 50 && progress.length === 0; turn++)
      await client.callTool({ name: "reindex", arguments: { full: true } }, undefined, {
        onprogress: (update) => progress.push(update.progress),
      });
    assert.ok(progress.length > 0, "progress arrives on the stream of the call");
  });

  test(`over ${name} a read-only token sees the tools that read, and no other works`, async (t) => {
    const root = makeWorkspace(t, { "p/status.md": "# P\n" });
    const server = await startHttp(t, ["--root", root]);
    const { client, call, fail } = await connectHttp(t, server, { sse, token: READ_TOKEN });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      everyTool.filter(({ access }) => access === "read").map((tool) => tool.name),
    );
    assert.equal((await call("list_projects"))["total"], 1);
    const doc = { project: "p", folder: "", filename: "new", content: "x" };
    assert.equal((await fail("create_doc", doc)).code, "READ_ONLY");
    assert.equal((await fail("vault_create", { path: "p/new.txt", content: "x" })).code, "READ_ONLY");
    const writer = await connectHttp(t, server, { sse });
    await writer.call("create_doc", doc);
    assert.equal((await call("list_projects", { project: "p" }))["name"], "p");
    assert.ok(existsSync(join(root, "p", "new.md")));
  });
}

test("what one client writes, another finds at once", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })]);
  const [one, two] = [await connectHttp(t, server), await connectHttp(t, server, { sse: true })];
  await one.call("create_task", { project: "p", title: "Quixotic", objective: "Zanzibar" });
  assert.equal((await two.call("search", { query: "zanzibar" }))["total_matches"], 1);
});

test("a hundred tasks created at once over several sessions have a hundred numbers", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })]);
  const clients = await Promise.all([1, 2, 3, 4, 5].map(() => connectHttp(t, server)));
  const tasks = await Promise.all(
    clients.flatMap(({ call }, at) =>
      Array.from({ length: 20 }, (_, n) =>
        call<{ task: { number: string } }>("create_task", {
          project: "p",
          title: `Task ${at} ${n}`,
          objective: "x",
        }),
      ),
    ),
  );
  assert.equal(new Set(tasks.map(({ task }) => task.number)).size, 100);
});

test("GET /health tells version, documents and whether it only reads, to anybody, and nothing else", async (t) => {
  const root = makeWorkspace(t, {
    "secret-project/status.md": "# P\n",
    "secret-project/tasks/001-a.md": "# A\n",
  });
  const server = await startHttp(t, ["--root", root, "--read-only"]);
  const health = async () =>
    (await (await send(server, { path: "/health", token: null })).json()) as Record<string, unknown>;
  let found = await health();
  while (found["documents"] === null) found = await health();
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  assert.deepEqual(found, { status: "ok", version, documents: 2, read_only: true });
  const head = await send(server, { path: "/health", token: null, method: "HEAD" });
  assert.equal(head.status, 200);
});

test("without a token this machine alone may come in, and the log says so", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })], {});
  const response = await post(server, INITIALIZE, { token: null });
  assert.equal(response.status, 200);
  assert.match(server.stderr(), /no token is set/);
});

test("--stateless answers each request by itself: any replica may", async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# Zanzibar\n" });
  const [one, two] = [
    await startHttp(t, ["--root", root, "--stateless"]),
    await startHttp(t, ["--root", root, "--stateless"]),
  ];
  const { call, sessionId } = await connectHttp(t, one);
  assert.equal(sessionId(), undefined);
  assert.equal((await call("search", { query: "zanzibar" }))["total_matches"], 1);
  const list = { jsonrpc: "2.0", id: 5, method: "tools/list" };
  for (const server of [one, two]) {
    const response = await post(server, list, { headers: { "Mcp-Session-Id": "of-another-replica" } });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /"search"/);
    for (const [path, method, status] of [
      ["/mcp", "GET", 405],
      ["/mcp", "DELETE", 405],
      ["/sse", "GET", 404],
      ["/messages", "POST", 404],
    ] as const)
      assert.equal((await send(server, { path, method })).status, status, `${method} ${path}`);
  }
  const reader = await post(one, list, { token: READ_TOKEN });
  assert.doesNotMatch(await reader.text(), /"create_doc"/);
});

test("the access log names what was asked, and holds no token, query, session or text", async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const server = await startHttp(t, ["--root", root, "--log-format", "json", "--log-level", "debug"]);
  const { call, fail, sessionId } = await connectHttp(t, server);
  await call("search", { query: "a-private-question" });
  await fail("read_doc", { project: "a-private-project", folder: "", filename: "x" });
  await call("create_doc", { project: "p", folder: "", filename: "n", content: "a-private-text" });
  await post(server, { jsonrpc: "2.0", id: 1, method: "a-private-method" }, { path: `/mcp?token=${TOKEN}` });
  await send(server, { path: `/a-private-path/${TOKEN}`, headers: { "User-Agent": "a-private-agent" } });
  server.child.kill();
  assert.equal((await server.exit).code, 0);
  const lines = server.stderr().trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.ok(entries.every(({ time, level, message }) => time && level && message));
  const asked = entries.map((entry) => entry["asked"]);
  for (const what of ["initialize", "tools/call:search", "tools/call:create_doc"])
    assert.ok(asked.includes(what), what);
  assert.ok(entries.some(({ message, status }) => message === "GET (other)" && status === 404));
  assert.doesNotMatch(server.stderr(), /private/);
  assert.ok(!server.stderr().includes(TOKEN));
  assert.ok(!server.stderr().includes(sessionId() ?? assert.fail()));
});

test("a request has an id in the answer and in the log; one given by a trusted proxy is kept", async (t) => {
  const root = makeWorkspace(t, {});
  const given = { "X-Request-Id": "from-the-proxy", "X-Forwarded-For": "203.0.113.9, 198.51.100.7" };
  const trusting = await startHttp(t, ["--root", root, "--trust-proxy"]);
  const kept = await send(trusting, { path: "/mcp", token: null, headers: given });
  assert.equal(kept.headers.get("x-request-id"), "from-the-proxy");
  await kept.text();
  const wary = await startHttp(t, ["--root", root]);
  const made = await send(wary, { path: "/mcp", token: null, headers: given });
  const id = made.headers.get("x-request-id") ?? "";
  assert.match(id, /^[\da-f]{16}$/);
  await made.text();
  for (const { child, exit } of [trusting, wary]) {
    child.kill();
    await exit;
  }
  assert.match(trusting.stderr(), /GET \/mcp status=401 ms=\d+ from=198\.51\.100\.7 id=from-the-proxy/);
  assert.match(wary.stderr(), new RegExp(`GET /mcp status=401 ms=\\d+ from=127\\.0\\.0\\.1 id=${id}`));
});
