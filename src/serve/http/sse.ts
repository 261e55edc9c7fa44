import type { RequestId } from "@modelcontextprotocol/server";
import { trackReplies } from "../../core/stdio/replies.ts";
import type { HttpContext } from "./context.ts";
import type { AuthenticatedExchange } from "./exchange.ts";
import { readMessages, requestIds } from "./messages.ts";
import { SseTransport } from "./sse-transport.ts";

const KEEP_ALIVE_MS = 15_000;

/** `GET /sse`: the stream of all answers; its first event names the path for messages. */
export async function serveSse(
  { sessions, createServer, answers, isRead }: HttpContext,
  { response, access }: AuthenticatedExchange,
): Promise<void> {
  sessions.checkRoom(access.principal);
  response.setHeader("X-Accel-Buffering", "no");
  const transport = new SseTransport("/messages", response);
  const server = createServer(access);
  await server.connect(transport);
  limitUnread(transport, () => answers.makeRoom(access.principal));
  answers.open(response, access.principal);
  const turns = new Map<RequestId, () => void>();
  const finish = (id: RequestId) => {
    turns.get(id)?.();
    turns.delete(id);
  };
  const { drained, isPending } = trackReplies(transport, finish);
  const serve = async (exchange: AuthenticatedExchange, body: unknown) => {
    const [id] = isRead(body) ? requestIds(body) : [];
    if (id === undefined || turns.has(id)) return transport.receive(exchange, body);
    turns.set(id, await answers.begin());
    if (!response.destroyed) transport.receive(exchange, body);
    else exchange.response.writeHead(404).end();
    if (response.destroyed || !isPending(id)) finish(id);
  };
  sessions.add({ id: transport.sessionId, access, server, drained, serve }, 1);
  const timer = setInterval(() => response.write(": keepalive\n\n"), KEEP_ALIVE_MS).unref();
  response.once("close", () => {
    clearInterval(timer);
    for (const id of [...turns.keys()]) finish(id);
  });
}

function limitUnread(transport: SseTransport, makeRoom: () => void): void {
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    makeRoom();
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
