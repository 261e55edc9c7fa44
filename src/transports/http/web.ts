import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Exchange } from "./exchange.ts";

/** The only headers that the SDK gets: no credentials. */
const HEADERS = [
  ...["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"],
  ...["mcp-method", "mcp-name"],
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

/** Resolves when the answer is sent or the client has left. */
export async function sendWeb({ response }: Exchange, { status, headers, body }: Response): Promise<void> {
  const { connection: _, ...rest } = Object.fromEntries(headers);
  response.writeHead(status, rest);
  if (body === null) return void response.end();
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(body as ReadableStream), response);
  } catch {
    // The client left early, which has cancelled the stream.
  }
}
