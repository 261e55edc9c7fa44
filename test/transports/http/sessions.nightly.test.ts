import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  connectHttp,
  type HttpServer,
  INITIALIZE,
  openSession,
  post,
  send,
  startHttp,
  TOKEN,
} from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const posix = { skip: process.platform === "win32" ? "signals do not exist there" : false };
const start = (t: TestContext, ...args: string[]) =>
  startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), ...args]);

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p/references/${n}.md`, `# ${n}\n`]));
const list = (id: number | string = 1) => ({ jsonrpc: "2.0", id, method: "tools/list" });
const inSession = (id: string) => ({ headers: { "Mcp-Session-Id": id } });

/** The status of a request in a session; its answer is read to the end. */
async function statusIn(server: HttpServer, id: string, message: unknown = list()): Promise<number> {
  const response = await post(server, message, inSession(id));
  await response.text();
  return response.status;
}

test("an idle session ends; one with an open stream does not", async (t) => {
  const server = await start(t, "--session-idle", "1");
  const idle = await openSession(server);
  const { client, sessionId } = await connectHttp(t, server);
  const streaming = sessionId() ?? assert.fail("the official client has a session");
  let [status, rounds] = [200, 0];
  while (status !== 404 && rounds++ < 60) {
    // A request keeps the session, so each wait has to be longer than the limit.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    status = await statusIn(server, idle);
  }
  assert.equal(status, 404);
  assert.equal(await statusIn(server, streaming), 200);
  await client.ping();
});

test("batches are answered together; bombs, and ids that are in use, are refused", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, many(500))]);
  const id = await openSession(server);
  const batch = await post(
    server,
    [list(1), list("two"), { jsonrpc: "2.0", id: 3, method: "no/such" }],
    inSession(id),
  );
  assert.equal((await batch.text()).match(/^data: /gm)?.length, 3);
  assert.equal(await statusIn(server, id, [list(1), list(1)]), 400);
  assert.equal(
    await statusIn(
      server,
      id,
      Array.from({ length: 101 }, (_, n) => list(n)),
    ),
    400,
  );
  assert.equal(
    await statusIn(
      server,
      id,
      Array.from({ length: 100_000 }, (_, n) => list(n)),
    ),
    400,
  );
  assert.equal(await statusIn(server, id, [INITIALIZE, INITIALIZE]), 400);
  assert.equal(await statusIn(server, id, []), 400);
  const slow = {
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "reindex", arguments: { full: true } },
  };
  let statuses: number[] = [];
  // Which of the two is answered before the other comes in is up to the machine.
  for (let round = 0; round < 50 && !statuses.includes(400); round++)
    statuses = await Promise.all([statusIn(server, id, slow), statusIn(server, id, slow)]);
  assert.deepEqual(statuses.sort(), [200, 400]);
  assert.equal(await statusIn(server, id, slow), 200, "an id is free again after its answer");
});

test("a cancelled request ends without an answer", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, many(500))]);
  const id = await openSession(server);
  const slow = {
    jsonrpc: "2.0",
    id: 9,
    method: "tools/call",
    params: { name: "reindex", arguments: { full: true } },
  };
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
  const waiting = post(server, slow, inSession(id));
  assert.equal(await statusIn(server, id, cancelled), 202);
  const answer = await waiting;
  await answer.text();
  assert.equal(answer.status, 200);
  assert.equal(await statusIn(server, id), 200);
});

test("a signal under load loses no write that was acknowledged", posix, async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const server = await startHttp(t, ["--root", root]);
  const ids = await Promise.all(Array.from({ length: 5 }, () => openSession(server)));
  const acknowledged: string[] = [];
  const write = async (session: string, name: string) => {
    const args = { project: "p", folder: "scratch", filename: `${name}.md`, content: `# ${name}\n` };
    const message = {
      jsonrpc: "2.0",
      id: name,
      method: "tools/call",
      params: { name: "create_doc", arguments: args },
    };
    const response = await post(server, message, inSession(session));
    const answer = await response.text();
    if (!answer.includes('"hash"')) return false;
    acknowledged.push(`${name}.md`);
    return true;
  };
  const load = ids.map(async (session, at) => {
    for (let n = 0; n < 1000; n++) if (!(await write(session, `${at}-${n}`).catch(() => false))) return;
  });
  const stream = await send(server, { path: "/sse" });
  while (acknowledged.length < 40) await new Promise((resolve) => setImmediate(resolve));
  server.child.kill("SIGTERM");
  await Promise.all(load);
  assert.deepEqual(await server.exit, { code: 0, signal: null });
  await stream.text().catch(() => "cut off is an end, too");
  const written = readdirSync(join(root, "p", "scratch"));
  assert.deepEqual(
    acknowledged.filter((name) => !written.includes(name)),
    [],
  );
  assert.ok(acknowledged.length < 5000, "the signal came while writing");
  assert.ok(existsSync(join(root, "index.db")));
  assert.deepEqual(
    readdirSync(root).sort(),
    [".vibe-mcp", "index.db", "p"].filter((name) => existsSync(join(root, name))),
  );
  assert.ok(!server.stderr().includes(TOKEN));
});
