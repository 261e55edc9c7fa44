import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { sendRaw, serveHttp, TOKEN } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const start = (t: TestContext, args: string[] = [], env?: Record<string, string>) =>
  serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), ...args], env);

test("a foreign Host and an Origin that is not allowed are refused", async (t) => {
  const named = [
    "--allowed-host",
    "vibe.example.com, Other.Example",
    "--allowed-origin",
    "https://app.example.com",
  ];
  const server = await start(t, named);
  const { port } = server;
  const auth = { Authorization: `Bearer ${TOKEN}` };
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ Host: "localhost" }, 200],
    [{ Host: `127.0.0.1:${port}` }, 200],
    [{ Host: "vibe.example.com" }, 200],
    [{ Host: "VIBE.example.com:443" }, 200],
    [{ Host: "evil.example" }, 403],
    [{ Host: "vibe.example.com.evil.example" }, 403],
    [{ Host: "192.168.1.7" }, 403],
    [{ Host: "127.0.0.1:99999" }, 403],
    [{ Host: "localhost@evil.example" }, 403],
    [{ Host: "localhost", Origin: "https://app.example.com" }, 200],
    [{ Host: "vibe.example.com", Origin: "https://vibe.example.com" }, 200],
    [{ Host: "localhost", Origin: "http://localhost:3000" }, 403],
    [{ Host: "localhost", Origin: "https://evil.example" }, 403],
    [{ Host: "localhost", Origin: "null" }, 403],
  ];
  for (const [headers, status] of cases)
    assert.equal((await sendRaw(server, { ...headers, ...auth })).status, status, JSON.stringify(headers));
  const health = await sendRaw(server, { Host: "evil.example" }, { method: "GET", path: "/health" });
  assert.equal(health.status, 403);
});

test("only pages of an allowed origin may read answers", async (t) => {
  const server = await start(t, ["--allowed-origin", "https://app.example.com,http://localhost:6274/"]);
  const preflight = (Origin: string) =>
    sendRaw(server, { Origin, "Access-Control-Request-Method": "POST" }, { method: "OPTIONS" });
  for (const origin of ["https://app.example.com", "http://localhost:6274"]) {
    const { status, headers } = await preflight(origin);
    assert.equal(status, 204);
    assert.equal(headers["access-control-allow-origin"], origin);
    assert.match(String(headers["access-control-allow-headers"]), /Authorization.*Mcp-Session-Id/);
    const unauthorized = await sendRaw(server, { Origin: origin });
    assert.equal(unauthorized.status, 401);
    assert.equal(unauthorized.headers["access-control-allow-origin"], origin);
    assert.equal(unauthorized.headers["vary"], "Origin");
  }
  const stranger = await preflight("https://evil.example");
  assert.equal(stranger.status, 403);
  assert.equal(stranger.headers["access-control-allow-origin"], undefined);
  const plain = await sendRaw(server, {}, { method: "OPTIONS" });
  assert.equal(plain.status, 405);
});

test("a server that other machines can reach accepts any IP address as Host", async (t) => {
  const server = await start(t, ["--host", "0.0.0.0"]);
  const auth = { Authorization: `Bearer ${TOKEN}` };
  for (const [Host, status] of [
    ["192.168.1.7:8080", 200],
    ["[fe80::1]:8080", 200],
    ["my-laptop.local", 403],
  ] as const)
    assert.equal((await sendRaw(server, { Host, ...auth })).status, status, Host);
});

test("a request whose Host is missing, empty or no host is refused", async (t) => {
  const { port } = await serveHttp(t, ["--root", makeWorkspace(t, { "p/a.md": "x" })]);
  for (const host of ["", "Host:\r\n", "Host: a b\r\n", "Host: [::1\r\n"]) {
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET /mcp HTTP/1.0\r\n${host}Authorization: Bearer ${TOKEN}\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 40[03] /, host);
  }
});

test("behind a proxy that rewrites Host, the public URL is an own origin, and others are still refused", async (t) => {
  const publicUrl = "https://vibe.example.com";
  const server = await start(t, ["--oauth", "--public-url", publicUrl]);
  const auth = { Authorization: `Bearer ${TOKEN}`, Host: `127.0.0.1:${server.port}` };
  for (const [Origin, status] of [
    [publicUrl, 200],
    ["http://vibe.example.com", 403],
    ["https://vibe.example.com:8443", 403],
    ["https://evil.example", 403],
    ["null", 403],
  ] as const)
    assert.equal((await sendRaw(server, { ...auth, Origin })).status, status, Origin);
  const without = await start(t);
  assert.equal((await sendRaw(without, { ...auth, Origin: publicUrl })).status, 403);
});
