import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport as Transport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import { trackReplies } from "../replies.ts";
import { readJson } from "./body.ts";
import type { HttpContext } from "./context.ts";
import type { Admitted } from "./exchange.ts";
import { describe, isInitialize, requestIds } from "./messages.ts";
import { protocolRefusal } from "./reply.ts";
import type { Session } from "./sessions.ts";
import { answerByWeb } from "./web.ts";

const BAD_REQUEST = -32000;
const INVALID_REQUEST = -32600;

/** `/mcp` with sessions: the first request opens one, the others name it in a header. */
export async function serveStreamable(context: HttpContext, exchange: Admitted): Promise<void> {
  const id = exchange.request.headers["mcp-session-id"]?.toString();
  const body = exchange.request.method === "POST" ? await readMessage(context, exchange) : undefined;
  if (id !== undefined && !(isInitialize(body) && !context.sessions.has(id)))
    return context.sessions.serve(id, exchange, body);
  if (!isInitialize(body))
    throw protocolRefusal(400, BAD_REQUEST, "Bad Request: Mcp-Session-Id is missing. Send initialize first.");
  context.sessions.checkRoom(exchange.access.principal);
  const { session, isOpen } = await openSession(context, exchange);
  exchange.response.once("close", () => isOpen() || void session.close());
  await session.serve(exchange, body);
}

/** `/mcp` without sessions: a server for each request, as any replica can give it. */
export async function serveStateless(context: HttpContext, exchange: Admitted): Promise<void> {
  const body = await readMessage(context, exchange);
  const { session } = await openSession(context, exchange, { stateless: true });
  exchange.response.once("close", () => void session.close());
  await session.serve(exchange, body);
}

async function readMessage({ bodies }: HttpContext, exchange: Admitted): Promise<unknown> {
  const body = await readJson(bodies, exchange);
  exchange.asked = describe(body);
  return body;
}

interface Opened {
  session: Session;
  /** Whether the client's greeting was accepted. */
  isOpen: () => boolean;
}

async function openSession(
  { sessions, createServer }: HttpContext,
  { access }: Admitted,
  { stateless } = { stateless: false },
): Promise<Opened> {
  const id = randomUUID();
  const options = stateless
    ? {}
    : { sessionIdGenerator: () => id, onsessioninitialized: () => sessions.add(session) };
  const transport = new Transport(options);
  const server = createServer(access);
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    sessions.remove(id);
  };
  await server.connect(transport);
  const { serve, settled } = conversation(transport);
  const session: Session = { id, access, serve, settled, close: () => server.close() };
  return { session, isOpen: () => sessions.has(id) };
}

/** Passes requests to the transport, and ends the answers for which it would wait for ever. */
function conversation(transport: Transport): Pick<Session, "serve" | "settled"> {
  /** The requests of each open POST that are owed a reply. */
  const waiting = new Set<Set<RequestId>>();
  // A cancelled request gets no reply: its stream ends without.
  const replies = trackReplies(transport, (id) => {
    for (const ids of waiting) if (ids.delete(id) && ids.size === 0) transport.closeSSEStream(id);
  });
  return {
    settled: () => replies.settled(),
    serve: (exchange, body) => {
      const ids = requestIds(body);
      const own = new Set(ids);
      if (own.size < ids.length || ids.some((id) => replies.owes(id)))
        throw protocolRefusal(400, INVALID_REQUEST, "Invalid Request: the id of a request is in use already");
      waiting.add(own);
      exchange.response.once("close", () => waiting.delete(own));
      const parsed = body === undefined ? {} : { parsedBody: body };
      return answerByWeb(exchange.request, exchange.response, (request) =>
        transport.handleRequest(request, parsed),
      );
    },
  };
}
