import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpConfig } from "../../core/config/http.ts";
import { UsageError } from "../../core/config/options.ts";
import { newSession } from "../../core/history/actor.ts";
import type { LogFields } from "../../core/lib/log.ts";
import { createServer, type ServerOptions } from "../../core/mcp/server.ts";
import { errorCode } from "../../core/storage/fs-errors.ts";
import type { OAuthEnvironment } from "../oauth/oauth.ts";
import { createAnswers } from "./answers.ts";
import { type Credential, openCredentials, openToAll, tokenAuthenticator } from "./authenticate.ts";
import { createBodies } from "./body.ts";
import type { HttpContext, Routes } from "./context.ts";
import { createHealth } from "./health.ts";
import { createThrottle, limitConnections } from "./limits.ts";
import { isRead } from "./messages.ts";
import { describeExchange, handle, logAccess, routesOf } from "./route.ts";
import { createSessions } from "./sessions.ts";

export interface HttpOptions {
  config: HttpConfig;
  server: Omit<ServerOptions, "notify" | "caller">;
  oauth: OAuthEnvironment;
  /** Beside those that every server has. */
  routes?: Routes;
  /** Aborted by a signal of the operating system. */
  stop: AbortSignal;
  /** Called once clients can connect, with `http://127.0.0.1:8080`. */
  listening?(origin: string): void;
}

/** No real client is slower than this. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2000,
};
/** Without a byte in either direction. */
const SILENCE_MS = 120_000;
/** For pending replies when the server stops: shorter than supervisors wait before they kill. */
const GRACE_MS = 8000;
const MAX_SWEEP_MS = 15_000;

/** Serves until `stop` is aborted, then still answers accepted requests. Throws UsageError if it cannot listen. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  const { config, stop } = options;
  const context = await createContext(options);
  const server = createHttpServer(TIMEOUTS);
  server.timeout = SILENCE_MS;
  const admit = limitConnections(server);
  server.on("request", (request, response) => {
    const exchange = describeExchange(request, response, config);
    logAccess(context, exchange);
    void handle(context, exchange, ({ principal }) => admit(request.socket, principal));
  });
  await listen(server, config);
  announce(server, options, context);
  context.health();
  const sweep = Math.min(MAX_SWEEP_MS, config.sessionIdle / 2);
  const timer = setInterval(() => context.sessions.sweep(), sweep).unref();
  if (!stop.aborted) await once(stop, "abort");
  clearInterval(timer);
  await close(server, context);
}

async function createContext(options: HttpOptions): Promise<HttpContext> {
  const { config, server, stop } = options;
  const login = await openLogin(options);
  const now = () => performance.now();
  const notify = !config.stateless;
  return {
    config,
    log: server.log,
    stop,
    ...login,
    notes: server.notes,
    createServer: ({ readOnly, isPerson = false, token, projects }, era) => {
      const session = notify && era !== "modern" ? newSession() : undefined;
      const caller = { isPerson, token, session };
      const offered = projects === undefined ? server : withoutWhole(server);
      const options = { ...offered, notify, caller, readOnly: server.readOnly || readOnly };
      const ofClient = createServer(options, era);
      ofClient.onclose = () => {
        if (session !== undefined) session.isOver = true;
      };
      return ofClient;
    },
    failedLogin: createThrottle(now),
    sessions: createSessions(config, now, login.authenticator),
    bodies: createBodies(),
    answers: createAnswers(),
    isRead: (message) => isRead(message, server.api.tools),
    health: createHealth(server),
  };
}

/** Who sees some projects gets no tool that is of no project, or makes one, and no lines of the log. */
function withoutWhole(server: HttpOptions["server"]): HttpOptions["server"] {
  const { api, log } = server;
  const tools = api.tools.filter(({ name }) => !/^vault_|init_project$/.test(name));
  return { ...server, api: { ...api, tools }, log: { ...log, hear: () => () => {} } };
}

async function openLogin({
  config,
  server: { notes, readOnly, log },
  oauth,
  routes: others,
}: HttpOptions): Promise<Pick<HttpContext, "authenticator" | "credentials" | "routes">> {
  const routes = { ...routesOf(config), ...others };
  if (!hasToken(config)) return { authenticator: openToAll(), credentials: () => [], routes };
  const credentials = openCredentials(config, log);
  if (config.oauth === undefined)
    return { authenticator: tokenAuthenticator(credentials), credentials, routes };
  const { openOAuth } = await import("../oauth/oauth.ts");
  const options = {
    origin: config.oauth,
    root: notes.workspace.root,
    stateless: config.stateless,
    readOnly,
    log,
  };
  const login = await openOAuth(options, credentials, oauth);
  return { authenticator: login.authenticator, credentials, routes: { ...routes, ...login.routes } };
}

const LISTEN_ERRORS = new Map([
  ["EADDRINUSE", "another program is already listening there: choose another port with --port"],
  ["EADDRNOTAVAIL", "this machine has no such address: see --host"],
  ["ENOTFOUND", "this name has no address: see --host"],
  ["EACCES", "permission denied: ports below 1024 often need privileges"],
]);

async function listen(server: HttpServer, { port, host }: Pick<HttpConfig, "port" | "host">): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    const reason = LISTEN_ERRORS.get(errorCode(error)) ?? "the system refused it";
    throw new UsageError(`cannot listen on ${bracketed(host)}:${port}: ${reason}`);
  }
}

function announce(
  http: HttpServer,
  { config, server: { notes }, listening }: HttpOptions,
  { log, credentials }: HttpContext,
): void {
  const { port } = http.address() as AddressInfo;
  log.info(`serving ${notes.workspace.root}`, loginOf(config, credentials()));
  const origin = `http://${bracketed(config.host)}:${port}`;
  log.info(`listening on ${origin}/mcp`);
  if (config.board) log.info(`the board is at ${origin}/`);
  if (!hasToken(config))
    log.warn("no token is set: every program on this machine may read and write (set VIBE_AUTH_TOKEN)");
  http.on("error", (error) => log.error(`the server socket: ${error.message}`));
  listening?.(origin);
}

function loginOf({ tokenFile, oauth }: HttpConfig, tokens: readonly Credential[]): LogFields {
  const readOnly = tokens.filter((token) => token.readOnly).length;
  return {
    tokens: tokens.length - readOnly,
    read_only_tokens: readOnly,
    token_file: tokenFile ?? "none",
    oauth: oauth === undefined ? "off" : `${oauth}/mcp`,
  };
}

function hasToken({ tokens, tokenFile }: HttpConfig): boolean {
  return tokens.length > 0 || tokenFile !== undefined;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Accepts nothing new, sends pending replies, then ends the streams that would stay open forever. */
async function close(server: HttpServer, { sessions, log }: HttpContext): Promise<void> {
  log.info("stopping");
  const closed = once(server, "close");
  server.close();
  const grace = sleep(GRACE_MS, undefined, { ref: false });
  await Promise.race([sessions.drained(), grace]);
  await sessions.close();
  await Promise.race([closed, grace]);
  server.closeAllConnections();
}
