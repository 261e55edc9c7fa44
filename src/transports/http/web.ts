import type { ServerResponse } from "node:http";
import type { Answers } from "./answers.ts";
import type { AuthenticatedExchange, Exchange } from "./exchange.ts";

/** The only headers that the SDK gets: no credentials. */
const HEADERS = [
  "accept",
  "content-type",
  "mcp-session-id",
  "mcp-protocol-version",
  "last-event-id",
  "mcp-method",
  "mcp-name",
];

/** The SDK speaks the web's Request and Response; its body is passed separately. */
export function webRequest(
  { request: { method = "GET", headers: sent } }: Exchange,
  signal?: AbortSignal,
): Request {
  const names = HEADERS.filter((name) => sent[name] !== undefined);
  const headers = Object.fromEntries(names.map((name) => [name, String(sent[name])]));
  return new Request("http://localhost/mcp", { method, headers, ...(signal && { signal }) });
}

/**
 * Sends the answers to a message, or to those of a batch, one after the other. The SDK makes the parts of an answer whether they
 * are read or not, so they wait in the response, where `answers` counts them. Resolves when all is written or the client has left.
 */
export async function sendWeb(
  { response, access: { principal } }: AuthenticatedExchange,
  all: AsyncIterable<Response> | readonly Response[],
  answers: Answers,
): Promise<void> {
  answers.open(response, principal);
  let status = 202;
  for await (const answer of all) {
    status = answer.status;
    if (answer.body === null) continue;
    const { connection: _, ...headers } = Object.fromEntries(answer.headers);
    if (!response.headersSent) response.writeHead(status, headers).flushHeaders();
    await pump(answer.body, response, () => answers.makeRoom(principal));
    if (response.destroyed) return;
  }
  if (!response.headersSent) response.writeHead(status);
  response.end();
}

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse, makeRoom: () => void) {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  response.once("close", stop);
  if (response.destroyed) stop();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    makeRoom();
    response.write(part.value);
  }
  response.off("close", stop);
}

/** Resolves when the client has read what was written, or has left. */
export function whenRead(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (!response.writableNeedDrain || response.req.socket.destroyed) return resolve();
    response.once("drain", resolve);
    response.req.socket.once("close", () => resolve());
  });
}
