import type { Route, Routes } from "../http/context.ts";
import { sendJson } from "../http/exchange.ts";
import { OAuthError } from "./parameters.ts";

/** `write` includes reading. */
export type Scope = "read" | "write";

/** The authorization server as clients see it. */
export interface Issuer {
  /** Without a trailing slash; also the issuer's name. */
  origin: string;
  /** The MCP endpoints that tokens are for; the first is the default. */
  resources: readonly string[];
  /** Only `read` for a read-only server. */
  scopes: readonly string[];
  /** The name of the workspace. */
  name: string;
}

/** The widest known scope in a list; all if there is no list. Throws OAuthError. */
export function scopeOf(text: string | undefined, { scopes }: Pick<Issuer, "scopes">): Scope {
  const words = text?.split(" ") ?? scopes;
  const matches = scopes.filter((scope) => words.includes(scope));
  if (matches.length === 0)
    throw new OAuthError("invalid_scope", `The scopes of this server are ${scopes.join(" and ")}.`);
  return matches.includes("write") ? "write" : "read";
}

/** The endpoint a token is for (RFC 8707). Throws OAuthError. */
export function resourceOf(text: string | undefined, { resources }: Pick<Issuer, "resources">): string {
  const resource = resources.find((one) => text === undefined || text.replace(/\/$/, "") === one);
  if (resource !== undefined) return resource;
  throw new OAuthError("invalid_target", `The resource must be ${resources.join(" or ")}.`);
}

/** RFC 9728, at the root and for each endpoint. */
function resourceMetadata({ origin, scopes, name }: Issuer, resource: string): object {
  return {
    resource,
    authorization_servers: [origin],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_name: `vibe-mcp: ${name}`,
  };
}

/** RFC 8414. */
function serverMetadata({ origin, scopes }: Issuer): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

const [RESOURCE, SERVER, OPENID] = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
];

/** The metadata URL of the endpoint of a request. */
export function metadataUrl({ origin, resources }: Issuer, path: string): string {
  const older = ["/sse", "/messages"].includes(path) && resources.includes(`${origin}/sse`);
  return `${origin}${RESOURCE}${older ? "/sse" : "/mcp"}`;
}

/** Clients try several places: the name alone, before or after the endpoint's path. */
export function metadataRoutes(issuer: Issuer): Routes {
  const { origin, resources } = issuer;
  const ofServer = document(serverMetadata(issuer));
  const paths = resources.map((resource) => resource.slice(origin.length));
  const suffixed = paths.map(
    (path) => [`${RESOURCE}${path}`, document(resourceMetadata(issuer, `${origin}${path}`))] as const,
  );
  const servers = [SERVER, OPENID].flatMap((name) => [
    name,
    ...paths.flatMap((path) => [`${name}${path}`, `${path}${name}`]),
  ]);
  return Object.fromEntries([
    [RESOURCE, document(resourceMetadata(issuer, resources[0] ?? origin))],
    ...suffixed,
    ...servers.map((path) => [path, ofServer] as const),
  ]);
}

function document(body: object): Route {
  return {
    methods: ["GET", "HEAD"],
    open: true,
    serve: (_, { response }) => sendJson(response, 200, { body }),
  };
}
