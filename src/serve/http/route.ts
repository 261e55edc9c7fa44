import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpConfig } from "../../core/config/http.ts";
import { seeing } from "../../core/history/sight.ts";
import type { Log } from "../../core/lib/log.ts";
import type { Access } from "./authenticate.ts";
import { serveBoard } from "./board.ts";
import type { HttpContext, Route, Routes } from "./context.ts";
import { type Exchange, Refusal, refusal, sendJson } from "./exchange.ts";
import { allowOrigin, checkSource } from "./guard.ts";
import { serveHealth } from "./health.ts";
import { countFailedLogin } from "./limits.ts";
import { LOGIN } from "./login-route.ts";
import { serveMessage, serveSse } from "./sse.ts";
import { serveStateless, serveStreamable } from "./streamable.ts";

const HEALTH: Route = { methods: ["GET", "HEAD"], open: true, serve: serveHealth };

const BOARD: Routes = {
  "/": { methods: ["GET", "HEAD"], open: true, serve: serveBoard },
  "/login": LOGIN,
};

const WITH_SESSIONS: Routes = {
  "/mcp": { methods: ["GET", "POST", "DELETE"], serve: serveStreamable },
  "/sse": { methods: ["GET"], serve: serveSse },
  "/messages": { methods: ["POST"], serve: serveMessage },
  "/health": HEALTH,
};

const WITHOUT_SESSIONS: Routes = {
  "/mcp": { methods: ["POST"], serve: serveStateless },
  "/health": HEALTH,
};

/** The routes that do not depend on how clients log in. */
export function routesOf({ stateless, board }: Pick<HttpConfig, "stateless" | "board">): Routes {
  return { ...(board && BOARD), ...(stateless ? WITHOUT_SESSIONS : WITH_SESSIONS) };
}

/** Answers a request: checks its source, route and credential, then runs the route. Never throws. */
export async function handle(
  context: HttpContext,
  exchange: Exchange,
  admit: (access: Access) => void,
): Promise<void> {
  const { request, response } = exchange;
  try {
    if (context.stop.aborted) throw refusal(503, "The server is stopping.", { Connection: "close" });
    checkSource(request, context.config);
    if (allowOrigin(request, response, context.config)) return;
    const route = findRoute(context, exchange);
    if (route.open) return await route.serve(context, exchange);
    const access = authenticate(context, exchange);
    exchange.token = access.token;
    admit(access);
    await seeing(access.projects, () => route.serve(context, Object.assign(exchange, { access })));
  } catch (error) {
    answerError(context.log, response, error);
  }
}

function findRoute({ config, routes }: HttpContext, { request, path }: Exchange): Route {
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined)
    throw refusal(404, `Not found. This server has: ${Object.keys(routesOf(config)).join(", ")}.`);
  if (route.methods.includes(request.method ?? "")) return route;
  const methods = route.methods.join(", ");
  throw refusal(405, `${path} takes ${methods}.`, { Allow: methods });
}

/** A valid credential always works: one guesser must not lock out clients that share its address. */
function authenticate(
  { authenticator, failedLogin, log }: HttpContext,
  { request, address }: Exchange,
): Access {
  const access = authenticator.authenticate(request);
  if (access !== undefined) return access;
  if (authenticator.isGuess(request)) countFailedLogin(failedLogin, address);
  log.debug("a request without a valid token", { from: address });
  throw refusal(401, "Invalid or missing authentication token", {
    "WWW-Authenticate": authenticator.challenge(request),
  });
}

function answerError(log: Log, response: ServerResponse, error: unknown): void {
  const answer = error instanceof Refusal ? error : refusal(500, "The server met an unexpected error.");
  if (answer !== error) log.error(`unexpected: ${error instanceof Error ? error.stack : String(error)}`);
  if (response.headersSent) response.destroy();
  else sendJson(response, answer.status, answer);
}

const MAX_ADDRESS_CHARS = 45;

/** A trusted proxy names the client's address and may set the id of the request. */
export function describeExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { trustProxy }: { trustProxy: boolean },
): Exchange {
  const [path = "", query = ""] = (request.url ?? "").split(/\?(.*)/s);
  const headers = trustProxy ? request.headers : {};
  const forwarded = headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim();
  const sentId = headers["x-request-id"]?.toString() ?? "";
  const id = /^[\w.-]{1,64}$/.test(sentId) ? sentId : randomBytes(8).toString("hex");
  response.setHeader("X-Request-Id", id);
  // Log, session, body and stream each add a listener.
  response.setMaxListeners(0);
  return {
    request,
    response,
    id,
    path: path.replace(/(?<=.)\/$/, ""),
    query: new URLSearchParams(query),
    address: (forwarded || request.socket.remoteAddress || "unknown").slice(0, MAX_ADDRESS_CHARS),
  };
}

const CLIENT_LEFT = 499;

/** One line for each answered request, without token, query or text; unknown paths are not shown. */
export function logAccess({ log, routes }: Pick<HttpContext, "log" | "routes">, exchange: Exchange): void {
  const { request, response, path, address, id } = exchange;
  const start = performance.now();
  response.once("close", () => {
    const shown = Object.hasOwn(routes, path) ? path : "(other)";
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    const ms = Math.round(performance.now() - start);
    const write = path === "/health" && status === 200 ? log.debug : log.info;
    write(`${request.method} ${shown}`, {
      status,
      ms,
      from: address,
      id,
      asked: exchange.methods,
      by: exchange.token,
    });
  });
}
