import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { demoFiles } from "../../src/cli/commands/demo/files.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../src/core/mcp/vault/all.ts";
import { builtFile, handshake, startBuilt } from "../fixtures/built.ts";
import { callers, makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const search = (query: string) => ({ name: "search", arguments: { query } });
const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `p/references/${n}.md`,
      `# Note ${n}\n\n${"words ".repeat(300)}`,
    ]),
  );

test("the official client lists, searches and reads the demo workspace through the built file", async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, Object.fromEntries(demoFiles(new Date()).map(({ path, content }) => [path, content])));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtFile(t), "--root", root],
    cwd: temporaryFolder(t),
    env: { HOME: temporaryFolder(t) },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  t.after(() => client.close());
  assert.equal(client.getServerVersion()?.name, "vibe");
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    [...allTools, ...vaultTools].map(({ name }) => name),
  );
  const { call } = callers(client);
  for (const query of ["bearer token", "devolucion", "認証トークン"]) {
    const { results } = await call<{ results: Record<string, string>[] }>("search", { query });
    const { project, folder, filename } = results[0] ?? assert.fail(query);
    const { content } = await call("read_doc", { project, folder, filename });
    assert.equal(content, readFileSync(join(root, project ?? "", folder ?? "", filename ?? ""), "utf8"));
  }
  assert.equal((await call("list_projects"))["total"], 1);
  assert.notEqual((await call("list_tasks", { ready: true }))["total"], 0);
  assert.equal((await call("get_plan", { project: "payments-api" }))["exists"], true);
});

for (const options of [[], ["--reindex"]])
  test(`the index is built and saved although no call comes (${options.join() || "no option"})`, async (t) => {
    const root = makeWorkspace(t, many(20));
    const index = join(root, "index.db");
    const server = startBuilt(t, ["--root", root, ...options]);
    await handshake(server);
    // A part may be saved before all is read.
    while (!existsSync(index) || !readFileSync(index).includes("p/references/19.md")) {
      assert.equal(server.child.exitCode, null);
      await sleep(20);
    }
    assert.deepEqual(
      server.received.map(({ id }) => id),
      [0],
    );
    server.child.stdin.end();
    await server.exit;
  });

test("a client that only lists the tools and leaves builds no index", async (t) => {
  const root = makeWorkspace(t, many(20));
  const server = startBuilt(t, ["--root", root]);
  await handshake(server);
  server.request(1, "tools/list", {});
  server.child.stdin.end();
  assert.deepEqual(await server.exit, { code: 0, signal: null });
  assert.equal(existsSync(join(root, "index.db")), false);
});

test("when its input ends, the server writes pending replies, saves the index and ends", async (t) => {
  const root = makeWorkspace(t, many(200));
  const server = startBuilt(t, ["--root", root]);
  // As a pipe does: all at once.
  void handshake(server);
  for (const id of [1, 2]) server.request(id, "tools/call", search("words"));
  server.request(3, "tools/call", { name: "list_tasks", arguments: { project: "p" } });
  server.child.stdin.end();
  assert.deepEqual(await server.exit, { code: 0, signal: null });
  assert.deepEqual(server.received.map(({ id }) => id).sort(), [0, 1, 2, 3]);
  const failed = server.received.filter(({ result }) => result?.["isError"] === true);
  assert.deepEqual(failed, []);
  assert.ok(existsSync(join(root, "index.db")));
  assert.deepEqual(readdirSync(root).sort(), ["index.db", "p"]);
});

test("a request against the rules of the protocol is refused, and the next ones are answered", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, many(3))]);
  await handshake(server);
  const wrong = [
    { params: null },
    { params: [1] },
    { extra: true },
    { params: { _meta: { progressToken: null }, ...search("words") }, method: "tools/call" },
  ];
  for (const [at, members] of wrong.entries()) {
    server.write(JSON.stringify({ jsonrpc: "2.0", id: 100 + at, method: "tools/list", ...members }));
    const { error } = await server.reply(100 + at);
    assert.equal(error?.code, -32600, JSON.stringify(members));
    assert.match(error?.message ?? "", /^Invalid Request: /);
  }
  server.request(1, "tools/call", search("words"));
  assert.equal((await server.reply(1)).error, undefined);
  server.child.stdin.end();
  assert.equal((await server.exit).code, 0);
});

test("a read-only server writes no index, unless one is named", async (t) => {
  const root = makeWorkspace(t, many(3));
  const named = join(temporaryFolder(t), "deep", "named.db");
  for (const [args, expected] of [
    [["--read-only"], false],
    [["--read-only", "--db", named], true],
  ] as const) {
    const server = startBuilt(t, ["--root", root, ...args]);
    await handshake(server);
    server.request(1, "tools/call", search("words"));
    await server.reply(1);
    server.child.stdin.end();
    await server.exit;
    assert.equal(existsSync(named), expected);
  }
  assert.deepEqual(readdirSync(root), ["p"]);
});
