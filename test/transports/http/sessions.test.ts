import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  INITIALIZE,
  JSON_HEADERS,
  openSession,
  post,
  type Served,
  send,
  serveHttp,
} from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const start = (t: TestContext, ...args: string[]) =>
  serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), ...args]);
const list = (id: number | string = 1) => ({ jsonrpc: "2.0", id, method: "tools/list" });
const inSession = (id: string) => ({ headers: { "Mcp-Session-Id": id } });

/** The status of a request in a session; its answer is read to the end. */
async function statusIn(server: Served, id: string, message: unknown = list()): Promise<number> {
  const response = await post(server, message, inSession(id));
  await response.text();
  return response.status;
}

test("a session that DELETE ended is unknown", async (t) => {
  const server = await start(t);
  const id = await openSession(server);
  assert.equal(await statusIn(server, id), 200);
  const end = () => send(server, { method: "DELETE", headers: { "Mcp-Session-Id": id } });
  assert.equal((await end()).status, 200);
  assert.equal((await end()).status, 404);
  const response = await post(server, list(), inSession(id));
  assert.equal(response.status, 404);
  const { error } = (await response.json()) as { error: { code: number; message: string } };
  assert.equal(error.code, -32001);
});

test("initialize with the id of an ended session opens a new one", async (t) => {
  const server = await start(t);
  const response = await post(server, INITIALIZE, inSession("1f0e4e0c-0000-4000-8000-000000000000"));
  assert.equal(response.status, 200);
  assert.equal(await statusIn(server, response.headers.get("mcp-session-id") ?? ""), 200);
  await response.text();
});

test("when the server is full, a session without requests ends first", async (t) => {
  const server = await start(t, "--max-sessions", "3");
  const used = await openSession(server);
  assert.equal(await statusIn(server, used), 200);
  const unused = await openSession(server);
  const newer = await openSession(server);
  const newest = await openSession(server);
  assert.equal(await statusIn(server, unused), 404);
  for (const id of [used, newer, newest]) assert.equal(await statusIn(server, id), 200);
});

test("when all sessions are in use, a new client has to wait", async (t) => {
  const server = await start(t, "--max-sessions", "2");
  const streams = [await send(server, { path: "/sse" }), await send(server, { path: "/sse" })];
  const refused = await post(server, INITIALIZE);
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await send(server, { path: "/sse" })).status, 429);
  await streams[0]?.body?.cancel();
  let status = 429;
  while (status === 429) status = (await post(server, INITIALIZE)).status;
  assert.equal(status, 200);
});

test("a repeated, an unknown and a missing session id get different errors", async (t) => {
  const server = await start(t);
  const id = await openSession(server);
  assert.equal(await statusIn(server, `${id}, ${id}`), 404);
  assert.equal(await statusIn(server, id.toUpperCase()), 404);
  assert.equal(await statusIn(server, "ñ"), 404);
  assert.equal((await post(server, list())).status, 400);
  assert.equal((await send(server, { method: "GET", headers: JSON_HEADERS })).status, 400);
  assert.equal(await statusIn(server, id, INITIALIZE), 400, "a session is opened once");
  assert.equal((await post(server, list(), { path: "/messages?sessionId=x" })).status, 404);
  assert.equal((await post(server, list(), { path: `/messages?sessionId=${id}` })).status, 400);
  assert.equal(await statusIn(server, id), 200);
});

test("a wrong Accept, Content-Type, version or method never opens a session, and never gets a 5xx", async (t) => {
  const server = await start(t, "--max-sessions", "1");
  const id = await openSession(server);
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ Accept: "text/html" }, 406],
    [{ Accept: "image/*, application/xml;q=0.9" }, 406],
    [{ "Content-Type": "text/plain" }, 415],
    [{ "Content-Type": "" }, 415],
    [{ "Mcp-Protocol-Version": "1999-01-01", "Mcp-Session-Id": id }, 400],
  ];
  for (const [headers, status] of cases) {
    const message = "Mcp-Session-Id" in headers ? list() : INITIALIZE;
    assert.equal((await post(server, message, { headers })).status, status, JSON.stringify(headers));
  }
  assert.equal(
    (await send(server, { headers: { Accept: "application/json", "Mcp-Session-Id": id } })).status,
    406,
  );
  const opened = await openSession(server);
  assert.equal(await statusIn(server, opened), 200);
});
