import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, type TestContext, test } from "node:test";
import { INITIALIZE, JSON_HEADERS, post, READ_TOKEN, TOKEN } from "../../fixtures/http.ts";
import {
  askTokens,
  authorizeUrl,
  codeFields,
  codeFor,
  consent,
  type Fields,
  logIn,
  REDIRECT,
  refresh,
  register,
  registerClient,
  startOAuth,
  target,
  VERIFIER,
} from "../../fixtures/oauth.ts";

type Server = Awaited<ReturnType<typeof startOAuth>>;

/** What an attack meets: one server, a client of its own for each. */
interface Scene {
  server: Server;
  id: string;
}

interface Answer {
  status: number;
  /** The RFC's error code, if there is one. */
  error?: string;
}

interface Attack {
  name: string;
  run: (scene: Scene) => Promise<Answer>;
  expect: Answer;
}

const endings: (() => unknown)[] = [];
let server: Server;
let other: Server;

before(async () => {
  const t = { after: (end: () => unknown) => void endings.push(end) } as unknown as TestContext;
  server = await startOAuth(t);
  other = await startOAuth(t, [], { VIBE_AUTH_TOKEN: "another-token-0123456789-0123456789" });
});
after(async () => {
  for (const end of endings) await end();
});

/** Another signature, another content, another kind: what a forger would try. */
function altered(blob: string, change: (content: Record<string, unknown>) => object): string {
  const [content = "", signature = ""] = blob.split(".");
  const parsed = JSON.parse(Buffer.from(content, "base64url").toString()) as Record<string, unknown>;
  return `${Buffer.from(JSON.stringify(change(parsed))).toString("base64url")}.${signature}`;
}

/** At the token endpoint. */
async function tokenError(response: Response): Promise<Answer> {
  const { error, access_token } = (await response.json()) as { error?: string; access_token?: string };
  assert.equal(access_token, undefined);
  assert.equal(response.headers.get("cache-control"), "no-store");
  return { status: response.status, ...(error === undefined ? {} : { error }) };
}

/** The error on the page, which never redirects and never holds a code. */
async function pageError(response: Response): Promise<Answer> {
  const { status, headers } = response;
  assert.equal(headers.get("location"), null);
  const html = await response.clone().text();
  assert.doesNotMatch(html, /[?&;]code=/);
  if (!html.includes("<a href")) return { status };
  const url = await target(response);
  assert.equal(url.searchParams.get("iss"), server.origin);
  return { status, error: url.searchParams.get("error") ?? "" };
}

const open = async (fields: Fields) => pageError(await fetch(authorizeUrl(server, fields)));
const called = async (token: string, path?: string) => {
  const { status } = await post(server, INITIALIZE, { token, ...(path === undefined ? {} : { path }) });
  return { status };
};

/** Redeems a fresh code with something wrong about it. */
async function redeem({ id }: Scene, wrong: (code: string) => Fields | Promise<Fields>): Promise<Answer> {
  const code = await codeFor(server, { client_id: id });
  assert.notEqual(code, "");
  const fields = { ...codeFields(server, { client_id: id, code }), ...(await wrong(code)) };
  return tokenError(await askTokens(server, fields));
}

/** A bare form, without a browser's or fetch's good manners. */
async function raw(path: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const sent = request(`${server.origin}${path}`, { method: "POST", headers });
  sent.end(body);
  const [answer] = (await new Promise<unknown[]>((done, failed) => {
    sent.once("response", (...given) => done(given)).once("error", failed);
  })) as [import("node:http").IncomingMessage];
  await text(answer);
  return { status: answer.statusCode ?? 0 };
}

const registered = async (redirect: unknown) =>
  tokenError(await register(server, { redirect_uris: [redirect] }));
const grant = { status: 400, error: "invalid_grant" };
const invalid = { status: 400, error: "invalid_request" };
const page = { status: 400 };
const refused = { status: 403 };
const badRedirect = { status: 400, error: "invalid_redirect_uri" };
const badMetadata = { status: 400, error: "invalid_client_metadata" };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

type Row = [name: string, expect: Answer, fields: Fields];
const badTarget = { status: 400, error: "invalid_target" };

/** A good code with one thing wrong about its redemption. */
const REDEMPTIONS: Row[] = [
  ["a code with another redirect_uri", grant, { redirect_uri: `${REDIRECT}/` }],
  ["a code without the redirect_uri", invalid, { redirect_uri: undefined }],
  ["a code with another verifier", grant, { code_verifier: "v".repeat(43) }],
  ["a code without a verifier", invalid, { code_verifier: undefined }],
  ["a verifier that is too short to be secret", invalid, { code_verifier: "v".repeat(42) }],
  ["a code for another resource", badTarget, { resource: "https://other.example/mcp" }],
  ["no client id at the token endpoint", invalid, { client_id: undefined }],
];

/** A good request with one thing wrong about it. */
const AUTHORIZATIONS: Row[] = [
  ["no redirect_uri at all", page, { redirect_uri: undefined }],
  ["a redirect_uri with an impossible port", page, { redirect_uri: "http://127.0.0.1:99999/cb" }],
  ["PKCE in plain", invalid, { code_challenge_method: "plain" }],
  ["PKCE without a method, which is plain", invalid, { code_challenge_method: undefined }],
  ["no PKCE", invalid, { code_challenge: undefined, code_challenge_method: undefined }],
  ["a short challenge", invalid, { code_challenge: "x" }],
  ["an implicit flow", { status: 400, error: "unsupported_response_type" }, { response_type: "token" }],
  ["an answer in the fragment", invalid, { response_mode: "fragment" }],
  ["an unknown scope", { status: 400, error: "invalid_scope" }, { scope: "admin" }],
  ["a token for another server", badTarget, { resource: "https://other.example/mcp" }],
  ["a client id that was never given out", page, { client_id: "unknown" }],
  ["a document on this machine itself", page, { client_id: "https://127.0.0.1/client.json" }],
  ["a document whose name leads to this machine", page, { client_id: "https://localhost/client.json" }],
  ["a document without https", page, { client_id: "http://client.example/client.json" }],
];

/** What is sent from the page, and with which headers. */
const FORMS: [
  name: string,
  expect: Answer,
  form: Record<string, string>,
  headers?: Record<string, string>,
][] = [
  ["a wrong token on the page", refused, { token: "wrong" }],
  ["an empty token on the page", refused, { token: "" }],
  ["a token that only reads, for writing", refused, { token: READ_TOKEN }],
  ["the form of another site's page", refused, {}, { Origin: "https://evil.example" }],
  ["the form of a page without an origin", refused, {}, { Origin: "null" }],
  ["a form of megabytes", { status: 413 }, { token: "x".repeat(1e6) }],
  ["a person who says no", { status: 200, error: "access_denied" }, { decision: "deny" }],
];

const CODES: Attack[] = [
  ...REDEMPTIONS.map(
    ([name, expect, fields]): Attack => ({ name, expect, run: (scene) => redeem(scene, () => fields) }),
  ),
  {
    name: "a code that was used is used again",
    expect: grant,
    run: async ({ id }) => {
      const code = await codeFor(server, { client_id: id });
      const fields = codeFields(server, { client_id: id, code });
      assert.equal((await askTokens(server, fields)).status, 200);
      return tokenError(await askTokens(server, fields));
    },
  },
  {
    name: "a copied code ends the access of its first user",
    expect: { status: 401 },
    run: async ({ id }) => {
      const code = await codeFor(server, { client_id: id });
      const fields = codeFields(server, { client_id: id, code });
      const tokens = (await (await askTokens(server, fields)).json()) as { access_token: string };
      assert.equal((await called(tokens.access_token)).status, 200);
      await askTokens(server, fields);
      return called(tokens.access_token);
    },
  },
  {
    name: "one code is used from ten places at once: one of them gets tokens",
    expect: { status: 1 },
    run: async ({ id }) => {
      const code = await codeFor(server, { client_id: id });
      const fields = codeFields(server, { client_id: id, code });
      const answers = await Promise.all(Array.from({ length: 10 }, () => askTokens(server, fields)));
      return { status: answers.filter(({ status }) => status === 200).length };
    },
  },
  {
    name: "a code is stretched by moving its time",
    expect: grant,
    run: (scene) =>
      redeem(scene, (code) => ({ code: altered(code, (own) => ({ ...own, t: Date.now() + 1 })) })),
  },
  {
    name: "a code is given another scope",
    expect: grant,
    run: async ({ id }) => {
      const code = await codeFor(server, { client_id: id }, { access: "read" });
      const wider = altered(code, (own) => ({ ...own, s: "write" }));
      return tokenError(await askTokens(server, codeFields(server, { client_id: id, code: wider })));
    },
  },
  {
    name: "a code without its signature",
    expect: grant,
    run: (scene) => redeem(scene, (code) => ({ code: code.split(".")[0] })),
  },
  {
    name: "a code with a signature of another key",
    expect: grant,
    run: (scene) =>
      redeem(scene, (code) => {
        const [content = ""] = code.split(".");
        return { code: `${content}.${createHmac("sha256", "").update(content).digest("base64url")}` };
      }),
  },
  {
    name: "a code whose last letter is another with the same bits",
    expect: grant,
    run: (scene) =>
      redeem(scene, (code) => {
        const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        const last = letters[letters.indexOf(code.at(-1) ?? "") ^ 1];
        return { code: `${code.slice(0, -1)}${last}` };
      }),
  },
  {
    name: "a code of another server",
    expect: grant,
    run: async ({ id }) => {
      const foreign = await registerClient(other);
      const form = { token: "another-token-0123456789-0123456789" };
      const code = await codeFor(other, { client_id: foreign }, form);
      assert.notEqual(code, "");
      return tokenError(await askTokens(server, codeFields(server, { client_id: id, code })));
    },
  },
  {
    name: "a code that was given to another client",
    expect: grant,
    run: (scene) =>
      redeem(scene, async () => ({ client_id: await registerClient(server, { client_name: "X" }) })),
  },
  {
    name: "a code as a refresh token",
    expect: grant,
    run: (scene) => redeem(scene, (code) => ({ grant_type: "refresh_token", refresh_token: code })),
  },
  {
    name: "a code as a bearer token",
    expect: { status: 401 },
    run: async ({ id }) => called(await codeFor(server, { client_id: id })),
  },
];

const TOKENS: Attack[] = [
  {
    name: "an access token whose scope was widened",
    expect: { status: 401 },
    run: async ({ id }) => {
      const { access_token } = await logIn(server, id, { access: "read" });
      return called(altered(access_token, (own) => ({ ...own, s: "write" })));
    },
  },
  {
    name: "an access token of another server",
    expect: { status: 401 },
    run: async () => {
      const form = { token: "another-token-0123456789-0123456789" };
      const { access_token } = await logIn(other, await registerClient(other), form);
      return called(access_token);
    },
  },
  {
    name: "a refresh token as a bearer token",
    expect: { status: 401 },
    run: async ({ id }) => called((await logIn(server, id)).refresh_token),
  },
  {
    name: "a client id as a bearer token",
    expect: { status: 401 },
    run: async ({ id }) => called(id),
  },
  {
    name: "an access token in the query",
    expect: { status: 401 },
    run: async ({ id }) => {
      const { access_token } = await logIn(server, id);
      const response = await fetch(`${server.origin}/mcp?access_token=${access_token}`, {
        method: "POST",
        headers: JSON_HEADERS,
        body: JSON.stringify(INITIALIZE),
      });
      return { status: response.status };
    },
  },
  {
    name: "an access token as a refresh token",
    expect: grant,
    run: async ({ id }) => tokenError(await refresh(server, id, (await logIn(server, id)).access_token)),
  },
  {
    name: "a refresh token from before the last one",
    expect: grant,
    run: async ({ id }) => {
      const first = await logIn(server, id);
      const second = (await (await refresh(server, id, first.refresh_token)).json()) as typeof first;
      assert.equal((await refresh(server, id, second.refresh_token)).status, 200);
      return tokenError(await refresh(server, id, first.refresh_token));
    },
  },
  {
    name: "a copied refresh token ends the access of all who have one",
    expect: { status: 401 },
    run: async ({ id }) => {
      const first = await logIn(server, id);
      const second = (await (await refresh(server, id, first.refresh_token)).json()) as typeof first;
      const third = (await (await refresh(server, id, second.refresh_token)).json()) as typeof first;
      assert.equal((await called(third.access_token)).status, 200);
      await refresh(server, id, first.refresh_token);
      assert.deepEqual(await tokenError(await refresh(server, id, third.refresh_token)), grant);
      return called(third.access_token);
    },
  },
  {
    name: "a refresh token of another client",
    expect: grant,
    run: async ({ id }) => {
      const { refresh_token } = await logIn(server, id);
      return tokenError(
        await refresh(server, await registerClient(server, { client_name: "X" }), refresh_token),
      );
    },
  },
  {
    name: "a refresh token with a wider scope",
    expect: { status: 400, error: "invalid_scope" },
    run: async ({ id }) => {
      const { refresh_token } = await logIn(server, id, { access: "read" });
      const fields = { grant_type: "refresh_token", client_id: id, refresh_token, scope: "read write" };
      return tokenError(await askTokens(server, fields));
    },
  },
  {
    name: "a refresh token that was moved up in its line",
    expect: grant,
    run: async ({ id }) => {
      const { refresh_token } = await logIn(server, id);
      return tokenError(
        await refresh(
          server,
          id,
          altered(refresh_token, (own) => ({ ...own, n: 9 })),
        ),
      );
    },
  },
  {
    name: "a refresh token for another resource",
    expect: badTarget,
    run: async ({ id }) => {
      const { refresh_token } = await logIn(server, id);
      const resource = "https://other.example/mcp";
      return tokenError(
        await askTokens(server, { grant_type: "refresh_token", client_id: id, refresh_token, resource }),
      );
    },
  },
];

const CLIENTS: Attack[] = [
  {
    name: "a client id with a redirect URI put into it",
    expect: page,
    run: ({ id }) =>
      open({
        client_id: altered(id, (own) => ({ ...own, r: ["https://evil.example/"] })),
        redirect_uri: "https://evil.example/",
      }),
  },
  {
    name: "a client id of another server",
    expect: page,
    run: async () => open({ client_id: await registerClient(other) }),
  },
  {
    name: "a code in place of a client id",
    expect: page,
    run: async ({ id }) => open({ client_id: await codeFor(server, { client_id: id }) }),
  },
  {
    name: "a client that shows a made-up secret",
    expect: { status: 401, error: "invalid_client" },
    run: async ({ id }) => {
      const code = await codeFor(server, { client_id: id });
      const Authorization = `Basic ${Buffer.from("client:secret").toString("base64")}`;
      return tokenError(
        await askTokens(server, codeFields(server, { client_id: id, code }), { Authorization }),
      );
    },
  },
  {
    name: "client metadata that is no object",
    expect: badMetadata,
    run: async () => tokenError(await register(server, [])),
  },
  {
    name: "client metadata that is no JSON",
    expect: badMetadata,
    run: async () => tokenError(await register(server, "{")),
  },
  {
    name: "a client without a redirect URI",
    expect: badRedirect,
    run: async () => tokenError(await register(server, { client_name: "X" })),
  },
  {
    name: "a client for a grant that needs no person",
    expect: badMetadata,
    run: async () =>
      tokenError(await register(server, { redirect_uris: [REDIRECT], grant_types: ["client_credentials"] })),
  },
  {
    name: "a registration of megabytes",
    expect: { status: 413, error: "invalid_request" },
    run: async () =>
      tokenError(await register(server, { redirect_uris: [REDIRECT], client_name: "x".repeat(1e6) })),
  },
  {
    name: "a client id too long for an address",
    expect: badMetadata,
    run: async () =>
      tokenError(
        await register(server, {
          redirect_uris: Array.from({ length: 8 }, (_, n) => `${REDIRECT}/${n}${"x".repeat(900)}`),
        }),
      ),
  },
];

const BAD_REDIRECTS: [name: string, uri: unknown][] = [
  ["without https", "http://client.example/callback"],
  ["with a fragment", "https://client.example/#x"],
  ["with a user name", "https://client.example@evil.example/"],
  ["of JavaScript", "javascript:alert(1)//https://x"],
  ["with a line break", "https://client.example/\r\nSet-Cookie: a=b"],
  ["with a backslash", "https://client.example\\@evil.example/"],
  ["that hides this computer", "http://127.0.0.1@evil.example/"],
  ["to this computer in other figures", "http://2130706433/"],
  ["with HTML in it", 'https://client.example/"><script>'],
  ["that is relative", "/callback"],
  ["that is no text", { href: REDIRECT }],
  ["that is endless", `https://client.example/${"x".repeat(1000)}`],
];

const REDIRECTS: Attack[] = [
  ...BAD_REDIRECTS.map(
    ([what, uri]): Attack => ({
      name: `a client registers a redirect URI ${what}`,
      expect: badRedirect,
      run: () => registered(uri),
    }),
  ),
  ...[
    ["another host", "https://evil.example/callback"],
    ["another port", "https://client.example:8443/callback"],
    ["an escaped letter", "https://client.example/%63allback"],
    ["this computer", "http://127.0.0.1/callback"],
  ].map(
    ([what, redirect_uri = ""]): Attack => ({
      name: `a redirect to ${what} than was registered`,
      expect: page,
      run: ({ id }) => open({ client_id: id, redirect_uri }),
    }),
  ),
  {
    name: "a loopback redirect with another path",
    expect: page,
    run: async () => {
      const id = await registerClient(server, { redirect_uris: ["http://127.0.0.1:1/callback"] });
      const allowed = await fetch(
        authorizeUrl(server, { client_id: id, redirect_uri: "http://127.0.0.1:50000/callback" }),
      );
      assert.equal(allowed.status, 200);
      return open({ client_id: id, redirect_uri: "http://127.0.0.1:50000/other" });
    },
  },
  {
    name: "two redirect_uris, of which one is registered",
    expect: page,
    run: async ({ id }) =>
      pageError(await fetch(`${authorizeUrl(server, { client_id: id })}&redirect_uri=https://evil.example/`)),
  },
];

const REQUESTS: Attack[] = [
  ...AUTHORIZATIONS.map(
    ([name, expect, fields]): Attack => ({
      name,
      expect,
      run: ({ id }) => open({ client_id: id, ...fields }),
    }),
  ),
  {
    name: "two states",
    expect: invalid,
    run: async ({ id }) => pageError(await fetch(`${authorizeUrl(server, { client_id: id })}&state=x`)),
  },
  {
    name: "a grant by password",
    expect: { status: 400, error: "unsupported_grant_type" },
    run: ({ id }) =>
      askTokens(server, { grant_type: "password", client_id: id, username: "x", password: TOKEN }).then(
        tokenError,
      ),
  },
  {
    name: "a grant by the client itself",
    expect: { status: 400, error: "unsupported_grant_type" },
    run: ({ id }) => askTokens(server, { grant_type: "client_credentials", client_id: id }).then(tokenError),
  },
  {
    name: "a token request with a parameter twice",
    expect: invalid,
    run: ({ id }) =>
      askTokens(server, `grant_type=refresh_token&grant_type=authorization_code&client_id=${id}`).then(
        tokenError,
      ),
  },
  {
    name: "a token request in JSON",
    expect: invalid,
    run: ({ id }) =>
      askTokens(server, JSON.stringify({ client_id: id }), { "Content-Type": "application/json" }).then(
        tokenError,
      ),
  },
  {
    name: "a token request of megabytes",
    expect: { status: 413, error: "invalid_request" },
    run: ({ id }) => askTokens(server, { client_id: id, code: "x".repeat(1e6) }).then(tokenError),
  },
  {
    name: "a token request by GET",
    expect: { status: 405 },
    run: async () => ({ status: (await fetch(`${server.origin}/token?grant_type=refresh_token`)).status }),
  },
  {
    name: "a metadata document that is written to",
    expect: { status: 405 },
    run: () => raw("/.well-known/oauth-authorization-server", FORM, ""),
  },
];

const ask = (id: string) => authorizeUrl(server, { client_id: id });

const PAGES: Attack[] = [
  ...FORMS.map(
    ([name, expect, form, headers = {}]): Attack => ({
      name,
      expect,
      run: async ({ id }) => pageError(await consent(ask(id), form, headers)),
    }),
  ),
  {
    name: "a form that the browser says is from elsewhere",
    expect: refused,
    run: ({ id }) =>
      raw(
        new URL(ask(id)).href.slice(server.origin.length),
        { ...FORM, "Sec-Fetch-Site": "cross-site" },
        `token=${TOKEN}`,
      ),
  },
  {
    name: "a name that was pointed at this machine",
    expect: refused,
    run: ({ id }) =>
      raw(ask(id).slice(server.origin.length), { ...FORM, Host: "evil.example" }, `token=${TOKEN}`),
  },
  {
    name: "a form in another encoding",
    expect: page,
    run: ({ id }) =>
      raw(ask(id).slice(server.origin.length), { "Content-Type": "text/plain" }, `token=${TOKEN}`),
  },
  {
    name: "a client that was altered between the page and the answer",
    expect: page,
    run: async ({ id }) => pageError(await consent(ask(altered(id, (own) => ({ ...own, n: "X" }))))),
  },
];

const ATTACKS = [...CODES, ...TOKENS, ...CLIENTS, ...REDIRECTS, ...REQUESTS, ...PAGES];

test("there are many attacks, each with its own name", () => {
  assert.ok(ATTACKS.length >= 40);
  assert.equal(new Set(ATTACKS.map(({ name }) => name)).size, ATTACKS.length);
});

for (const { name, run, expect } of ATTACKS) {
  test(`refused: ${name}`, async () => {
    assert.deepEqual(await run({ server, id: await registerClient(server) }), expect);
  });
}

test("a redirect URI with a line break, a state with one, and a name with HTML are not interpreted", async () => {
  const id = await registerClient(server, { client_name: '<script>alert(1)</script>"\u202e\r\nX: y' });
  const state = '"><script>\r\nSet-Cookie: a=b';
  const url = authorizeUrl(server, { client_id: id, state });
  const shown = await fetch(url);
  const html = await shown.text();
  assert.ok(html.includes("&lt;script&gt;alert(1)&lt;/script&gt;&quot; X: y"));
  assert.ok(!html.includes("<script"));
  assert.equal(shown.headers.get("set-cookie"), null);
  const answer = await consent(url);
  assert.equal(answer.headers.get("set-cookie"), null);
  const copy = await answer.clone().text();
  assert.ok(!copy.includes("<script"));
  assert.equal((await target(answer)).searchParams.get("state"), state);
});

test("the page cannot be framed, runs no script and sends no referrer", async () => {
  const { headers } = await fetch(ask(await registerClient(server)));
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|script-src/);
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.equal(headers.get("referrer-policy"), "same-origin");
  assert.equal(headers.get("cache-control"), "no-store");
});

test("the log holds no token or code", async () => {
  const id = await registerClient(server);
  const { access_token, refresh_token } = await logIn(server, id);
  const code = await codeFor(server, { client_id: id });
  await post(server, INITIALIZE, { token: access_token });
  for (const secret of [id, access_token, refresh_token, code, TOKEN, VERIFIER])
    assert.ok(!server.stderr().includes(secret.slice(0, 60)));
  assert.match(server.stderr(), /POST \/token /);
});
