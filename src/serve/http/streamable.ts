import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport as Transport } from "@modelcontextprotocol/server";
import { trackReplies } from "../../core/stdio/replies.ts";
import type { HttpContext } from "./context.ts";
import { type AuthenticatedExchange, protocolRefusal } from "./exchange.ts";
import { isInitialize, readMessages, requestIds } from "./messages.ts";
import { isModern, serveModern } from "./modern.ts";
import type { Session } from "./sessions.ts";
import { sendWeb, webRequest, whenRead } from "./web.ts";

const BAD_REQUEST = -32000;
const INVALID_REQUEST = -32600;
const MAX_BATCH = 100;

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
  const session = await openSession(context, exchange);
  response.once("close", () => sessions.has(session.id) || void session.server.close());
  await session.serve(exchange, body);
}

/** `/mcp` without sessions: a new server for each message, so that any replica can answer it. */
export async function serveStateless(context: HttpContext, exchange: AuthenticatedExchange): Promise<void> {
  const body = await readMessages(context.bodies, exchange);
  if (isModern(exchange, body)) return serveModern(context, exchange, body);
  const open = async () => {
    const transport = new Transport({});
    const server = context.createServer(exchange.access);
    exchange.response.once("close", () => void server.close());
    await server.connect(transport);
    return transport;
  };
  await answerAll(context, exchange, { body, open });
}

async function openSession(context: HttpContext, { access }: AuthenticatedExchange): Promise<Session> {
  const { sessions, createServer } = context;
  const id = randomUUID();
  const transport = new Transport({
    sessionIdGenerator: () => id,
    onsessioninitialized: () => sessions.add(session),
  });
  const server = createServer(access);
  await server.connect(transport);
  const session: Session = { id, access, server, ...conversation(transport, context) };
  return session;
}

/** Passes requests to the transport, and ends the streams of cancelled requests. */
function conversation(transport: Transport, context: HttpContext): Pick<Session, "serve" | "drained"> {
  // The transport would wait for the reply to a cancelled request forever.
  const replies = trackReplies(transport, (id) => transport.closeSSEStream(id));
  return {
    drained: replies.drained,
    serve: async (exchange, body) => {
      const ids = requestIds(body);
      if (new Set(ids).size < ids.length || ids.some(replies.isPending))
        throw protocolRefusal(400, INVALID_REQUEST, "Invalid Request: this request id is already in use");
      await answerAll(context, exchange, { body, open: async () => transport });
    },
  };
}

/** Answers a message, or those of a batch, each on the transport that `open` returns. */
async function answerAll(
  context: HttpContext,
  exchange: AuthenticatedExchange,
  { body, open }: { body: unknown; open: () => Promise<Transport> },
): Promise<void> {
  const isBatch = Array.isArray(body);
  if (isBatch && (body.length === 0 || body.length > MAX_BATCH)) {
    const message = `Invalid Request: a batch has 1 to ${MAX_BATCH} messages`;
    throw protocolRefusal(400, INVALID_REQUEST, message);
  }
  const request = webRequest(exchange);
  const answer = async (message: unknown) =>
    (await open()).handleRequest(request, message === undefined ? {} : { parsedBody: message });
  await sendWeb(exchange, oneByOne(exchange, body, { ...context, answer }), { ...context, isBatch });
}

type OneByOne = Pick<HttpContext, "answers" | "isRead"> & { answer(message: unknown): Promise<Response> };

/** For a batch as a whole, the transport would keep all answers until the last one. */
async function* oneByOne(
  { response }: AuthenticatedExchange,
  body: unknown,
  { answers, isRead, answer }: OneByOne,
): AsyncGenerator<Response> {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const end = isRead(message) ? await answers.begin() : undefined;
    try {
      if (response.req.socket.destroyed) return;
      yield await answer(message);
    } finally {
      end?.();
    }
    if (messages.length > 1) await whenRead(response);
  }
}
