import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import {
  type RequestId,
  WebStandardStreamableHTTPServerTransport as Transport,
} from "@modelcontextprotocol/server";
import { trackReplies } from "../replies.ts";
import type { HttpContext } from "./context.ts";
import { type AuthenticatedExchange, type Exchange, protocolRefusal } from "./exchange.ts";
import { isInitialize, readMessages, requestIds } from "./messages.ts";
import type { Session } from "./sessions.ts";

const BAD_REQUEST = -32000;
const INVALID_REQUEST = -32600;

/** `/mcp` with sessions: `initialize` opens one, later requests name it in a header. */
export async function serveStreamable(context: HttpContext, exchange: AuthenticatedExchange): Promise<void> {
  const { sessions, bodies } = context;
  const { request, response, access } = exchange;
  const id = request.headers["mcp-session-id"]?.toString();
  const body = request.method === "POST" ? await readMessages(bodies, exchange) : undefined;
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
    serve: (exchange, body) => {
      const ids = requestIds(body);
      const own = new Set(ids);
      if (own.size < ids.length || ids.some(replies.isPending))
        throw protocolRefusal(400, INVALID_REQUEST, "Invalid Request: this request id is already in use");
      posts.add(own);
      exchange.response.once("close", () => posts.delete(own));
      return answer(transport, exchange, body);
    },
  };
}

/** The only headers that the transport gets: no credentials. */
const HEADERS = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

/** The transport speaks the web's Request and Response. */
async function answer(transport: Transport, { request, response }: Exchange, body: unknown): Promise<void> {
  const { method = "GET", headers: sent } = request;
  const names = HEADERS.filter((name) => sent[name] !== undefined);
  const headers = Object.fromEntries(names.map((name) => [name, String(sent[name])]));
  const {
    status,
    headers: fields,
    body: stream,
  } = await transport.handleRequest(
    new Request("http://localhost/mcp", { method, headers }),
    body === undefined ? {} : { parsedBody: body },
  );
  const { connection: _, ...rest } = Object.fromEntries(fields);
  response.writeHead(status, rest);
  if (stream === null) return void response.end();
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(stream as ReadableStream), response);
  } catch {
    // The client left early, which has cancelled the stream.
  }
}
