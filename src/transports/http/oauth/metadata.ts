import type { Route, Routes } from "../context.ts";
import { sendJson } from "../reply.ts";

/** The server as its clients know it. */
export interface Place {
  /** Without a slash at its end: also the name of the issuer. */
  origin: string;
  /** What tokens are for: the addresses that speak the protocol, the first where a client names none. */
  resources: readonly string[];
  /** Of a server that reads alone, `read`. */
  scopes: readonly string[];
  /** The workspace, for people. */
  name: string;
}

/** RFC 9728, at the root and for each address that speaks the protocol. */
function resourceMetadata({ origin, scopes, name }: Place, resource: string): object {
  return {
    ...{ resource, authorization_servers: [origin], scopes_supported: scopes },
    ...{ bearer_methods_supported: ["header"], resource_name: `vibe-mcp: ${name}` },
  };
}

/** RFC 8414. */
function serverMetadata({ origin, scopes }: Place): object {
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

/** Where the metadata of the address stands that a request was for. */
export function metadataUrl({ origin, resources }: Place, path: string): string {
  const older = ["/sse", "/messages"].includes(path) && resources.includes(`${origin}/sse`);
  return `${origin}${RESOURCE}${older ? "/sse" : "/mcp"}`;
}

/** Clients look in several places: with the path of what they connect to behind, or before, or without. */
export function metadataRoutes(place: Place): Routes {
  const { origin, resources } = place;
  const ofServer = document(serverMetadata(place));
  const paths = resources.map((resource) => resource.slice(origin.length));
  const suffixed = paths.map(
    (path) => [`${RESOURCE}${path}`, document(resourceMetadata(place, `${origin}${path}`))] as const,
  );
  const servers = [SERVER, OPENID].flatMap((name) => [
    name,
    ...paths.flatMap((path) => [`${name}${path}`, `${path}${name}`]),
  ]);
  return Object.fromEntries([
    [RESOURCE, document(resourceMetadata(place, resources[0] ?? origin))],
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
