import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connectHttp,
  type HttpServer,
  INITIALIZE,
  JSON_HEADERS,
  openSession,
  post,
  READ_TOKEN,
  startHttp,
  TOKEN,
} from "../fixtures/http.ts";
import { ENVELOPE, NEWEST } from "../fixtures/modern.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const skip = process.platform !== "linux" && "reads the peak of the memory from /proc";
const MAX_MEMORY_MB = 400;
/**
 * As on a small machine. With gigabytes at hand the engine collects when it has time, so that the peak would say how busy the
 * machine is, not how much the server keeps.
 */
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=256" };
const READS = 100;
const URI = "vibe://projects/p/large.md";
/** One answer takes about eight times its size while it is made. */
const NOTE = `# Large\n\n${"some words of a note\n".repeat(600_000)}`;

const read = (id: number, params = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "resources/read",
  params: { uri: URI, ...params },
});

/** The most memory that the process has had, in MB. */
function peakMemory({ child }: HttpServer): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Sends requests on one connection whose answers are never read. */
function sendUnread(
  t: TestContext,
  { port }: HttpServer,
  bodies: readonly string[],
  more: Record<string, string> = {},
): Socket {
  const headers = { Host: "localhost", Authorization: `Bearer ${READ_TOKEN}`, ...JSON_HEADERS, ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = (body: string) =>
    `POST /mcp HTTP/1.1\r\n${lines.join("")}Content-Length: ${body.length}\r\n\r\n`;
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  t.after(() => socket.destroy());
  socket.pause();
  socket.write(bodies.map((body) => head(body) + body).join(""));
  return socket;
}

const serve = (t: TestContext) =>
  startHttp(t, ["--root", makeWorkspace(t, { "p/large.md": NOTE, "p/small.md": "# Small\n" })], {
    VIBE_AUTH_TOKEN: TOKEN,
    VIBE_READ_TOKEN: READ_TOKEN,
    ...SMALL_HEAP,
  });

/** Another client of the same token is answered meanwhile, and the memory stays bounded. */
async function checkServed(t: TestContext, server: HttpServer) {
  const { client } = await connectHttp(t, server, { token: READ_TOKEN });
  for (let round = 0; round < 5; round++) {
    const { contents } = await client.readResource(
      { uri: "vibe://projects/p/small.md" },
      { timeout: 600_000 },
    );
    assert.equal(contents.length, 1);
    await sleep(500);
  }
  const peak = peakMemory(server);
  t.diagnostic(`${Math.round(peak)} MB`);
  assert.ok(peak < MAX_MEMORY_MB, `${Math.round(peak)} MB`);
}

/** A session of the revision that has batches. */
async function batchSession(server: HttpServer, token: string): Promise<Record<string, string>> {
  const params = { ...INITIALIZE.params, protocolVersion: "2025-03-26" };
  const response = await post(server, { ...INITIALIZE, params }, { token });
  await response.text();
  return { "Mcp-Session-Id": response.headers.get("mcp-session-id") ?? "" };
}

/** What is sent to such a server, and never read. */
const UNREAD: Record<string, (t: TestContext, server: HttpServer) => Promise<void>> = {
  "one batch": async (t, server) => {
    const batch = Array.from({ length: READS }, (_, id) => read(id + 1));
    sendUnread(t, server, [JSON.stringify(batch)], await batchSession(server, READ_TOKEN));
  },
  "requests in one connection": async (t, server) => {
    const session = { "Mcp-Session-Id": await openSession(server, READ_TOKEN) };
    const bodies = Array.from({ length: READS }, (_, id) => JSON.stringify(read(id + 1)));
    sendUnread(t, server, bodies, session);
  },
  connections: async (t, server) => {
    const headers = { "MCP-Protocol-Version": NEWEST, "Mcp-Method": "resources/read", "Mcp-Name": URI };
    for (let id = 1; id <= 30; id++)
      sendUnread(t, server, [JSON.stringify(read(id, { _meta: ENVELOPE }))], headers);
  },
};

for (const [what, sendTo] of someOf(Object.entries(UNREAD)))
  test(`reads whose answers nobody reads take bounded memory: ${what}`, { skip }, async (t) => {
    const server = await serve(t);
    await sendTo(t, server);
    await checkServed(t, server);
  });
