import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { SIGNED } from "../../../src/core/lib/page.ts";
import { type HttpServer, INITIALIZE, post, READ_TOKEN, startHttp, TOKEN } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const sign = (key: string, text: string) => createHmac("sha256", key).update(text).digest("base64url");

const NONCE = "a-nonce";

/** What the server answers to a page that has this token. */
async function logIn({ origin }: HttpServer, token: string, nonce = NONCE) {
  const key = sign(token, SIGNED.key);
  const body = `${nonce} ${sign(key, SIGNED.page(nonce))}`;
  const response = await fetch(`${origin}/login`, { method: "POST", body });
  const { run, signed } = (await response.json()) as { run: string; signed: string };
  return { status: response.status, key, run, signed, pass: sign(key, SIGNED.pass(run)) };
}

const statusOf = async (server: HttpServer, token: string) =>
  (await post(server, INITIALIZE, { token })).status;

test("a page and the server know each other by what they sign, and a pass opens one run of the server", async (t) => {
  const root = makeWorkspace(t, {});
  const server = await startHttp(t, ["--root", root]);
  const first = await logIn(server, TOKEN);
  assert.equal(first.signed, sign(first.key, SIGNED.server(NONCE, first.run)));
  const again = await logIn(server, TOKEN, "another");
  assert.equal(again.signed, sign(first.key, SIGNED.server("another", first.run)));
  assert.equal(await statusOf(server, first.pass), 200);
  const keyed = await post(server, "", { path: "/key", token: first.pass });
  assert.deepEqual(await keyed.json(), { key: first.key });
  server.child.kill();
  await server.exit;
  const next = await startHttp(t, ["--root", root, "--port", `${server.port}`]);
  assert.equal(await statusOf(next, first.pass), 401);
  assert.equal((await post(next, "", { path: "/key", token: first.pass })).status, 401);
  assert.equal(await statusOf(next, (await logIn(next, TOKEN)).pass), 200);
});

test("the pass of a read-only token only reads", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, {})]);
  const { pass } = await logIn(server, READ_TOKEN);
  const listed = await post(server, INITIALIZE, { token: pass });
  assert.equal(listed.status, 200);
  assert.equal((await post(server, "", { path: "/example", token: pass })).status, 403);
});

test("nothing that strangers or another program heard opens the server, and guesses are counted", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, {})]);
  const { key, run, signed } = await logIn(server, TOKEN);
  const heard = [sign(key, SIGNED.page(NONCE)), signed, run, NONCE, key];
  for (const token of heard) assert.equal(await statusOf(server, token), 401);
  for (const token of heard.slice(0, 4))
    assert.equal((await post(server, "", { path: "/key", token })).status, 401);
  assert.equal((await logIn(server, `${TOKEN}x`)).status, 401);
  assert.equal((await logIn(server, `${TOKEN}x`)).status, 429);
  assert.equal((await logIn(server, TOKEN)).status, 200);
  const long = await fetch(`${server.origin}/login`, { method: "POST", body: "x".repeat(1000) });
  assert.equal(long.status, 413);
});
