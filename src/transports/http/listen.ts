import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "../../config.ts";
import { errorCode } from "../../files/errors.ts";
import type { HttpConfig } from "../../http-config.ts";
import type { Log } from "../../lib/log.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Authenticator, knownTokens, openToAll, tokenAuthenticator } from "./authenticate.ts";
import { createBodies } from "./bodies.ts";
import { boundConnections } from "./connections.ts";
import type { HttpContext, Routes } from "./context.ts";
import { createHealth } from "./health.ts";
import type { OAuthWorld } from "./oauth/oauth.ts";
import { describeExchange, handle, logAccess, routesOf } from "./route.ts";
import { createSessions } from "./sessions.ts";
import { createThrottle } from "./throttle.ts";

export interface HttpOptions {
  config: HttpConfig;
  workspace: Workspace;
  log: Log;
  version: string;
  readOnly: boolean;
  createServer: HttpContext["createServer"];
  /** The time and the web, as logging in by OAuth sees them. */
  oauth: OAuthWorld;
  /** Aborted by a signal of the operating system. */
  stop: AbortSignal;
}

/** A client that is slower than this is none; a stream is kept alive by comments, a kept connection by its next request. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2000,
};
/** Of silence in both directions. */
const SILENCE_MS = 120_000;
/** Replies that are owed when the server ends are given this long: less than what supervisors wait before they kill. */
const GRACE_MS = 8000;
const MAX_SWEEP_MS = 15_000;

/** Serves until `stop` is aborted; what was accepted by then is still answered. Throws UsageError when it cannot listen. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  const { config, stop } = options;
  const context = await createContext(options);
  const server = createServer(TIMEOUTS);
  server.timeout = SILENCE_MS;
  const admit = boundConnections(server);
  server.on("request", (request, response) => {
    const exchange = describeExchange(request, response, config);
    logAccess(context, exchange);
    void handle(context, exchange, ({ principal }) => admit(request.socket, principal));
  });
  await listen(server, config);
  announce(server, options);
  context.health.refresh();
  const sweep = Math.min(MAX_SWEEP_MS, config.sessionIdle / 2);
  const timer = setInterval(() => context.sessions.sweep(), sweep).unref();
  if (!stop.aborted) await once(stop, "abort");
  clearInterval(timer);
  await close(server, context);
}

async function createContext(options: HttpOptions): Promise<HttpContext> {
  const { config, workspace, log, version, readOnly, createServer, stop } = options;
  const login = await chooseLogin(options);
  const now = () => performance.now();
  return {
    config,
    log,
    ...login,
    createServer,
    stop,
    failedLogin: createThrottle(now),
    sessions: createSessions(config, now, login.authenticator),
    bodies: createBodies(),
    health: createHealth({ workspace, log, version, readOnly }),
  };
}

interface Login {
  authenticator: Authenticator;
  routes: Routes;
}

async function chooseLogin({ config, workspace, log, readOnly, oauth }: HttpOptions): Promise<Login> {
  const routes = routesOf(config);
  if (config.tokens.length === 0 && config.tokenFile === undefined)
    return { authenticator: openToAll, routes };
  const known = knownTokens(config, log);
  if (config.oauth === undefined) return { authenticator: tokenAuthenticator(known), routes };
  const { openOAuth } = await import("./oauth/oauth.ts");
  const { root } = workspace;
  const server = { origin: config.oauth, root, stateless: config.stateless, readOnly, log };
  const login = await openOAuth(server, known, oauth);
  return { authenticator: login.authenticator, routes: { ...routes, ...login.routes } };
}

const LISTEN_ERRORS = new Map([
  ["EADDRINUSE", "another program listens there already: choose another with --port"],
  ["EADDRNOTAVAIL", "this machine has no such address: see --host"],
  ["ENOTFOUND", "no address is known by this name: see --host"],
  ["EACCES", "the permission is missing: ports below 1024 often need it"],
]);

async function listen(server: HttpServer, { port, host }: HttpConfig): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const reason = LISTEN_ERRORS.get(errorCode(error)) ?? "the system refused it";
    throw new UsageError(`cannot listen on ${shownHost(host)}:${port}: ${reason}`);
  }
}

function announce(server: HttpServer, { config, log }: HttpOptions): void {
  const { port } = server.address() as AddressInfo;
  log.info(`listening on http://${shownHost(config.host)}:${port}/mcp`);
  if (config.oauth !== undefined) log.info(`clients log in by OAuth at ${config.oauth}/mcp`);
  if (config.tokens.length === 0 && config.tokenFile === undefined)
    log.warn("no token is set: every program on this machine may read and write (VIBE_AUTH_TOKEN sets one)");
  server.on("error", (error) => log.error(`the server socket: ${error.message}`));
}

function shownHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Takes nothing new, answers what is owed, then ends the streams that would stay open for ever. */
async function close(server: HttpServer, { sessions, log }: HttpContext): Promise<void> {
  log.info("stopping");
  const closed = once(server, "close");
  server.close();
  const grace = sleep(GRACE_MS, undefined, { ref: false });
  await Promise.race([sessions.settled(), grace]);
  await sessions.close();
  await Promise.race([closed, grace]);
  server.closeAllConnections();
}
