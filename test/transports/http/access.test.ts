import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import {
  connectHttp,
  type HttpServer,
  INITIALIZE,
  JSON_HEADERS,
  openSession,
  post,
  READ_TOKEN,
  send,
  startHttp,
  TOKEN,
} from "../../fixtures/http.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const start = (t: TestContext, args: string[] = [], env?: Record<string, string>) =>
  startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), ...args], env);

const noIPv6 = () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address),
  );
  return addresses.includes("::1") ? false : "this machine has no ::1";
};

const BODY = { error: "Unauthorized", message: "Invalid or missing authentication token" };
const CHALLENGE = 'Bearer realm="vibe-mcp"';

/** A request with headers as they are given, of which `fetch` would refuse some. */
async function raw(
  server: HttpServer,
  headers: Record<string, string | string[]>,
  { method = "POST", path = "/mcp" } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const sent = request({
    port: server.port,
    host: "127.0.0.1",
    method,
    path,
    headers: { ...JSON_HEADERS, ...headers },
  });
  // Together with a text, the headers would be encoded as UTF-8 once more.
  sent.end(method === "POST" ? Buffer.from(JSON.stringify(INITIALIZE)) : undefined);
  const [answer] = await once(sent, "response");
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

test("a token is measured in bytes: eleven Japanese characters are enough, sent as UTF-8", async (t) => {
  const token = "あいうえおかきくけこさ";
  assert.deepEqual([token.length, Buffer.byteLength(token)], [11, 33]);
  const server = await start(t, [], { VIBE_AUTH_TOKEN: token });
  const bearer = (text: string) => ({ authorization: `Bearer ${Buffer.from(text).toString("latin1")}` });
  assert.equal((await raw(server, bearer(token))).status, 200);
  assert.equal((await raw(server, bearer("さこけくきかおえういあ"))).status, 401);
});

test("whoever has no valid token gets 401 with the same body, on every route but health", async (t) => {
  const server = await start(t);
  for (const [path, method] of [
    ["/mcp", "POST"],
    ["/mcp", "GET"],
    ["/mcp", "DELETE"],
    ["/mcp/", "POST"],
    ["/sse", "GET"],
    ["/messages?sessionId=x", "POST"],
  ] as const) {
    const response = await send(server, { path, method, token: null });
    assert.equal(response.status, 401, path);
    assert.deepEqual(await response.json(), BODY);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("www-authenticate"), CHALLENGE);
  }
});

test("a credential that is malformed, of another kind or not ASCII gets 401, never more", async (t) => {
  const server = await start(t);
  const wrong: (string | string[])[] = [
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer`,
    `Basic ${Buffer.from(`user:${TOKEN}`).toString("base64")}`,
    TOKEN,
    "Bearer contraseña-ñandú-áéíóú-0123456789-0123456789",
    "\xff\xfe\x80",
    `Bearer ${"a".repeat(8000)}`,
  ];
  for (const authorization of wrong) {
    const { status, headers, body } = await raw(server, { Authorization: authorization });
    // The address has failed often enough by then to be told to wait.
    assert.ok(status === 401, `${authorization}: ${status}`);
    assert.deepEqual(JSON.parse(body), BODY);
    assert.equal(headers["www-authenticate"], `${CHALLENGE}, error="invalid_token"`);
  }
  assert.equal((await raw(server, { Authorization: `bEARER   ${TOKEN}` })).status, 200);
});

test("two Authorization headers are none", async (t) => {
  const server = await start(t);
  const socket = connect(server.port, "127.0.0.1");
  const auth = `Authorization: Bearer ${TOKEN}\r\n`;
  socket.end(`GET /mcp HTTP/1.1\r\nHost: localhost\r\n${auth}${auth}Connection: close\r\n\r\n`);
  assert.match(await text(socket), /^HTTP\/1\.1 401 /);
});

test("after ten wrong tokens an address is told to wait, and a right token is let in all along", async (t) => {
  const server = await start(t);
  const statuses: number[] = [];
  const good = await connectHttp(t, server);
  for (let n = 0; n < 15; n++) {
    const response = await post(server, INITIALIZE, { token: `wrong-token-${n}-0123456789-0123456789` });
    statuses.push(response.status);
    if (response.status === 429) assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
    await response.text();
    assert.equal((await good.call("list_projects"))["total"], 1);
  }
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]);
  const missing = await post(server, INITIALIZE, { token: null });
  assert.equal(missing.status, 401, "no token is no failed login: clients ask so how to log in");
  assert.equal((await post(server, INITIALIZE)).status, 200);
});

test("several tokens are valid at once", async (t) => {
  const other = "another-token-0123456789-0123456789";
  const server = await start(t, [], { VIBE_AUTH_TOKEN: ` ${TOKEN}, ${other},` });
  for (const token of [TOKEN, other]) assert.equal((await post(server, INITIALIZE, { token })).status, 200);
});

test("tokens of a file change without a restart, and who lost theirs loses the session", async (t) => {
  const file = join(temporaryFolder(t), "tokens");
  const [first, second] = ["first-token-0123456789-0123456789-a", "second-token-0123456789-0123456789"];
  writeFileSync(file, `# for the laptop\n${first}\r\n\nread ${READ_TOKEN}  # for the dashboard\n`);
  const server = await start(t, ["--token-file", file, "--session-idle", "2"], {});
  const status = async (token: string) => {
    const response = await post(server, INITIALIZE, { token });
    await response.text();
    return response.status;
  };
  assert.deepEqual(await Promise.all([first, second, READ_TOKEN].map(status)), [200, 401, 200]);
  const reader = await connectHttp(t, server, { token: READ_TOKEN });
  assert.ok(!(await reader.client.listTools()).tools.some(({ name }) => name === "create_doc"));
  const stream = await send(server, { path: "/sse", token: first });
  writeFileSync(file, `${first}\n${second}\n`);
  assert.deepEqual(await Promise.all([first, second, READ_TOKEN].map(status)), [200, 200, 401]);
  writeFileSync(file, `${second}\n`);
  assert.deepEqual(await Promise.all([first, second].map(status)), [401, 200]);
  assert.match(await stream.text(), /event: endpoint/, "the stream of the withdrawn token ended");
  for (const damage of ["", "short\n", "# nothing\n", `read ${second}\n${second}\n`]) {
    writeFileSync(file, damage);
    assert.equal(await status(second), 200, JSON.stringify(damage));
  }
  rmSync(file);
  assert.equal(await status(second), 200);
  assert.match(server.stderr(), /keeping the current tokens: it does not exist/);
  assert.match(server.stderr(), /holds a token of 5 bytes/);
});

test("a session belongs to the token that opened it", async (t) => {
  const server = await start(t);
  const id = await openSession(server);
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const answers = [TOKEN, READ_TOKEN].map((token) =>
    post(server, list, { token, headers: { "Mcp-Session-Id": id } }),
  );
  assert.deepEqual(
    (await Promise.all(answers)).map(({ status }) => status),
    [200, 404],
  );
});

test("a Host that is not this server's, and an Origin that was not named, are refused", async (t) => {
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
    [{ Host: `[::1]:${port}` }, 200],
    [{ Host: "vibe.example.com" }, 200],
    [{ Host: "VIBE.example.com:443" }, 200],
    [{ Host: "other.example" }, 200],
    [{ Host: "evil.example" }, 403],
    [{ Host: "vibe.example.com.evil.example" }, 403],
    [{ Host: "192.168.1.7" }, 403],
    [{ Host: "localhost.evil.example" }, 403],
    [{ Host: "localhost@evil.example" }, 403],
    [{ Host: "localhost", Origin: "https://app.example.com" }, 200],
    [{ Host: "vibe.example.com", Origin: "https://vibe.example.com" }, 200],
    [{ Host: `localhost:${port}`, Origin: `http://localhost:${port}` }, 200],
    [{ Host: "localhost", Origin: "http://localhost:3000" }, 403],
    [{ Host: "localhost", Origin: "https://evil.example" }, 403],
    [{ Host: "localhost", Origin: "https://app.example.com.evil.example" }, 403],
    [{ Host: "localhost", Origin: "null" }, 403],
  ];
  for (const [headers, status] of cases)
    assert.equal((await raw(server, { ...headers, ...auth })).status, status, JSON.stringify(headers));
  const health = await raw(server, { Host: "evil.example" }, { method: "GET", path: "/health" });
  assert.equal(health.status, 403);
});

test("pages of a named origin alone may read answers", async (t) => {
  const server = await start(t, ["--allowed-origin", "https://app.example.com,http://localhost:6274/"]);
  const preflight = (Origin: string) =>
    raw(server, { Origin, "Access-Control-Request-Method": "POST" }, { method: "OPTIONS" });
  for (const origin of ["https://app.example.com", "http://localhost:6274"]) {
    const { status, headers } = await preflight(origin);
    assert.equal(status, 204);
    assert.equal(headers["access-control-allow-origin"], origin);
    assert.match(String(headers["access-control-allow-headers"]), /Authorization.*Mcp-Session-Id/);
    const unauthorized = await raw(server, { Origin: origin });
    assert.equal(unauthorized.status, 401);
    assert.equal(unauthorized.headers["access-control-allow-origin"], origin);
    assert.equal(unauthorized.headers["vary"], "Origin");
  }
  const stranger = await preflight("https://evil.example");
  assert.equal(stranger.status, 403);
  assert.equal(stranger.headers["access-control-allow-origin"], undefined);
  const plain = await raw(server, {}, { method: "OPTIONS" });
  assert.equal(plain.status, 405);
});

test("listening for other machines takes a token, and then any address in figures is a valid Host", async (t) => {
  const server = await start(t, ["--host", "0.0.0.0"]);
  const auth = { Authorization: `Bearer ${TOKEN}` };
  for (const [Host, status] of [
    ["192.168.1.7:8080", 200],
    ["[fe80::1]:8080", 200],
    ["my-laptop.local", 403],
  ] as const)
    assert.equal((await raw(server, { Host, ...auth })).status, status, Host);
});

test("an IPv6 address is told in brackets", { skip: noIPv6() }, async (t) => {
  const child = await start(t, ["--host", "::1"]);
  assert.match(child.stderr(), / listening on http:\/\/\[::1\]:\d+\/mcp/);
  const health = await fetch(`http://[::1]:${child.port}/health`);
  assert.equal(health.status, 200);
  await health.body?.cancel();
});

test("paths that are not there get 404 without a token, so that clients that probe go on", async (t) => {
  const server = await start(t);
  for (const path of [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-authorization-server",
    "/register",
    "/",
    "/__proto__",
    "/constructor",
    "/mcp/x",
    "//mcp",
    "/%6dcp",
  ]) {
    const { status } = await raw(server, {}, { path, method: "GET" });
    assert.equal(status, 404, path);
  }
  for (const method of ["PUT", "PATCH", "TRACE"]) {
    const { status, headers } = await raw(server, {}, { method });
    assert.deepEqual([status, headers["allow"]], [405, "GET, POST, DELETE"], method);
  }
});
