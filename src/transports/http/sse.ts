import type { ServerResponse } from "node:http";
import { trackReplies } from "../replies.ts";
import type { HttpContext } from "./context.ts";
import type { AuthenticatedExchange } from "./exchange.ts";
import { readMessages } from "./messages.ts";
import { SseTransport } from "./sse-transport.ts";

const KEEP_ALIVE_MS = 15_000;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** `GET /sse`: the stream of all answers; its first event names the path for messages. */
export async function serveSse(
  { sessions, createServer }: HttpContext,
  { response, access }: AuthenticatedExchange,
): Promise<void> {
  sessions.checkRoom(access.principal);
  response.setHeader("X-Accel-Buffering", "no");
  const transport = new SseTransport("/messages", response);
  const server = createServer(access);
  await server.connect(transport);
  limitUnread(transport, response);
  const { drained } = trackReplies(transport);
  const session = { id: transport.sessionId, access, server, drained };
  const serve = async (exchange: AuthenticatedExchange, body: unknown) => transport.receive(exchange, body);
  sessions.add({ ...session, serve }, 1);
  const timer = setInterval(() => response.write(": keepalive\n\n"), KEEP_ALIVE_MS).unref();
  response.once("close", () => clearInterval(timer));
}

/** Disconnects a client that does not read: its answers would fill the memory. */
function limitUnread(transport: SseTransport, response: ServerResponse): void {
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    await send(message);
  };
}

/** `POST /messages`: accepted here, answered on the stream. */
export async function serveMessage(
  { sessions, bodies }: HttpContext,
  exchange: AuthenticatedExchange,
): Promise<void> {
  const body = await readMessages(bodies, exchange);
  await sessions.serve(exchange.query.get("sessionId") ?? "", exchange, body);
}
