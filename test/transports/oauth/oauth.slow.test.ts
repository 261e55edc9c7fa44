import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as Newest from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { startHostProxy } from "../../fixtures/host-proxy.ts";
import {
  connectHttp,
  freePort,
  INITIALIZE,
  post,
  READ_TOKEN,
  send,
  serveHttp,
  TOKEN,
} from "../../fixtures/http.ts";
import { newestClient } from "../../fixtures/modern.ts";
import { consent, type Fields, startOAuth, target } from "../../fixtures/oauth.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const REDIRECT = "http://localhost:3118/callback";

interface Person extends OAuthClientProvider {
  /** The URL to which the client sent the browser. */
  asked: URL | undefined;
  kept: OAuthTokens | undefined;
  registrations: number;
}

/** What the official client asks its host for: memory, and a browser. */
function person(): Person {
  let client: OAuthClientInformationMixed | undefined;
  let verifier = "";
  const own: Person = {
    asked: undefined,
    kept: undefined,
    registrations: 0,
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Official client", redirect_uris: [REDIRECT] },
    state: () => "some state",
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
      own.registrations++;
    },
    tokens: () => own.kept,
    saveTokens: (tokens) => {
      own.kept = tokens;
    },
    redirectToAuthorization: (url) => {
      own.asked = url;
    },
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
  };
  return own;
}

type Transport = Parameters<Client["connect"]>[0];

/** Connects once in vain, lets a person answer the page, and connects again. */
async function logIn(
  t: TestContext,
  { origin }: { origin: string },
  { form = {}, sse = false }: { form?: Fields; sse?: boolean } = {},
): Promise<{ own: Person; client: Client }> {
  const own = person();
  const open = () =>
    sse
      ? new SSEClientTransport(new URL(`${origin}/sse`), { authProvider: own })
      : new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: own });
  const first = open();
  const client = new Client({ name: "test", version: "1" });
  await assert.rejects(client.connect(first as Transport), UnauthorizedError);
  const answer = await target(await consent(String(own.asked), form));
  assert.equal(answer.searchParams.get("state"), "some state");
  assert.equal(answer.searchParams.get("iss"), origin);
  await first.finishAuth(answer.searchParams.get("code") ?? "");
  const connected = new Client({ name: "test", version: "1" });
  await connected.connect(open() as Transport);
  t.after(() => connected.close());
  return { own, client: connected };
}

const toolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

test("the official client registers, logs in on the page, calls a tool, and refreshes", async (t) => {
  const server = await startOAuth(t);
  const { own, client } = await logIn(t, server);
  assert.equal(own.registrations, 1);
  assert.equal(own.asked?.searchParams.get("resource"), `${server.origin}/mcp`);
  const tasks = await client.callTool({ name: "list_tasks", arguments: { project: "p" } });
  assert.equal((tasks.structuredContent as { total: number }).total, 1);
  const created = await client.callTool({
    name: "create_task",
    arguments: { project: "p", title: "B", objective: "C" },
  });
  assert.notEqual(created.isError, true);

  const before = own.kept;
  own.kept = { ...before, access_token: `${before?.access_token.slice(0, -4)}AAAA` } as OAuthTokens;
  assert.ok((await toolNames(client)).includes("create_task"));
  assert.notEqual(own.kept.refresh_token, before?.refresh_token);
  assert.notEqual(own.kept.access_token, before?.access_token);
  assert.equal(own.registrations, 1);
});

test("the older transport finds its own metadata, and logs in as well", async (t) => {
  const server = await startOAuth(t);
  const { own, client } = await logIn(t, server, { sse: true });
  assert.equal(own.asked?.searchParams.get("resource"), `${server.origin}/sse`);
  assert.ok((await toolNames(client)).includes("search"));
});

test("the client of the newest revision logs in as well, and checks who answered", async (t) => {
  const { origin } = await startOAuth(t);
  let discovery: Newest.OAuthDiscoveryState | undefined;
  const own = Object.assign(person(), {
    discoveryState: () => discovery,
    saveDiscoveryState: (state: Newest.OAuthDiscoveryState) => {
      discovery = state;
    },
  });
  const open = () =>
    new Newest.StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: own });
  const first = open();
  await assert.rejects(newestClient().connect(first), Newest.UnauthorizedError);
  const answer = (await target(await consent(String(own.asked)))).searchParams;
  const foreign = new URLSearchParams(answer);
  foreign.set("iss", "http://127.0.0.1:1");
  await assert.rejects(first.finishAuth(foreign), /issuer/i);
  await first.finishAuth(answer);
  const client = newestClient();
  await client.connect(open());
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "create_task"));
});

test("the page grants read-only access, or all that the token allows", async (t) => {
  const server = await startOAuth(t);
  for (const form of [{ access: "read" }, { access: "read", token: READ_TOKEN }]) {
    const { own, client } = await logIn(t, server, { form });
    assert.equal(own.kept?.scope, "read");
    const names = await toolNames(client);
    assert.ok(names.includes("search") && !names.includes("create_task"));
  }
});

test("a read-only server grants only reading", async (t) => {
  const server = await startOAuth(t, ["--read-only"]);
  const { own } = await logIn(t, server);
  assert.equal(own.asked?.searchParams.get("scope"), "read");
  assert.equal(own.kept?.scope, "read");
});

test("clients can log in to a server without sessions", async (t) => {
  const server = await startOAuth(t, ["--stateless"]);
  const { client } = await logIn(t, server);
  assert.ok((await toolNames(client)).includes("search"));
  const sse = await send(server, { path: "/.well-known/oauth-protected-resource/sse", token: null });
  assert.equal(sse.status, 404);
});

const WELL_KNOWN = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource/sse",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/mcp/.well-known/openid-configuration",
];

test("the metadata is served at every path that clients try", async (t) => {
  const server = await startOAuth(t);
  const { origin } = server;
  const read = async (path: string) => {
    const response = await send(server, { path, token: null });
    assert.equal(response.status, 200, path);
    return (await response.json()) as Record<string, unknown>;
  };
  const [resource, mcp, sse, ...servers] = await Promise.all(WELL_KNOWN.map(read));
  assert.deepEqual(resource, mcp);
  assert.equal(mcp?.["resource"], `${origin}/mcp`);
  assert.equal(sse?.["resource"], `${origin}/sse`);
  assert.deepEqual(mcp?.["authorization_servers"], [origin]);
  for (const metadata of servers) assert.deepEqual(metadata, servers[0]);
  assert.equal(servers[0]?.["issuer"], origin);
  assert.deepEqual(servers[0]?.["code_challenge_methods_supported"], ["S256"]);
  assert.equal(servers[0]?.["authorization_response_iss_parameter_supported"], true);
  const refused = await post(server, INITIALIZE, { token: null });
  assert.equal(
    refused.headers.get("www-authenticate"),
    `Bearer realm="vibe-mcp", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
  );
});

test("without --oauth none of the routes exist", async (t) => {
  const args = ["--root", makeWorkspace(t, {}), "--public-url", "https://vibe.example.com"];
  const server = await serveHttp(t, args);
  for (const path of [...WELL_KNOWN, "/authorize", "/token", "/register"]) {
    for (const method of ["GET", "POST"]) {
      const response = await send(server, { path, method, token: null });
      assert.equal(response.status, 404, `${method} ${path}`);
      assert.doesNotMatch(await response.text(), /oauth|authorize|register/);
    }
  }
  const refused = await post(server, INITIALIZE, { token: null });
  assert.equal(refused.headers.get("www-authenticate"), 'Bearer realm="vibe-mcp"');
});

test("a client with a configured token sees no difference", async (t) => {
  const plain = await serveHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })]);
  const server = await startOAuth(t);
  for (const token of [TOKEN, READ_TOKEN]) {
    const [here, there] = [
      await connectHttp(t, server, { token }),
      await connectHttp(t, plain, { token }),
    ] as const;
    assert.deepEqual(await here.client.listTools(), await there.client.listTools());
    assert.deepEqual(here.client.getServerCapabilities(), there.client.getServerCapabilities());
    const answers = await Promise.all([
      post(server, INITIALIZE, { token }),
      post(plain, INITIALIZE, { token }),
    ]);
    const [one, other] = answers.map(({ status, headers }) => ({ status, names: [...headers.keys()] }));
    assert.deepEqual(one, other);
  }
  const lost = await Promise.all([server, plain].map((one) => send(one, { path: "/nowhere" })));
  assert.equal(await lost[0]?.text(), await lost[1]?.text());
});

test("the official client logs in through a proxy that rewrites Host; forms of other pages are refused", async (t) => {
  const port = await freePort();
  const proxy = await startHostProxy(t, port);
  const root = makeWorkspace(t, { "p/status.md": "# P\n" });
  const own = ["--port", `${port}`, "--oauth", "--public-url", proxy.origin];
  await serveHttp(t, ["--root", root, ...own], { VIBE_AUTH_TOKEN: TOKEN });
  const { client, own: someone } = await logIn(t, proxy);
  assert.ok((await client.listTools()).tools.length > 0);
  const other = await consent(String(someone.asked), {}, { Origin: "https://evil.example" });
  assert.equal(other.status, 403);
});
