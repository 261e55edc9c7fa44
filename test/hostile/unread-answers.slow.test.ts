import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { post, startHttp, TOKEN } from "../fixtures/http.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("an SSE client that never reads is cut off before its answers fill the memory", async (t) => {
  const text = `# Large\n\n${"word ".repeat(45_000)}\n`;
  const server = await startHttp(t, ["--root", makeWorkspace(t, { "p/large.md": text })]);
  const socket = connect(server.port, "127.0.0.1").on("error", () => {});
  t.after(() => socket.destroy());
  socket.write(`GET /sse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  const path = /data: (\S+)/.exec(first.toString())?.[1] ?? "";
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  assert.equal((await post(server, initialize, { path })).status, 202);
  const args = { project: "p", folder: "", filename: "large.md" };
  let status = 202;
  for (let id = 1; status === 202 && id < 2_000; id++) {
    const params = { name: "read_doc", arguments: args };
    status = (await post(server, { jsonrpc: "2.0", id, method: "tools/call", params }, { path })).status;
  }
  assert.equal(status, 404, "its session ended");
});
