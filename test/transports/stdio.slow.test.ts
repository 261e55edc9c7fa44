import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { handshake, type Reply, startBuilt } from "../fixtures/built.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const posix = { skip: process.platform === "win32" ? "signals do not exist there" : false };
const search = (query: string) => ({ name: "search", arguments: { query } });
const matches = (result: Reply["result"]) =>
  (result?.["structuredContent"] as { total_matches: number } | undefined)?.total_matches;
const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `p/references/${n}.md`,
      `# Note ${n}\n\n${"words ".repeat(300)}`,
    ]),
  );

test("the handshake is answered at once, and pings while the index is built", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, many(1500))]);
  await handshake(server);
  server.request(1, "tools/call", search("words"));
  server.request(2, "ping");
  await server.reply(2);
  assert.ok(!server.received.some(({ id }) => id === 1), "the ping did not wait for the search");
  const { result } = await server.reply(1);
  assert.ok((matches(result) ?? 0) > 0);
});

test("the server ends when its client dies", posix, async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, many(10))]);
  await handshake(server);
  server.child.stdout.destroy();
  server.request(1, "tools/call", search("words"));
  assert.equal((await server.exit).code, 0);
});

test("a signal ends the server cleanly and saves the index", posix, async (t) => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    const root = makeWorkspace(t, many(20));
    const server = startBuilt(t, ["--root", root]);
    await handshake(server);
    server.request(1, "tools/call", search("words"));
    await server.reply(1);
    server.child.kill(signal);
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.ok(existsSync(join(root, "index.db")), signal);
  }
});

test("the next start recovers from a killed server", posix, async (t) => {
  const root = makeWorkspace(t, many(300));
  for (let round = 0; round < 5; round++) {
    const server = startBuilt(t, ["--root", root]);
    await handshake(server);
    server.request(1, "tools/call", search("words"));
    if (round % 2 === 0) await server.reply(1);
    server.child.kill("SIGKILL");
    await server.exit;
  }
  const server = startBuilt(t, ["--root", root]);
  await handshake(server);
  // Waits for the whole index; a search may answer from a part.
  server.request(101, "tools/call", { name: "list_tasks", arguments: {} });
  await server.reply(101);
  server.request(1, "tools/call", search("words"));
  const { result } = await server.reply(1);
  assert.equal(matches(result), 300);
  server.child.stdin.end();
  await server.exit;
  assert.deepEqual(readdirSync(root).sort(), ["index.db", "p"]);
});

test("a message of 12 MB is answered, and rubbish between messages does no harm", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, many(3))]);
  await handshake(server);
  server.write("this is not JSON");
  server.write('{"jsonrpc":"2.0"}');
  server.write("");
  server.request(1, "tools/call", search(`words ${"x".repeat(12_000_000)}`));
  const { result } = await server.reply(1);
  assert.equal(result?.["isError"], undefined);
  server.request(2, "no/such/method");
  assert.equal((await server.reply(2)).error?.code, -32601);
  server.child.stdin.end();
  assert.equal((await server.exit).code, 0);
});

test("a cancelled request does not keep the server alive", async (t) => {
  const server = startBuilt(t, ["--root", makeWorkspace(t, many(300))]);
  await handshake(server);
  server.request(1, "tools/call", search("words"));
  server.write(
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }),
  );
  server.child.stdin.end();
  assert.equal((await server.exit).code, 0);
});

test("a second start reads the index instead of the files, and finds what changed between", async (t) => {
  const root = makeWorkspace(t, many(50));
  const run = async (query: string) => {
    const server = startBuilt(t, ["--root", root, "--log-level", "debug"]);
    await handshake(server);
    server.request(1, "tools/call", search(query));
    const { result } = await server.reply(1);
    server.child.stdin.end();
    await server.exit;
    return matches(result);
  };
  assert.equal(await run("capybara"), 0);
  writeFileSync(join(root, "p", "references", "7.md"), "capybara");
  assert.equal(await run("capybara"), 1);
  assert.equal(await run("words"), 49);
});
