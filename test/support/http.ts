import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { builtFile, KILL } from "./built.ts";
import { type Connected, callers, temporaryFolder } from "./workspace.ts";

export const TOKEN = "a-token-for-tests-0123456789abcdef";
export const READ_TOKEN = "a-read-token-for-tests-0123456789";

export interface HttpServer {
  child: ChildProcess;
  port: number;
  /** `http://127.0.0.1:<port>` */
  origin: string;
  stderr: () => string;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

type Env = Record<string, string>;

/** Starts `serve` of the built file alone on a free port, with both tokens unless the environment says otherwise. */
export async function startHttp(
  t: TestContext,
  args: string[],
  env: Env = { VIBE_AUTH_TOKEN: TOKEN, VIBE_READ_TOKEN: READ_TOKEN },
): Promise<HttpServer> {
  const child = spawn(process.execPath, [builtFile(t), "serve", "--port", "0", ...args], {
    cwd: temporaryFolder(t),
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(t), TZ: "UTC", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(() => child.kill(KILL));
  let errors = "";
  const exit = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const port = await new Promise<number>((found, failed) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
      const match = /listening on http:\/\/\S+:(\d+)\/mcp/.exec(errors);
      if (match !== null) found(Number(match[1]));
    });
    void exit.then(() => failed(new Error(`the server did not start: ${errors}`)));
  });
  return { child, port, origin: `http://127.0.0.1:${port}`, stderr: () => errors, exit };
}

export type HttpClient = { client: Client; sessionId: () => string | undefined } & Pick<
  Connected,
  "call" | "fail"
>;

/** The official client over HTTP. */
export async function connectHttp(
  t: TestContext,
  { origin }: { origin: string },
  { token = TOKEN, sse = false }: { token?: string | undefined; sse?: boolean } = {},
): Promise<HttpClient> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = sse
    ? new SSEClientTransport(new URL(`${origin}/sse`), { requestInit })
    : new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit });
  const client = new Client({ name: "test", version: "1" });
  // The transport's own type says `| undefined` where the interface has an optional field.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  t.after(() => client.close());
  const sessionId = () =>
    transport instanceof StreamableHTTPClientTransport ? transport.sessionId : undefined;
  return { client, sessionId, ...callers(client) };
}

/** A bare request, without a client's good manners. */
export function send(
  { origin }: { origin: string },
  {
    path = "/mcp",
    token = TOKEN,
    headers = {},
    ...init
  }: RequestInit & { path?: string; token?: string | null },
): Promise<Response> {
  const given = token === null ? {} : { Authorization: `Bearer ${token}` };
  return fetch(`${origin}${path}`, { ...init, headers: { ...given, ...headers } as Record<string, string> });
}

export const JSON_HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

/** A POST of one message or several. */
export function post(
  server: { origin: string },
  message: unknown,
  {
    headers = {},
    token = TOKEN,
    path = "/mcp",
  }: { headers?: Env; token?: string | null; path?: string } = {},
): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return send(server, { method: "POST", body, token, path, headers: { ...JSON_HEADERS, ...headers } });
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Opens a session by hand; answers its id. */
export async function openSession(server: { origin: string }, token = TOKEN): Promise<string> {
  const response = await post(server, INITIALIZE, { token });
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}
