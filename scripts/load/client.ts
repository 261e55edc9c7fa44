import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

export interface Target {
  port: number;
  token: string;
  agent: Agent;
}

export interface Answer {
  status: number;
  session: string | undefined;
  body: string;
  /** Milliseconds from sending to the last byte. */
  taken: number;
}

export function target(port: number, token: string): Target {
  return { port, token, agent: new Agent({ keepAlive: true, maxSockets: 256 }) };
}

/** One POST to `/mcp`, in bare JSON-RPC: the work of a client library would be measured too. */
export function post(
  { port, token, agent }: Target,
  message: object | string,
  { session, headers = {} }: { session?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      agent,
      host: "127.0.0.1",
      method: "POST",
      path: "/mcp",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(session !== undefined && { "Mcp-Session-Id": session }),
        ...headers,
      },
    });
    sent.on("error", reject);
    sent.on("response", (answer: IncomingMessage) => {
      const done = async () => ({
        status: answer.statusCode ?? 0,
        session: answer.headers["mcp-session-id"]?.toString(),
        body: await text(answer),
        taken: performance.now() - start,
      });
      done().then(resolve, reject);
    });
    sent.end(typeof message === "string" ? message : JSON.stringify(message));
  });
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "load", version: "0" } },
};

/** Opens a session; returns its id. */
export async function open(server: Target): Promise<string> {
  const { session, status } = await post(server, INITIALIZE);
  if (session === undefined) throw new Error(`no session: ${status}`);
  return session;
}

export async function end(server: Target, session: string): Promise<void> {
  const { port, token, agent } = server;
  const headers = { Authorization: `Bearer ${token}`, "Mcp-Session-Id": session };
  await new Promise<void>((resolve, reject) => {
    const sent = request({ port, agent, host: "127.0.0.1", method: "DELETE", path: "/mcp", headers });
    sent.on("error", reject);
    sent.on("response", (answer) => answer.resume().once("end", () => resolve()));
    sent.end();
  });
}

export function callOf(id: number, name: string, args: object): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

/** Runs `work` on each number below `count`, `width` at a time. */
export async function each(count: number, width: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
