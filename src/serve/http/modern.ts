import { randomUUID } from "node:crypto";
import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { REVISION } from "../../core/mcp/protocol.ts";
import { createListening, isListen, type ListenRequest } from "../../core/mcp/resources/listen.ts";
import { answerTypes, JSON_TYPE } from "./accept.ts";
import type { HttpContext } from "./context.ts";
import type { AuthenticatedExchange } from "./exchange.ts";
import type { Closable } from "./sessions.ts";
import { sendWeb, webRequest } from "./web.ts";

/** Whether a posted message claims to be of revision 2026-07-28 or later. Others get the answers of the older revisions. */
export function isModern({ request: { headers } }: AuthenticatedExchange, body: unknown): boolean {
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((field) =>
    headers[field]?.toString(),
  );
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  return outcome.kind === "reject" ? version === REVISION || hasEnvelope(body) : outcome.kind === "modern";
}

function hasEnvelope(body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { _meta?: object } | null };
  return Object.hasOwn(params?._meta ?? {}, PROTOCOL_VERSION_META_KEY);
}

/** The board calls a stream that says nothing for ten seconds lost. */
const KEEP_ALIVE_MS = 4000;

/** `/mcp` without a handshake: each request stands alone. */
export async function serveModern(
  context: HttpContext,
  exchange: AuthenticatedExchange,
  body: unknown,
): Promise<void> {
  const { createServer, log, answers, isRead } = context;
  const handler = createMcpHandler(() => createServer(exchange.access, "modern"), {
    legacy: "reject",
    keepAliveMs: KEEP_ALIVE_MS,
    ...(answerTypes(exchange.request).includes(JSON_TYPE) ? {} : { responseMode: "sse" as const }),
    onerror: (error) => log.debug(`protocol: ${error.message}`),
  });
  const left = new AbortController();
  exchange.response.once("close", () => {
    left.abort();
    void handler.close();
  });
  const request = webRequest(exchange, left.signal);
  if (isListen(body)) return listen(context, exchange, { handler, request, body });
  const end = isRead(body) ? await answers.begin() : undefined;
  try {
    if (!left.signal.aborted)
      await sendWeb(exchange, [await handler.fetch(request, { parsedBody: body })], { answers });
  } finally {
    end?.();
  }
}

interface Listen {
  handler: McpHttpHandler;
  request: Request;
  body: ListenRequest;
}

/** A stream of notifications takes the place of a session, and ends like one. Throws Refusal if there is no room. */
async function listen(
  { sessions, notes, answers }: HttpContext,
  exchange: AuthenticatedExchange,
  { handler, request, body }: Listen,
): Promise<void> {
  const { access, response } = exchange;
  sessions.checkRoom(access.principal);
  const { resourceUpdated, resourcesChanged } = handler.notify;
  const listening = createListening(notes, {
    updated: async (uri) => resourceUpdated(uri),
    listChanged: async () => resourcesChanged(),
  });
  const stream: Closable = { close: handler.close };
  response.once("close", () => {
    listening.close();
    stream.onclose?.();
  });
  const parsedBody = await listening.open(body);
  if (request.signal.aborted) return;
  const answer = await handler.fetch(request, { parsedBody });
  const nothing = async () => {};
  if (answer.headers.get("content-type") === "text/event-stream")
    sessions.add({ id: randomUUID(), access, server: stream, serve: nothing, drained: nothing }, 1);
  await sendWeb(exchange, [answer], { answers });
}
