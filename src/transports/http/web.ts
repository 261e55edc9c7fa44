import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** What the protocol's transport looks at: no credential is handed on. */
const HEADERS = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

/** Answers a request of Node by way of the web's own classes, which the protocol's transport speaks. */
export async function answerByWeb(
  { method = "GET", headers }: IncomingMessage,
  response: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const kept = HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  const answer = await handle(
    new Request("http://localhost/mcp", { method, headers: Object.fromEntries(kept) }),
  );
  const { connection: _, ...fields } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, fields);
  if (answer.body === null) return void response.end();
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
  } catch {
    // The client left before the end; the transport was told by the cancelled stream.
  }
}
