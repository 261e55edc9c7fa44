import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTypes } from "../../../src/serve/http/accept.ts";
import { INITIALIZE, post, serveHttp } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const JSON_ONLY = ["application/json"];
const STREAM_ONLY = ["text/event-stream"];
const JSON_FIRST = [...JSON_ONLY, ...STREAM_ONLY];
const STREAM_FIRST = [...STREAM_ONLY, ...JSON_ONLY];

const CASES: [accept: string | undefined, types: string[]][] = [
  ["application/json, text/event-stream", STREAM_FIRST],
  ["application/json", JSON_ONLY],
  ["application/json, application/mcp+json", JSON_ONLY],
  ["text/event-stream", STREAM_ONLY],
  ["*/*", JSON_FIRST],
  [undefined, JSON_FIRST],
  ["application/*", JSON_ONLY],
  ["text/event-stream, */*", STREAM_FIRST],
  ["application/json;q=0.9, text/event-stream;q=0.8", STREAM_FIRST],
];

test("every Accept that takes one of the two kinds finds it, the liked one first", () => {
  for (const [accept, types] of CASES)
    assert.deepEqual(answerTypes({ method: "POST", headers: { accept } }), types, accept);
  for (const accept of ["text/html", "image/*"])
    assert.throws(() => answerTypes({ method: "POST", headers: { accept } }), /406/, accept);
  assert.deepEqual(answerTypes({ method: "GET", headers: { accept: "*/*" } }), STREAM_ONLY);
  assert.throws(() => answerTypes({ method: "GET", headers: { accept: "application/json" } }), /406/);
});

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

test("a client of one kind gets every answer in that kind, those of a batch too", async (t) => {
  for (const args of [[], ["--stateless"]]) {
    const server = await serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" }), ...args]);
    for (const accept of ["application/json", "text/event-stream"]) {
      const opened = await post(server, INITIALIZE, { headers: { Accept: accept } });
      assert.equal(opened.headers.get("content-type"), accept);
      await opened.text();
      const id = opened.headers.get("mcp-session-id");
      const headers = { Accept: accept, ...(id !== null && { "Mcp-Session-Id": id }) };
      const send = async (message: unknown) => {
        const answer = await post(server, message, { headers });
        return [answer.status, answer.headers.get("content-type"), await answer.text()] as const;
      };
      const [, type, text] = await send(ping(1));
      assert.equal(type, accept);
      const [, , both] = await send([ping(2), { jsonrpc: "2.0", method: "notifications/x" }, ping(3)]);
      const [, , wrong] = await send([ping(4), 5]);
      assert.match(wrong, /"id":4.*-32700/s, accept);
      const [status, , empty] = await send([]);
      assert.deepEqual([status, /-32600/.test(empty)], [400, true]);
      if (accept === "text/event-stream") {
        assert.match(both, /^event: message\ndata: \{.*"id":2.*data: \{.*"id":3/s);
        assert.match(wrong, /\nevent: message\ndata: \{.*-32700.*\}\n\n$/);
        continue;
      }
      assert.deepEqual(JSON.parse(text), { jsonrpc: "2.0", id: 1, result: {} });
      assert.deepEqual(
        (JSON.parse(both) as { id: number }[]).map((one) => one.id),
        [2, 3],
      );
    }
    const refused = await post(server, INITIALIZE, { headers: { Accept: "text/html" } });
    assert.equal(refused.status, 406);
    assert.match(await refused.text(), /application\/json, text\/event-stream/);
  }
});
