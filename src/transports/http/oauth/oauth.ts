import { basename } from "node:path";
import { updateState } from "../../../files/state.ts";
import type { Log } from "../../../lib/log.ts";
import { type Authenticator, bearerToken, type KnownTokens, tokenAuthenticator } from "../authenticate.ts";
import type { Routes } from "../context.ts";
import { type Consent, serveConsent } from "./consent.ts";
import { createDocumentReader, type ReadDocument } from "./document.ts";
import { type Grants, openGrants } from "./grants.ts";
import { metadataRoutes, metadataUrl, type Place } from "./metadata.ts";
import { rememberDocuments } from "./remember.ts";
import { createSeals } from "./seal.ts";
import { GRANTS_FILE, type Update } from "./steps.ts";
import { serveRegistration, serveToken } from "./token.ts";

/** What logging in takes from outside. */
export interface OAuthWorld {
  /** Epoch milliseconds. */
  now: () => number;
  /** Reads the documents that clients describe themselves with; the web's, unless it is given. */
  readDocument?: ReadDocument;
}

interface Served {
  /** Without a slash at its end. */
  origin: string;
  /** The workspace's folder. */
  root: string;
  stateless: boolean;
  readOnly: boolean;
  log: Log;
}

/**
 * An authorization server without a list of clients: what it hands out is signed with keys made from the tokens. It saves
 * how far each grant is, so that what was used or revoked stays so.
 */
export async function openOAuth(
  served: Served,
  known: KnownTokens,
  { now, readDocument = createDocumentReader() }: OAuthWorld,
): Promise<{ authenticator: Authenticator; routes: Routes }> {
  const { root, readOnly, log } = served;
  const place = placeOf(served);
  const seals = createSeals(known);
  const update: Update = (change) => updateState(root, GRANTS_FILE, change);
  if (readOnly) log.warn("--read-only saves no logins: clients log in by OAuth again after each restart");
  const options = { seals, known, now, log, update: readOnly ? undefined : update };
  const grants = await openGrants(place, options);
  const consent: Consent = {
    ...{ place, grants, seals, known },
    documents: rememberDocuments(readDocument, now),
  };
  const authenticator = oauthAuthenticator(tokenAuthenticator(known), grants, place);
  const routes: Routes = {
    ...metadataRoutes(place),
    "/authorize": {
      methods: ["GET", "POST"],
      open: true,
      serve: (...given) => serveConsent(...given, consent),
    },
    "/token": { methods: ["POST"], open: true, serve: (_, exchange) => serveToken(exchange, grants, seals) },
    "/register": {
      ...{ methods: ["POST"], open: true },
      serve: (_, exchange) => serveRegistration(exchange, seals, Math.floor(now() / 1000)),
    },
  };
  return { authenticator, routes };
}

function placeOf({ origin, root, stateless, readOnly }: Served): Place {
  return {
    origin,
    resources: [`${origin}/mcp`, ...(stateless ? [] : [`${origin}/sse`])],
    scopes: readOnly ? ["read"] : ["read", "write"],
    name: basename(root).replace(/^\./, "") || "notes",
  };
}

/** Lets in whom the tokens of the configuration let in, and whoever has one that was given out here. */
function oauthAuthenticator(tokens: Authenticator, grants: Grants, place: Place): Authenticator {
  return {
    authenticate: (request) => tokens.authenticate(request) ?? grants.access(bearerToken(request) ?? ""),
    admits: (principal) => tokens.admits(principal) || grants.admits(principal),
    challenge: (request) => {
      const path = (request.url ?? "").split("?")[0] ?? "";
      const where = `resource_metadata="${metadataUrl(place, path)}"`;
      return `${tokens.challenge(request)}, ${where}, scope="${place.scopes.join(" ")}"`;
    },
    isGuess: (request) => tokens.isGuess(request) && !grants.isExpired(bearerToken(request) ?? ""),
  };
}
