import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import {
  connectHttp,
  INITIALIZE,
  openSession,
  post,
  READ_TOKEN,
  send,
  sendRaw,
  serveHttp,
  TOKEN,
} from "../../fixtures/http.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const start = (t: TestContext, args: string[] = [], env?: Record<string, string>) =>
  serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), ...args], env);

const BODY = { error: "Unauthorized", message: "Invalid or missing authentication token" };
const CHALLENGE = 'Bearer realm="vibe-mcp"';

test("a token is measured in bytes: eleven Japanese characters are enough, sent as UTF-8", async (t) => {
  const token = "あいうえおかきくけこさ";
  assert.deepEqual([token.length, Buffer.byteLength(token)], [11, 33]);
  const server = await start(t, [], { VIBE_AUTH_TOKEN: token });
  const bearer = (text: string) => ({ authorization: `Bearer ${Buffer.from(text).toString("latin1")}` });
  assert.equal((await sendRaw(server, bearer(token))).status, 200);
  assert.equal((await sendRaw(server, bearer("さこけくきかおえういあ"))).status, 401);
});

test("without a valid token every route except health answers 401 with the same body", async (t) => {
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
    const { status, headers, body } = await sendRaw(server, { Authorization: authorization });
    // A tenth failure is still not throttled.
    assert.ok(status === 401, `${authorization}: ${status}`);
    assert.deepEqual(JSON.parse(body), BODY);
    assert.equal(headers["www-authenticate"], `${CHALLENGE}, error="invalid_token"`);
  }
  assert.equal((await sendRaw(server, { Authorization: `bEARER   ${TOKEN}` })).status, 200);
});

test("two Authorization headers are refused", async (t) => {
  const server = await start(t);
  const socket = connect(server.port, "127.0.0.1");
  const auth = `Authorization: Bearer ${TOKEN}\r\n`;
  socket.end(`GET /mcp HTTP/1.1\r\nHost: localhost\r\n${auth}${auth}Connection: close\r\n\r\n`);
  assert.match(await text(socket), /^HTTP\/1\.1 401 /);
});

test("after ten wrong tokens an address has to wait, but a right token always works", async (t) => {
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

test("tokens of a file change without a restart, and a removed token loses its sessions", async (t) => {
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
  for (const damage of ["", "short\n", `read ${second}\n${second}\n`]) {
    writeFileSync(file, damage);
    assert.equal(await status(second), 200, JSON.stringify(damage));
  }
  rmSync(file);
  assert.equal(await status(second), 200);
  assert.match(server.stderr(), /current tokens: .*not exist/);
  assert.match(server.stderr(), /token of 5 bytes/);
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
