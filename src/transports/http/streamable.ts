import { randomUUID } from "node:crypto";
import {
  type RequestId,
  WebStandardStreamableHTTPServerTransport as Transport,
} from "@modelcontextprotocol/server";
import { trackReplies } from "../replies.ts";
import type { HttpContext } from "./context.ts";
import { type AuthenticatedExchange, protocolRefusal } from "./exchange.ts";
import { isInitialize, readMessages, requestIds } from "./messages.ts";
import { isModern, serveModern } from "./modern.ts";
import type { Session } from "./sessions.ts";
import { sendWeb, webRequest } from "./web.ts";

const BAD_REQUEST = -32000;
const INVALID_REQUEST = -32600;

/** `/mcp` with sessions for older revisions: `initialize` opens one, later requests name it in a header. */
export async function serveStreamable(context: HttpContext, exchange: AuthenticatedExchange): Promise<void> {
  const { sessions, bodies } = context;
  const { request, response, access } = exchange;
  const id = request.headers["mcp-session-id"]?.toString();
  const body = request.method === "POST" ? await readMessages(bodies, exchange) : undefined;
  if (request.method === "POST" && isModern(exchange, body)) return serveModern(context, exchange, body);
  if (id !== undefined && !(isInitialize(body) && !sessions.has(id)))
    return sessions.serve(id, exchange, body);
  if (!isInitialize(body))
    throw protocolRefusal(400, BAD_REQUEST, "Bad Request: Mcp-Session-Id is missing. Send initialize first.");
  sessions.checkRoom(access.principal);
  const session = await openSession(context, exchange, { stateless: false });
  response.once("close", () => sessions.has(session.id) || void session.server.close());
  await session.serve(exchange, body);
}

/** `/mcp` without sessions: a new server for each request, so that any replica can answer it. */
export async function serveStateless(context: HttpContext, exchange: AuthenticatedExchange): Promise<void> {
  const body = await readMessages(context.bodies, exchange);
  if (isModern(exchange, body)) return serveModern(context, exchange, body);
  const session = await openSession(context, exchange, { stateless: true });
  exchange.response.once("close", () => void session.server.close());
  await session.serve(exchange, body);
}

async function openSession(
  { sessions, createServer }: HttpContext,
  { access }: AuthenticatedExchange,
  { stateless }: { stateless: boolean },
): Promise<Session> {
  const id = randomUUID();
  const options = { sessionIdGenerator: () => id, onsessioninitialized: () => sessions.add(session) };
  const transport = new Transport(stateless ? {} : options);
  const server = createServer(access);
  await server.connect(transport);
  const session: Session = { id, access, server, ...conversation(transport) };
  return session;
}

/** Passes requests to the transport, and ends the streams of cancelled requests. */
function conversation(transport: Transport): Pick<Session, "serve" | "drained"> {
  /** The pending requests of each open POST. */
  const posts = new Set<Set<RequestId>>();
  // The transport would wait for the reply to a cancelled request forever.
  const replies = trackReplies(transport, (id) => {
    for (const ids of posts) if (ids.delete(id) && ids.size === 0) transport.closeSSEStream(id);
  });
  return {
    drained: replies.drained,
    serve: async (exchange, body) => {
      const ids = requestIds(body);
      const own = new Set(ids);
      if (own.size < ids.length || ids.some(replies.isPending))
        throw protocolRefusal(400, INVALID_REQUEST, "Invalid Request: this request id is already in use");
      posts.add(own);
      exchange.response.once("close", () => posts.delete(own));
      const options = body === undefined ? {} : { parsedBody: body };
      await sendWeb(exchange, await transport.handleRequest(webRequest(exchange), options));
    },
  };
}
