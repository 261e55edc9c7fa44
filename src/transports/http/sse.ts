import type { ServerResponse } from "node:http";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { trackReplies } from "../replies.ts";
import { readJson } from "./body.ts";
import type { HttpContext } from "./context.ts";
import type { Admitted } from "./exchange.ts";
import { describe } from "./messages.ts";
import type { Session } from "./sessions.ts";

const KEEP_ALIVE_MS = 15_000;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** `GET /sse`: the stream of all answers, whose first event says where to send messages. */
export async function serveSse(context: HttpContext, { response, access }: Admitted): Promise<void> {
  const { sessions } = context;
  sessions.checkRoom(access.principal);
  response.setHeader("X-Accel-Buffering", "no");
  const transport = new SSEServerTransport("/messages", response);
  const server = context.createServer(access);
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    sessions.remove(transport.sessionId);
  };
  await server.connect(transport);
  endUnread(transport, response);
  const { settled } = trackReplies(transport);
  const serve: Session["serve"] = (exchange, body) =>
    transport.handlePostMessage(exchange.request, exchange.response, body);
  sessions.add(
    { id: transport.sessionId, access, serve, settled, close: () => server.close() },
    { stream: true },
  );
  const timer = setInterval(() => response.write(": keepalive\n\n"), KEEP_ALIVE_MS).unref();
  response.once("close", () => clearInterval(timer));
}

/** A client that asks and never reads would have its answers pile up here. */
function endUnread(transport: SSEServerTransport, response: ServerResponse): void {
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    await send(message);
  };
}

/** `POST /messages`: accepted here, answered on the stream. */
export async function serveMessage({ sessions, bodies }: HttpContext, exchange: Admitted): Promise<void> {
  const body = await readJson(bodies, exchange);
  exchange.asked = describe(body);
  await sessions.serve(exchange.query.get("sessionId") ?? "", exchange, body);
}
