import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { Refusal } from "../../src/serve/http/exchange.ts";
import { limitConnections } from "../../src/serve/http/limits.ts";
import { connectHttp, openSession, post, READ_TOKEN, send, startHttp, TOKEN } from "../fixtures/http.ts";
import { logIn, registerClient, startOAuthApart } from "../fixtures/oauth.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

type Server = Awaited<ReturnType<typeof startHttp>>;
const FILES = { "p/status.md": "# P\n" };
const PLACES = 6;

/** Opens streams of the older transport until the server refuses; returns the refusal. */
async function openAll(
  t: TestContext,
  server: Server,
  token: string,
): Promise<{ open: number; last: Response }> {
  for (let open = 0; ; open++) {
    const last = await send(server, { path: "/sse", token });
    if (last.status !== 200 || open > PLACES) return { open, last };
    t.after(() => last.body?.cancel().catch(() => {}));
  }
}

test("two tokens share the streams evenly, and neither takes more than its share", async (t) => {
  const root = makeWorkspace(t, FILES);
  const server = await startHttp(t, ["--root", root, "--max-sessions", `${PLACES}`]);
  await openAll(t, server, TOKEN);
  assert.equal((await openAll(t, server, READ_TOKEN)).open, PLACES / 2);
  assert.equal((await openAll(t, server, TOKEN)).open, 0);
});

test("a login by OAuth with all streams open leaves room for a login with the same token", async (t) => {
  const server = await startOAuthApart(t, ["--max-sessions", `${PLACES}`]);
  const id = await registerClient(server);
  const [greedy, other] = [await logIn(server, id), await logIn(server, id)];
  assert.equal((await openAll(t, server, greedy.access_token)).open, PLACES);
  await connectHttp(t, server, { token: other.access_token });
});

test("sessions that a token opens and abandons only end its own sessions", async (t) => {
  const root = makeWorkspace(t, FILES);
  const server = await startHttp(t, ["--root", root, "--max-sessions", `${PLACES}`]);
  const id = await openSession(server, READ_TOKEN);
  for (let n = 0; n < 5 * PLACES; n++) {
    const headers = { "Mcp-Session-Id": await openSession(server, TOKEN) };
    await (await post(server, { jsonrpc: "2.0", id: 1, method: "ping" }, { token: TOKEN, headers })).text();
  }
  const headers = { "Mcp-Session-Id": id };
  const answer = await post(
    server,
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { token: READ_TOKEN, headers },
  );
  assert.equal(answer.status, 200);
});

/** A server for four connections, whose clients identify themselves. */
async function startSmall(t: TestContext) {
  const server = createServer();
  const admit = limitConnections(server, { admitted: 4, strangers: 2 });
  server.on("request", ({ socket, headers }, response) => {
    try {
      admit(socket, String(headers["x-name"]));
      response.end("in");
    } catch (error) {
      assert.ok(error instanceof Refusal);
      response.writeHead(error.status, error.headers).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A connection that stays open. */
function connectAs(t: TestContext, port: number, name: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const ask = () =>
    new Promise<number | string | undefined>((resolve) => {
      request({ port, host: "127.0.0.1", agent, headers: { "X-Name": name } }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode));
      })
        .once("error", () => resolve("closed"))
        .end();
    });
  return { ask };
}

test("a principal with all its connections open has to wait, and another one still gets in", async (t) => {
  const port = await startSmall(t);
  for (let n = 0; n < 4; n++) assert.equal(await connectAs(t, port, "greedy").ask(), 200);
  assert.equal(await connectAs(t, port, "greedy").ask(), 429);
  const other = connectAs(t, port, "other");
  assert.equal(await other.ask(), 200);
  assert.equal(await connectAs(t, port, "other").ask(), 200);
  assert.equal(await connectAs(t, port, "other").ask(), 429, "they have two each");
  assert.equal(await other.ask(), 200);
});
