import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connectHttp, post, READ_TOKEN, startHttp, TOKEN } from "../../fixtures/http.ts";
import { connectModernHttp, ENVELOPE, hearChanges, NEWEST } from "../../fixtures/modern.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const FILES = { "p/tasks/001-a.md": "# A\n\nzebra", "p/status.md": "# P", "q/b.md": "# B" };
const A = "vibe://projects/p/tasks/001-a.md";

const named = (method: string, name?: string) => ({
  "Mcp-Protocol-Version": NEWEST,
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
});
const request = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: { ...params, _meta: ENVELOPE },
});
const search = request("tools/call", { name: "search", arguments: { query: "zebra" } });

test("a client that negotiates speaks the newest revision, next to one of today", async (t) => {
  for (const args of [[], ["--stateless"]]) {
    const server = await startHttp(t, ["--root", makeWorkspace(t, FILES), ...args]);
    for (const mode of ["auto", { pin: NEWEST }] as const) {
      const { client, call } = await connectModernHttp(t, server, { mode });
      assert.equal(client.getProtocolEra(), "modern");
      assert.match(client.getInstructions() ?? "", /Projects: p, q\./);
      assert.equal((await call("search", { query: "zebra" }))["total_matches"], 1);
    }
    const { call } = await connectHttp(t, server);
    assert.equal((await call("search", { query: "zebra" }))["total_matches"], 1);
  }
});

test("a long answer travels packed to who takes that, a short one as it is", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, FILES)]);
  for (const [body, name, encoding] of [
    [request("tools/list"), undefined, "gzip"],
    [search, "search", null],
  ] as const) {
    const packed = await post(server, body, { headers: named(body.method, name) });
    const plain = await post(server, body, {
      headers: { ...named(body.method, name), "Accept-Encoding": "identity" },
    });
    assert.deepEqual(
      [packed, plain].map(({ headers }) => headers.get("content-encoding")),
      [encoding, null],
    );
    assert.deepEqual(await packed.json(), await plain.json());
  }
});

test("each request needs a valid token, an allowed source and a body within the limits", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, FILES)]);
  const headers = named("tools/call", "search");
  const status = async (message: unknown, options: Parameters<typeof post>[2]) =>
    (await post(server, message, options)).status;
  assert.equal(await status(search, { headers }), 200);
  assert.equal(await status(search, { headers, token: null }), 401);
  assert.equal(await status(search, { headers, token: "wrong" }), 401);
  assert.equal(await status(search, { headers: { ...headers, Origin: "https://evil.example" } }), 403);
  const nested = `${"[".repeat(300)}${"]".repeat(300)}`;
  const deep = JSON.stringify(search).replace('"zebra"', nested);
  assert.equal(await status(deep, { headers }), 400);
  const large = request("tools/call", { name: "search", arguments: { query: "x".repeat(17_000_000) } });
  assert.equal(await status(large, { headers }), 413);
  const { client, fail } = await connectModernHttp(t, server, { token: READ_TOKEN });
  assert.ok((await client.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint));
  assert.equal((await fail("init_project", { name: "new" })).code, "READ_ONLY");
});

test("headers that contradict the message are refused, and versions that are not supported", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, FILES)]);
  const error = async (message: unknown, headers: Record<string, string>) => {
    const response = await post(server, message, { headers });
    const body = (await response.json()) as { error: { code: number; data?: unknown } };
    return [response.status, body.error.code, body.error.data];
  };
  assert.deepEqual((await error(search, named("tools/list"))).slice(0, 2), [400, -32020]);
  assert.deepEqual((await error(search, named("tools/call", "read_doc"))).slice(0, 2), [400, -32020]);
  assert.deepEqual((await error(search, { "Mcp-Protocol-Version": NEWEST })).slice(0, 2), [400, -32020]);
  const other = "2099-01-01";
  const _meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": other };
  assert.deepEqual(
    await error(
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } },
      { ...named("tools/list"), "Mcp-Protocol-Version": other },
    ),
    [400, -32022, { supported: [NEWEST], requested: other }],
  );
  assert.deepEqual((await error(request("tools/none"), named("tools/none"))).slice(0, 2), [404, -32601]);
});

test("a client listens to changes of documents and of the list", async (t) => {
  const root = makeWorkspace(t, FILES);
  const server = await startHttp(t, ["--root", root]);
  const { client } = await connectModernHttp(t, server);
  const { heard, until } = hearChanges(client);
  const missing = "vibe://projects/p/tasks/999-none.md";
  const filter = { resourceSubscriptions: [A, missing], resourcesListChanged: true };
  const stream = await client.listen(filter);
  assert.deepEqual(stream.honoredFilter, { ...filter, resourceSubscriptions: [A] });
  writeFileSync(join(root, "p", "status.md"), "# P\n\nchanged");
  writeFileSync(join(root, "p", "tasks", "001-a.md"), "# A\n\nchanged");
  await until(A);
  renameSync(join(root, "q", "b.md"), join(root, "q", "c.md"));
  await until("list");
  assert.ok(!heard.includes("vibe://projects/p/status.md"));
  server.child.kill("SIGTERM");
  assert.equal(await stream.closed, "graceful");
  assert.deepEqual(await server.exit, { code: 0, signal: null });
});

test("streams of notifications count as sessions, and end when their token is revoked", async (t) => {
  const tokens = join(temporaryFolder(t), "tokens");
  writeFileSync(tokens, `${TOKEN}\n`);
  const root = makeWorkspace(t, FILES);
  const args = ["--root", root, "--max-sessions", "2", "--token-file", tokens, "--session-idle", "1"];
  const server = await startHttp(t, args, {});
  const { client } = await connectModernHttp(t, server);
  const listen = () => client.listen({ resourcesListChanged: true });
  const streams = [await listen(), await listen()];
  await assert.rejects(listen());
  await streams[0]?.close();
  while (true) {
    const third = await listen().catch(() => undefined);
    if (third !== undefined) break;
  }
  rmSync(tokens);
  writeFileSync(tokens, `another-${TOKEN}\n`);
  assert.equal(await streams[1]?.closed, "graceful");
});
