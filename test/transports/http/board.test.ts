import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type HttpServer, READ_TOKEN, send, sendRaw, startHttp, TOKEN } from "../../fixtures/http.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const get = (server: HttpServer, headers: Record<string, string> = {}) =>
  sendRaw(server, headers, { path: "/", method: "GET" });

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("the page needs no token, and a policy names its only style and script by their hashes", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# A secret\n" })]);
  const response = await send(server, { path: "/", token: null });
  const html = await response.text();
  assert.equal(response.status, 200);
  assert.match(html, /^<!doctype html>/);
  assert.doesNotMatch(html, /A secret/);
  const textsOf = (element: string) =>
    [...html.matchAll(new RegExp(`<${element}[^>]*>(.*?)</${element}>`, "gs"))].map(([, text = ""]) => text);
  const [[script = "", ...scripts], [style = "", ...styles]] = [textsOf("script"), textsOf("style")];
  assert.deepEqual([scripts, styles], [[], []]);
  assert.ok(script.length > 1000 && style.length > 1000);
  const policy = response.headers.get("content-security-policy")?.split("; ");
  assert.deepEqual(policy?.sort(), [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src data: blob:",
    "require-trusted-types-for 'script'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "trusted-types markdown",
    "worker-src blob:",
  ]);
  for (const [name, value] of Object.entries({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "set-cookie": null,
  }))
    assert.equal(response.headers.get(name), value, name);
  assert.doesNotMatch(html, /\s(?:on[a-z]+|style)=|(?:src|href)=["']?(?:https?:|\/)/i);
});

test("HEAD answers without the page, and a browser that has it gets 304", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, {})]);
  const page = await get(server);
  const head = await sendRaw(server, {}, { path: "/", method: "HEAD" });
  assert.deepEqual([head.status, head.body], [200, ""]);
  assert.equal(Number(head.headers["content-length"]), Buffer.byteLength(page.body));
  const known = await get(server, { "If-None-Match": String(page.headers["etag"]) });
  assert.deepEqual([known.status, known.body], [304, ""]);
  assert.equal((await get(server, { "If-None-Match": '"another"' })).status, 200);
  const packed = await get(server, { "Accept-Encoding": "br, gzip" });
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.ok(Number(packed.headers["content-length"]) < Buffer.byteLength(page.body) / 2);
  assert.equal((await get(server, { "Accept-Encoding": "br" })).headers["content-encoding"], undefined);
  const kept = { "If-None-Match": String(packed.headers["etag"]), "Accept-Encoding": "gzip" };
  assert.equal((await get(server, kept)).status, 304);
  const posted = await sendRaw(server, {}, { path: "/" });
  assert.deepEqual([posted.status, posted.headers["allow"]], [405, "GET, HEAD"]);
});

test("a foreign Host and pages that embed it are refused, a link from another site is followed", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, {})]);
  const from = (site: string, dest: string) => ({ "Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest });
  for (const [status, headers] of [
    [403, { Host: `rebound.example:${server.port}` }],
    [403, { Origin: "https://evil.example" }],
    [403, from("cross-site", "iframe")],
    [403, from("cross-site", "empty")],
    [403, from("same-site", "script")],
    [200, from("cross-site", "document")],
    [200, from("none", "document")],
    [200, { Host: `localhost:${server.port}` }],
  ] as const)
    assert.equal((await get(server, { ...headers })).status, status, JSON.stringify(headers));
});

test("serve says where the page is, and 404 lists it", async (t) => {
  const server = await startHttp(t, ["--root", makeWorkspace(t, {})]);
  const { body } = await sendRaw(server, {}, { path: "/x", method: "GET" });
  assert.match(body, /This server has: \/, \/login, \/mcp, /);
  server.child.kill();
  await server.exit;
  assert.ok(server.stderr().includes(`the board is at ${server.origin}/\n`));
});

for (const [args, env] of [
  [["--no-board"], {}],
  [[], { VIBE_NO_BOARD: "1" }],
  [["--api", "v1"], {}],
  [["--stateless"], {}],
] as const) {
  test(`serve ${[...args, ...Object.keys(env)].join(" ")} has no page`, async (t) => {
    const tokens = { VIBE_AUTH_TOKEN: TOKEN, VIBE_READ_TOKEN: READ_TOKEN };
    const server = await startHttp(t, ["--root", makeWorkspace(t, {}), ...args], { ...tokens, ...env });
    const { status, body } = await get(server);
    assert.equal(status, 404);
    assert.match(body, /This server has: \/mcp, /);
    server.child.kill();
    await server.exit;
    assert.doesNotMatch(server.stderr(), /board/);
  });
}
