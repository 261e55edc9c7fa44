import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { type HttpConfig, isLoopback } from "../../core/config/http.ts";
import { type Refusal, refusal } from "./exchange.ts";

const MAX_PORT = 65_535;

type Allowed = Pick<HttpConfig, "host" | "allowedHosts" | "allowedOrigins" | "oauth">;

/**
 * Throws Refusal for requests that a web page could make a browser send: to a name that points to this machine (DNS rebinding),
 * or from an origin that is not allowed. IP addresses need no check: they cannot be pointed elsewhere.
 */
export function checkSource({ headers }: IncomingMessage, allowed: Allowed): void {
  const host = headers.host ?? "";
  const [, sent = "", port = ""] = /^(\[[^\]]+\]|[^:]*)(?::(\d*))?$/.exec(host) ?? [];
  const name = Number(port) > MAX_PORT ? "" : sent.toLowerCase();
  if (!isOwnName(name, allowed))
    throw forbidden(
      "The Host header does not name this server. Its operator can allow it with --allowed-host.",
    );
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host, allowed) && !allowed.allowedOrigins.includes(origin))
    throw forbidden(
      "Web pages of this Origin may not call this server. Its operator can allow it with --allowed-origin.",
    );
  if (origin === undefined && isEmbedded(headers))
    throw forbidden("Web pages of other sites may not load anything from this server.");
}

/** Whether a page of this server sent a request. Browsers leave Sec-Fetch-Site out over plain HTTP from another machine. */
export function isOwnPage({ headers }: IncomingMessage, allowed: Allowed): boolean {
  const { origin, host = "", "sec-fetch-site": site } = headers;
  if (site !== undefined) return site === "same-origin";
  return origin !== undefined && isOwnOrigin(origin, host, allowed);
}

function forbidden(message: string): Refusal {
  return refusal(403, message);
}

/** Images, scripts and frames on another site's page: browsers send no Origin for them, and each could hold a stream open. */
function isEmbedded({ "sec-fetch-site": site, "sec-fetch-dest": dest }: IncomingHttpHeaders): boolean {
  return (site === "cross-site" || site === "same-site") && dest !== "document";
}

function isOwnName(name: string, { host, allowedHosts }: Allowed): boolean {
  if (isLoopback(name) || allowedHosts.includes(name)) return true;
  if (isLoopback(host)) return false;
  return name === host.toLowerCase() || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Behind a proxy that rewrites Host, only the public URL says what the origin of the consent page is. */
function isOwnOrigin(origin: string, host: string, { oauth }: Allowed): boolean {
  if (origin === oauth) return true;
  return /^https?:\/\//.test(origin) && origin.replace(/^https?:\/\//, "") === host.toLowerCase();
}

const CORS_HEADERS =
  "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";

/** Lets pages of an allowed origin read the answer; true if the request was a preflight, which is now answered. */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, allowed: Allowed): boolean {
  const { origin = "" } = request.headers;
  if (allowed.allowedOrigins.length > 0) response.setHeader("Vary", "Origin");
  if (!allowed.allowedOrigins.includes(origin)) return false;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate, X-Request-Id");
  if (request.method !== "OPTIONS") return false;
  response
    .writeHead(204, {
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      "Access-Control-Allow-Headers": CORS_HEADERS,
      "Access-Control-Max-Age": "600",
    })
    .end();
  return true;
}
