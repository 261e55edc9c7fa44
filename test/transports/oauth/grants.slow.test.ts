import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { INITIALIZE, post, READ_TOKEN, TOKEN } from "../../fixtures/http.ts";
import {
  askTokens,
  authorizeUrl,
  codeFields,
  codeFor,
  consent,
  logIn,
  refresh,
  registerClient,
  serveOAuth,
  startOAuth,
  type Tokens,
} from "../../fixtures/oauth.ts";
import { temporaryFolder } from "../../fixtures/workspace.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** A server whose clock the test moves. */
async function serve(t: TestContext) {
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const server = await serveOAuth(t, { now: () => clock.now });
  const id = await registerClient(server);
  const status = async (token: string) => (await post(server, INITIALIZE, { token })).status;
  return { clock, server, id, status };
}

test("a code is valid for 60 seconds", async (t) => {
  const { clock, server, id } = await serve(t);
  const ask = (code: string) => askTokens(server, codeFields(server, { client_id: id, code }));
  const [early, late] = [
    await codeFor(server, { client_id: id }),
    await codeFor(server, { client_id: id }),
  ] as const;
  clock.now += 59 * SECOND;
  assert.equal((await ask(early)).status, 200);
  clock.now += SECOND;
  const refused = await ask(late);
  assert.equal(refused.status, 400);
  assert.equal(((await refused.json()) as { error: string }).error, "invalid_grant");
});

test("a code from before the start of the server, or from the future, is refused", async (t) => {
  const { clock, server, id } = await serve(t);
  const later = await serveOAuth(t, { now: () => clock.now + SECOND });
  const code = await codeFor(server, { client_id: id });
  const fields = codeFields(server, { client_id: id, code, resource: undefined });
  assert.equal((await askTokens(later, fields)).status, 400);
  clock.now -= 1;
  assert.equal((await askTokens(server, fields)).status, 400);
});

test("an access token is valid for one hour, and is no guess afterwards", async (t) => {
  const { clock, server, id, status } = await serve(t);
  const { access_token, expires_in } = await logIn(server, id);
  clock.now += expires_in * SECOND - 1;
  assert.equal(await status(access_token), 200);
  clock.now += 1;
  for (let times = 0; times < 15; times++) assert.equal(await status(access_token), 401);
});

test("a refresh token is valid for 30 days", async (t) => {
  const { clock, server, id } = await serve(t);
  let tokens = await logIn(server, id);
  for (let times = 0; times < 3; times++) {
    clock.now += 30 * DAY - 1;
    const answer = await refresh(server, id, tokens.refresh_token);
    assert.equal(answer.status, 200);
    tokens = (await answer.json()) as Tokens;
  }
  clock.now += 30 * DAY;
  assert.equal((await refresh(server, id, tokens.refresh_token)).status, 400);
});

test("a refresh may be repeated for ten seconds; later it ends the grant", async (t) => {
  const { clock, server, id, status } = await serve(t);
  const first = await logIn(server, id);
  assert.equal((await refresh(server, id, first.refresh_token)).status, 200);
  clock.now += 10 * SECOND - 1;
  const again = await refresh(server, id, first.refresh_token);
  assert.equal(again.status, 200);
  const { access_token } = (await again.json()) as Tokens;
  clock.now += 1;
  assert.equal((await refresh(server, id, first.refresh_token)).status, 400);
  assert.equal(await status(access_token), 401);
});

test("a refresh may narrow the scope of its access token, not of the grant", async (t) => {
  const { server, id } = await serve(t);
  const { refresh_token } = await logIn(server, id);
  const fields = { grant_type: "refresh_token", client_id: id };
  const narrow = await askTokens(server, { ...fields, refresh_token, scope: "read" });
  const tokens = (await narrow.json()) as Tokens;
  assert.equal(tokens.scope, "read");
  const wide = await refresh(server, id, tokens.refresh_token);
  assert.equal(((await wide.json()) as Tokens).scope, "read write");
});

test("changing a token revokes its logins, and no others", async (t) => {
  const [old, next] = ["an-old-token-0123456789-0123456789", "a-next-token-0123456789-0123456789"];
  const file = join(temporaryFolder(t), "tokens");
  writeFileSync(file, `${old}\n`);
  const server = await startOAuth(t, ["--token-file", file], {});
  const status = async (token: string) => (await post(server, INITIALIZE, { token })).status;
  const oldId = await registerClient(server);
  const before = await logIn(server, oldId, { token: old });
  const code = await codeFor(server, { client_id: oldId }, { token: old });

  writeFileSync(file, `${old}\n${next}\n`);
  const id = await registerClient(server, { client_name: "Later" });
  const beside = await logIn(server, id, { token: next });
  assert.deepEqual([await status(before.access_token), await status(beside.access_token)], [200, 200]);

  writeFileSync(file, `# the old one is gone\n${next}\n`);
  assert.deepEqual([await status(before.access_token), await status(beside.access_token)], [401, 200]);
  assert.equal((await refresh(server, oldId, before.refresh_token)).status, 401);
  assert.equal((await refresh(server, id, before.refresh_token)).status, 400);
  assert.equal((await askTokens(server, codeFields(server, { client_id: oldId, code }))).status, 401);
  assert.equal((await fetch(authorizeUrl(server, { client_id: oldId }))).status, 400);
  assert.equal((await refresh(server, id, beside.refresh_token)).status, 200);
});

const RIGHTS: [line: string, mayWrite: boolean, sees: boolean, who: RegExp][] = [
  [TOKEN, true, true, /Logged in as token 1, for all projects\./],
  [`read ana ${TOKEN}`, false, true, /Logged in as ana, for all projects\./],
  [`person bob ${TOKEN} docs,"<b>"`, true, false, /Logged in as bob, for docs, &lt;b&gt;\./],
];

test("a login has the rights that its token has now, and the page names both", async (t) => {
  const file = join(temporaryFolder(t), "tokens");
  writeFileSync(file, `${TOKEN}\n`);
  const server = await startOAuth(t, ["--token-file", file], {});
  const id = await registerClient(server);
  const { access_token } = await logIn(server, id);
  const ask = async (method: string, params = {}) => {
    const opened = await post(server, INITIALIZE, { token: access_token });
    const headers = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
    const message = { jsonrpc: "2.0", id: 1, method, params };
    return (await post(server, message, { token: access_token, headers })).text();
  };
  for (const [line, mayWrite, sees, who] of RIGHTS) {
    writeFileSync(file, `${line}\n`);
    const tools = await ask("tools/list");
    assert.deepEqual([/list_tasks/.test(tools), /create_task/.test(tools)], [true, mayWrite], line);
    const projects = await ask("resources/read", { uri: "vibe://projects" });
    assert.equal(/total_docs/.test(projects), sees, line);
    const form = { access: mayWrite ? "write" : "read" };
    assert.match(await (await consent(authorizeUrl(server, { client_id: id }), form)).text(), who);
  }
});

test("a session stays with its login after a refresh, and other logins cannot use it", async (t) => {
  const server = await startOAuth(t);
  const id = await registerClient(server);
  const [own, others] = [await logIn(server, id), await logIn(server, id)] as const;
  const opened = await post(server, INITIALIZE, { token: own.access_token });
  const headers = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
  const ping = (token: string) => post(server, { jsonrpc: "2.0", id: 1, method: "ping" }, { token, headers });
  const later = (await (await refresh(server, id, own.refresh_token)).json()) as Tokens;
  assert.equal((await ping(later.access_token)).status, 200);
  for (const token of [others.access_token, TOKEN, READ_TOKEN]) assert.equal((await ping(token)).status, 404);
});

test("after ten wrong tokens in a minute the page asks to wait, but accepts a right one", async (t) => {
  const server = await startOAuth(t);
  const url = authorizeUrl(server, { client_id: await registerClient(server) });
  for (let times = 0; times < 10; times++) assert.equal((await consent(url, { token: "x" })).status, 403);
  const slowed = await consent(url, { token: "x" });
  assert.equal(slowed.status, 429);
  assert.ok(Number(slowed.headers.get("retry-after")) > 0);
  assert.match(await slowed.text(), /id="problem"[^>]*>Too many wrong tokens/);
  assert.equal((await consent(url)).status, 200);
});
