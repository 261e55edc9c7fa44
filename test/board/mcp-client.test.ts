import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { ConnectionError, createClient, redeemCode } from "../../src/board/mcp-client.ts";

/** A server that hears requests and never answers. */
async function silent(t: TestContext) {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

/**
 * Timers of a minute wait for the call of what it returns. The runner's own mock also stands in for `timers/promises`, and a module
 * that is imported meanwhile keeps it.
 */
function holdMinutes(t: TestContext): () => void {
  const held: (() => void)[] = [];
  const { setTimeout } = globalThis;
  const hold = (run: () => void, ms?: number) => (ms === 60_000 ? held.push(run) : setTimeout(run, ms));
  t.mock.method(globalThis, "setTimeout", hold);
  return () => {
    for (const run of held) run();
  };
}

const none = () => undefined;
const never = new AbortController().signal;
const ASKED: Record<string, (url: string) => Promise<unknown>> = {
  "a call": (url) => createClient(url, none).call("list_projects"),
  "a stream": (url) => createClient(url, none).listen([], () => {}, never),
  "a code": (url) => redeemCode(url, "code"),
};

for (const [what, ask] of Object.entries(ASKED))
  test(`a server that never answers ${what} is lost`, async (t) => {
    const { server, url } = await silent(t);
    const pass = holdMinutes(t);
    const lost = assert.rejects(ask(url), ConnectionError);
    await once(server, "request");
    pass();
    await lost;
  });

test("a stream that is no longer wanted ends at once, even before it began", async (t) => {
  const { server, url } = await silent(t);
  const stop = new AbortController();
  const ended = assert.rejects(
    createClient(url, none).listen([], () => {}, stop.signal),
    { name: "AbortError" },
  );
  await once(server, "request");
  stop.abort();
  await ended;
  await assert.rejects(
    createClient(url, none).listen([], () => {}, stop.signal),
    { name: "AbortError" },
  );
});
