import { basename } from "node:path";
import type { Log } from "../../core/lib/log.ts";
import { updateState } from "../../core/storage/state.ts";
import {
  type Authenticator,
  bearerToken,
  type Credentials,
  tokenAuthenticator,
} from "../http/authenticate.ts";
import type { Routes } from "../http/context.ts";
import { createClientDocuments } from "./client-documents.ts";
import { type Consent, serveConsent } from "./consent.ts";
import { createDocumentReader, type ReadDocument } from "./document-reader.ts";
import { type Grants, openGrants } from "./grants.ts";
import { type Issuer, metadataRoutes, metadataUrl } from "./metadata.ts";
import { createSeals } from "./seal.ts";
import { GRANTS_FILE, type Update } from "./steps.ts";
import { serveRegistration, serveToken } from "./token.ts";

export interface OAuthEnvironment {
  /** Epoch milliseconds. */
  now: () => number;
  /** Reads the metadata documents of clients (default: from the web). */
  readDocument?: ReadDocument;
}

interface Options {
  /** Without a trailing slash. */
  origin: string;
  /** The workspace's folder. */
  root: string;
  stateless: boolean;
  readOnly: boolean;
  log: Log;
}

/**
 * An authorization server without a list of clients: everything it issues is signed with keys derived from the tokens. It only
 * saves how far each grant has come, so that a used or revoked code or token stays invalid.
 */
export async function openOAuth(
  options: Options,
  credentials: Credentials,
  { now, readDocument = createDocumentReader() }: OAuthEnvironment,
): Promise<{ authenticator: Authenticator; routes: Routes }> {
  const { root, readOnly, log } = options;
  const issuer = issuerOf(options);
  const seals = createSeals(credentials);
  const update: Update = (change) => updateState(root, GRANTS_FILE, change);
  if (readOnly) log.warn("--read-only saves no logins: clients log in by OAuth again after each restart");
  const saved = readOnly ? undefined : update;
  const grants = await openGrants(issuer, { seals, credentials, now, log, update: saved });
  const documents = createClientDocuments(readDocument, now);
  const consent: Consent = { issuer, grants, seals, credentials, documents };
  const authenticator = oauthAuthenticator(tokenAuthenticator(credentials), grants, issuer);
  const routes: Routes = {
    ...metadataRoutes(issuer),
    "/authorize": {
      methods: ["GET", "POST"],
      open: true,
      serve: (context, exchange) => serveConsent(context, exchange, consent),
    },
    "/token": { methods: ["POST"], open: true, serve: (_, exchange) => serveToken(exchange, grants, seals) },
    "/register": {
      methods: ["POST"],
      open: true,
      serve: (_, exchange) => serveRegistration(exchange, seals, Math.floor(now() / 1000)),
    },
  };
  return { authenticator, routes };
}

function issuerOf({ origin, root, stateless, readOnly }: Options): Issuer {
  return {
    origin,
    resources: [`${origin}/mcp`, ...(stateless ? [] : [`${origin}/sse`])],
    scopes: readOnly ? ["read"] : ["read", "write"],
    name: basename(root).replace(/^\./, "") || "notes",
  };
}

/** Accepts the tokens of the configuration, and access tokens issued here. */
function oauthAuthenticator(tokens: Authenticator, grants: Grants, issuer: Issuer): Authenticator {
  return {
    authenticate: (request) => tokens.authenticate(request) ?? grants.access(bearerToken(request) ?? ""),
    admits: (principal) => tokens.admits(principal) || grants.admits(principal),
    challenge: (request) => {
      const path = (request.url ?? "").split("?")[0] ?? "";
      const where = `resource_metadata="${metadataUrl(issuer, path)}"`;
      return `${tokens.challenge(request)}, ${where}, scope="${issuer.scopes.join(" ")}"`;
    },
    isGuess: (request) => tokens.isGuess(request) && !grants.isExpired(bearerToken(request) ?? ""),
  };
}
