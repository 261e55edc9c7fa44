import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { connectHttp, post, READ_TOKEN, send, serveHttp } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const noIPv6 = () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address),
  );
  return addresses.includes("::1") ? false : "this machine has no ::1";
};

test("a hundred tasks created at once over several sessions have a hundred numbers", async (t) => {
  const server = await serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })]);
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

test("--stateless answers each request without a session", async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# Zanzibar\n" });
  const [one, two] = [
    await serveHttp(t, ["--root", root, "--stateless"]),
    await serveHttp(t, ["--root", root, "--stateless"]),
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

test("an IPv6 address is logged in brackets", { skip: noIPv6() }, async (t) => {
  const child = await serveHttp(t, ["--root", makeWorkspace(t, {}), "--host", "::1"]);
  assert.match(child.stderr(), / listening on http:\/\/\[::1\]:\d+\/mcp/);
  const health = await fetch(`http://[::1]:${child.port}/health`);
  assert.equal(health.status, 200);
  await health.body?.cancel();
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z $/;

test("a log in JSON has the time as a field", async (t) => {
  const server = await serveHttp(t, ["--root", makeWorkspace(t, {}), "--log-format", "json"]);
  const [first = ""] = server.stderr().split("\n");
  const { time, message, tokens } = JSON.parse(first);
  assert.match(`${time} `, TIME);
  assert.match(message, /^serving /);
  assert.equal(tokens, 1);
});
