import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { loadApi } from "../../src/api.ts";
import { resolveHttpConfig } from "../../src/http-config.ts";
import { createLog } from "../../src/lib/log.ts";
import { serveHttp } from "../../src/transports/http/listen.ts";
import type { OAuthEnvironment } from "../../src/transports/http/oauth/oauth.ts";
import { openVault } from "../../src/workspace/vault.ts";
import { type HttpServer, READ_TOKEN, startHttp, TOKEN } from "./http.ts";
import { makeWorkspace, open } from "./workspace.ts";

const FILES = { "p/status.md": "# P\n", "p/tasks/001-a.md": "# A\n\nStatus: pending\n" };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The built file with OAuth on this machine's own address. */
export async function startOAuth(
  t: TestContext,
  args: string[] = [],
  env?: Record<string, string>,
): Promise<HttpServer> {
  const port = await freePort();
  const own = ["--port", `${port}`, "--oauth", "--public-url", `http://127.0.0.1:${port}`];
  return startHttp(t, ["--root", makeWorkspace(t, FILES), ...own, ...args], env);
}

/** The same in this process, with a clock and a web of its own. */
export async function serveOAuth(t: TestContext, oauth: OAuthEnvironment): Promise<{ origin: string }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { workspace } = open(t, makeWorkspace(t, FILES));
  const stop = new AbortController();
  let isUp = (): void => {};
  const up = new Promise<void>((done) => {
    isUp = done;
  });
  const log = createLog("info", (line) => line.includes("listening on") && isUp());
  const config = resolveHttpConfig(
    { port: `${port}`, oauth: true, publicUrl: origin },
    { VIBE_AUTH_TOKEN: TOKEN, VIBE_READ_TOKEN: READ_TOKEN },
    "/",
  );
  const vault = openVault({ config: { db: join(workspace.root, "index.db"), vault: undefined }, workspace });
  const api = await loadApi({ api: "v2", tools: "all", vault: undefined });
  const server = { workspace, vault, log, version: "0", api, readOnly: false };
  const served = serveHttp({ config, server, oauth, stop: stop.signal });
  t.after(async () => {
    stop.abort();
    await served;
  });
  await up;
  return { origin };
}

export const REDIRECT = "https://client.example/callback";
export const VERIFIER = randomBytes(32).toString("base64url");
export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

export type Fields = Record<string, string | undefined>;
type Server = { origin: string };

export async function registerClient(server: Server, fields: object = {}): Promise<string> {
  const response = await register(server, {
    redirect_uris: [REDIRECT],
    client_name: "Test client",
    ...fields,
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}

export function register({ origin }: Server, body: unknown): Promise<Response> {
  return fetch(`${origin}/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function given(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** The address of the consent page; a field that is undefined is left out. */
export function authorizeUrl({ origin }: Server, fields: Fields): string {
  const query = {
    response_type: "code",
    redirect_uri: REDIRECT,
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
    state: "the state",
    scope: "read write",
    resource: `${origin}/mcp`,
    ...fields,
  };
  return `${origin}/authorize?${new URLSearchParams(given(query))}`;
}

/** Sends the form of the consent page, as a browser does. */
export function consent(
  url: string,
  fields: Fields = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = { token: TOKEN, access: "write", decision: "allow", ...fields };
  const own = { Origin: new URL(url).origin, "Sec-Fetch-Site": "same-origin" };
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams(given(form)),
    headers: { ...own, ...headers },
  });
}

/** Where a page sends the browser, or lets its person go on to. */
export async function target(response: Response): Promise<URL> {
  const html = await response.text();
  const href = /<a href="([^"]+)"/.exec(html)?.[1] ?? "";
  return new URL(href.replaceAll("&amp;", "&"));
}

export async function codeFor(server: Server, fields: Fields, form: Fields = {}): Promise<string> {
  const url = await target(await consent(authorizeUrl(server, fields), form));
  return url.searchParams.get("code") ?? "";
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

export function askTokens(
  { origin }: Server,
  fields: Fields | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = typeof fields === "string" ? fields : String(new URLSearchParams(given(fields)));
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  return fetch(`${origin}/token`, { method: "POST", body, headers: { ...type, ...headers } });
}

export function codeFields(server: Server, fields: Fields): Fields {
  return {
    grant_type: "authorization_code",
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    resource: `${server.origin}/mcp`,
    ...fields,
  };
}

/** All the way to tokens. */
export async function logIn(server: Server, clientId: string, form: Fields = {}): Promise<Tokens> {
  const code = await codeFor(server, { client_id: clientId }, form);
  const response = await askTokens(server, codeFields(server, { client_id: clientId, code }));
  return (await response.json()) as Tokens;
}

export async function refresh(server: Server, clientId: string, token: string): Promise<Response> {
  return askTokens(server, { grant_type: "refresh_token", client_id: clientId, refresh_token: token });
}
