import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { KILL } from "../fixtures/built.ts";
import { type HttpServer, INITIALIZE, post } from "../fixtures/http.ts";
import { someOf } from "../fixtures/num-runs.ts";
import {
  askTokens,
  codeFields,
  codeFor,
  logIn,
  refresh,
  registerClient,
  startOAuthApart,
  type Tokens,
} from "../fixtures/oauth.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const posix = { skip: process.platform === "win32" ? "links and pipes are others there" : false };
const fileOf = (root: string) => join(root, ".vibe-mcp", "oauth-grants.json");
const newRoot = (t: TestContext) => makeWorkspace(t, { "p/status.md": "# P\n" });

/** A server over a root that can be killed and restarted at the same address. */
async function serve(t: TestContext, root: string, more: string[] = []) {
  let server = await startOAuthApart(t, ["--root", root, ...more]);
  const { port, origin } = server;
  const place = ["--port", `${port}`, "--public-url", origin];
  const restart = async (): Promise<HttpServer> => {
    server.child.kill(KILL);
    await server.exit;
    server = await startOAuthApart(t, ["--root", root, ...place, ...more]);
    return server;
  };
  const isLetIn = async ({ access_token }: Tokens) =>
    (await post({ origin }, INITIALIZE, { token: access_token })).status === 200;
  const renew = async (id: string, { refresh_token }: Tokens) => refresh({ origin }, id, refresh_token);
  const renewed = async (id: string, tokens: Tokens) => (await (await renew(id, tokens)).json()) as Tokens;
  return { server, id: await registerClient(server), restart, isLetIn, renew, renewed };
}

test("a grant that a second use of its code revoked stays revoked after a restart", async (t) => {
  const { server, id, restart, isLetIn, renew } = await serve(t, newRoot(t));
  const fields = codeFields(server, { client_id: id, code: await codeFor(server, { client_id: id }) });
  const stolen = (await (await askTokens(server, fields)).json()) as Tokens;
  assert.equal(await isLetIn(stolen), true);
  assert.equal((await askTokens(server, fields)).status, 400);
  await restart();
  assert.equal(await isLetIn(stolen), false);
  assert.equal((await renew(id, stolen)).status, 400);
});

test("a refresh token that was used before a restart revokes its grant after it", async (t) => {
  const { server, id, restart, isLetIn, renew, renewed } = await serve(t, newRoot(t));
  const first = await logIn(server, id);
  const second = await renewed(id, first);
  const third = await renewed(id, second);
  await restart();
  assert.equal(await isLetIn(third), true, "a login outlives a restart");
  assert.equal((await renew(id, first)).status, 400);
  assert.equal(await isLetIn(third), false);
  await restart();
  assert.equal((await renew(id, third)).status, 400);
});

test("a grant revoked by one server stays revoked for others over the same root", async (t) => {
  const root = newRoot(t);
  const [one, other] = [await serve(t, root), await serve(t, root)];
  const stolen = await logIn(one.server, one.id);
  const kept = await one.renewed(one.id, await one.renewed(one.id, stolen));
  assert.equal((await one.renew(one.id, stolen)).status, 400);
  await other.renewed(other.id, await logIn(other.server, other.id));
  await one.restart();
  assert.equal(await one.isLetIn(kept), false);
});

test("the file of logins is small, and only its owner may read it", posix, async (t) => {
  const root = newRoot(t);
  const { server, id } = await serve(t, root);
  const { access_token } = await logIn(server, id);
  assert.equal(statSync(fileOf(root)).mode & 0o777, 0o600);
  const text = readFileSync(fileOf(root), "utf8");
  assert.ok(text.length < 200 && !text.includes(access_token));
});

test("if nothing can be saved, a restart asks everyone to log in again", async (t) => {
  const root = newRoot(t);
  const { server, id, restart, isLetIn, renew } = await serve(t, root, ["--read-only"]);
  assert.match(server.stderr(), /warn: --read-only .*logins/);
  const tokens = await logIn(server, id);
  assert.equal(await isLetIn(tokens), true);
  const later = await restart();
  assert.equal(await isLetIn(tokens), false);
  assert.equal((await renew(id, tokens)).status, 400);
  assert.equal(await isLetIn(await logIn(later, id)), true);
  assert.equal(existsSync(join(root, ".vibe-mcp")), false);
});

test("a file of logins that is removed revokes everything", async (t) => {
  const root = newRoot(t);
  const { server, id, restart, isLetIn } = await serve(t, root);
  const tokens = await logIn(server, id);
  rmSync(fileOf(root));
  await restart();
  assert.equal(await isLetIn(tokens), false);
});

/** What anyone who can write in the workspace may put there instead of the file; returns what must stay unchanged. */
const PLANTED: Record<string, (file: string, outside: string) => void> = {
  "a link to a file outside": (file, outside) => symlinkSync(outside, file),
  "a dangling link": (file, outside) => symlinkSync(`${outside}.new`, file),
  "a folder": (file) => mkdirSync(file),
  "a pipe": (file) => void execFileSync("mkfifo", [file]),
  "a damaged file": (file) => writeFileSync(file, '{"since":0,"grants":[["x"]]}'),
  "a file without end": (file) => writeFileSync(file, " ".repeat(2 * 1024 * 1024)),
};

for (const [what, plant] of someOf(Object.entries(PLANTED))) {
  test(
    `${what} instead of the file of logins is not touched, and logins last until the server ends`,
    posix,
    async (t) => {
      const root = newRoot(t);
      const outside = join(temporaryFolder(t), "outside");
      writeFileSync(outside, "theirs");
      mkdirSync(dirname(fileOf(root)));
      plant(fileOf(root), outside);
      const before = lstatSync(fileOf(root));
      const { server, id, restart, isLetIn, renew, renewed } = await serve(t, root);
      assert.match(server.stderr(), /warn: \.vibe-mcp\/oauth-grants\.json cannot be used: .+\. Remove it/);
      const stolen = await logIn(server, id);
      const last = await renewed(id, await renewed(id, stolen));
      assert.equal(await isLetIn(last), true);
      assert.equal((await renew(id, stolen)).status, 400);
      assert.equal(await isLetIn(last), false, "revoked in memory");
      await restart();
      assert.equal(await isLetIn(last), false, "and after the restart");
      assert.equal(readFileSync(outside, "utf8"), "theirs");
      assert.equal(existsSync(`${outside}.new`), false);
      assert.equal(lstatSync(fileOf(root)).ino, before.ino);
      assert.equal(server.stderr().match(/cannot be used/g)?.length, 1);
    },
  );
}

test("a folder for the file of logins that is a link gets nothing", posix, async (t) => {
  const root = newRoot(t);
  const outside = temporaryFolder(t);
  symlinkSync(outside, join(root, ".vibe-mcp"));
  const { server, id, isLetIn } = await serve(t, root);
  assert.match(server.stderr(), /warn: .*oauth-grants\.json cannot .*link/);
  assert.equal(await isLetIn(await logIn(server, id)), true);
  assert.equal(existsSync(join(outside, "oauth-grants.json")), false);
});
