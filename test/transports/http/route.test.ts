import assert from "node:assert/strict";
import { test } from "node:test";
import { connectHttp, post, send, sendRaw, startHttp, TOKEN } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

test("unknown paths answer 404 without a token", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, {})]);
  for (const path of [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-authorization-server",
    "/register",
    "/index.html",
    "/__proto__",
    "/constructor",
    "/mcp/x",
    "//mcp",
    "/%6dcp",
  ]) {
    const { status } = await sendRaw(server, {}, { path, method: "GET" });
    assert.equal(status, 404, path);
  }
  for (const method of ["PUT", "PATCH", "TRACE"]) {
    const { status, headers } = await sendRaw(server, {}, { method });
    assert.deepEqual([status, headers["allow"]], [405, "GET, POST, DELETE"], method);
  }
});

test("the access log names the request, but no token, query, session or text", async (t) => {
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

test("a request has an id in the answer and the log, which a trusted proxy may set", async (t) => {
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
