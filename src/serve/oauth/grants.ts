import { createHash, randomBytes } from "node:crypto";
import type { Log } from "../../core/lib/log.ts";
import type { Access, Credential, Credentials } from "../http/authenticate.ts";
import { type Client, fingerprint } from "./clients.ts";
import { type Issuer, resourceOf, type Scope, scopeOf } from "./metadata.ts";
import { OAuthError } from "./parameters.ts";
import type { Seals } from "./seal.ts";
import { openSteps, type Update } from "./steps.ts";

/** A valid authorization request: whom a code is for. */
export interface AuthorizationRequest {
  client: Client;
  redirect: string;
  /** For PKCE. */
  challenge: string;
  scope: Scope;
  resource: string;
}

/** What a client must present to get tokens. */
interface TokenClaim {
  clientId: string;
  resource: string | undefined;
}

type CodeClaim = TokenClaim & { redirect: string; verifier: string };
type RefreshClaim = TokenClaim & { scope: string | undefined };

/** Sealed in every code and token: the grant, a fingerprint of the client, the scope, the audience (a resource), epoch ms. */
interface Payload {
  g: string;
  c: string;
  s: Scope;
  a: string;
  t: number;
}
/** The redirect URI, and the PKCE challenge. */
interface Code extends Payload {
  u: string;
  p: string;
}
/** The step of the grant. */
interface Refresh extends Payload {
  n: number;
}

const ACCESS_MS = 3_600_000;
/** From the last use. */
const REFRESH_MS = 30 * 24 * 3_600_000;
/** What a client exchanges for tokens. */
const EXCHANGED = {
  code: { name: "The code", lifetime: 60_000 },
  refresh: { name: "The refresh token", lifetime: REFRESH_MS },
};

export interface GrantsOptions {
  seals: Seals;
  credentials: Credentials;
  /** The only clock for codes and tokens; epoch milliseconds. */
  now: () => number;
  log: Log;
  update: Update | undefined;
}

export type Grants = Awaited<ReturnType<typeof openGrants>>;

/** Issues and checks codes and tokens; answers are those of RFC 6749. Rejects with OAuthError. */
export async function openGrants(issuer: Issuer, options: GrantsOptions) {
  const { seals, credentials, now } = options;
  const steps = await openSteps({ ...options, lifetime: REFRESH_MS });
  const isFresh = ({ t }: Payload, ms: number) => t >= steps.since() && t <= now() && now() < t + ms;
  return {
    code: (request: AuthorizationRequest, credential: Credential, scope: Scope): string =>
      seals.seal("code", credential, codeContent(request, scope, now())),
    ...createExchange(issuer, options, { steps, isFresh }),
    /** Undefined unless this is an access token that is valid here and now. */
    access: (text: string): Access | undefined => {
      const { content, credential } = seals.open<Payload>("access", text) ?? {};
      if (content === undefined || credential === undefined) return undefined;
      const isFor = issuer.resources.includes(content.a);
      if (!isFor || !isFresh(content, ACCESS_MS) || steps.isEnded(content.g)) return undefined;
      const readOnly = content.s === "read" || credential.readOnly;
      const principal = [credential.principal, "oauth", content.g, readOnly ? "reads" : "writes"].join(" ");
      return { principal, readOnly, token: credential.token, projects: credential.projects };
    },
    /** Whether this was an access token, valid or not. */
    isExpired: (text: string) => seals.open("access", text) !== undefined,
    admits: (principal: string) => {
      const [token, grant = ""] = principal.split(" oauth ");
      const isValid = credentials().some((one) => one.principal === token);
      return isValid && !steps.isEnded(grant.split(" ")[0] ?? "");
    },
  };
}

function codeContent(
  { client, redirect, challenge, resource }: AuthorizationRequest,
  scope: Scope,
  t: number,
) {
  const g = randomBytes(12).toString("base64url");
  return { g, c: fingerprint(client.id), s: scope, a: resource, t, u: redirect, p: challenge } satisfies Code;
}

interface Validity {
  steps: Awaited<ReturnType<typeof openSteps>>;
  isFresh: (content: Payload, ms: number) => boolean;
}

/** Exchanges a code or a refresh token for tokens, once. */
function createExchange(issuer: Issuer, options: GrantsOptions, { steps, isFresh }: Validity) {
  // A code from before the start may already have been used.
  const started = options.now();
  const open = <T extends Payload>(kind: keyof typeof EXCHANGED, text: string, claim: TokenClaim) => {
    const { name, lifetime } = EXCHANGED[kind];
    const { content, credential } = options.seals.open<T>(kind, text) ?? refuse(name);
    if (!isFresh(content, lifetime) || (kind === "code" && content.t < started)) refuse(name);
    checkClaim(content, claim, issuer);
    const take = async (step: number) => (await steps.take(content.g, step)) || refuse(name);
    return { content, credential, take };
  };
  return {
    redeem: async (text: string, { redirect, verifier, ...claim }: CodeClaim) => {
      const { take, ...code } = open<Code>("code", text, claim);
      checkProof(code.content, { redirect, verifier });
      await take(0);
      return issueTokens(options, code, { n: 1, s: code.content.s });
    },
    refresh: async (text: string, { scope, ...claim }: RefreshClaim) => {
      const { take, ...token } = open<Refresh>("refresh", text, claim);
      const { s: granted, n } = token.content;
      const s = narrowed(granted, scope, issuer);
      await take(n);
      return issueTokens(options, token, { n: n + 1, s });
    },
  };
}

/** The answer of RFC 6749 with the tokens of step `n`. */
function issueTokens(
  { seals, now }: GrantsOptions,
  { content, credential }: { content: Payload; credential: Credential },
  { n, s }: Pick<Refresh, "n" | "s">,
) {
  const { g, c, a } = content;
  const shared = { g, c, a, t: now() };
  return {
    access_token: seals.seal("access", credential, { ...shared, s } satisfies Payload),
    token_type: "Bearer",
    expires_in: ACCESS_MS / 1000,
    refresh_token: seals.seal("refresh", credential, { ...shared, s: content.s, n } satisfies Refresh),
    scope: s === "write" ? "read write" : "read",
  };
}

function narrowed(granted: Scope, requested: string | undefined, issuer: Issuer): Scope {
  const scope = requested === undefined ? granted : scopeOf(requested, issuer);
  if (scope === "read" || granted === "write") return scope;
  throw new OAuthError("invalid_scope", "The scope is wider than the granted one.");
}

function refuse(what: string): never {
  throw new OAuthError("invalid_grant", `${what} is invalid or has expired.`);
}

function checkProof({ u, p }: Code, { redirect, verifier }: Omit<CodeClaim, keyof TokenClaim>): void {
  if (u !== redirect)
    throw new OAuthError("invalid_grant", "The redirect_uri differs from that of the request.");
  if (p !== createHash("sha256").update(verifier).digest("base64url"))
    throw new OAuthError("invalid_grant", "The code_verifier does not match.");
}

function checkClaim({ c, a }: Payload, { clientId, resource }: TokenClaim, issuer: Issuer): void {
  if (c !== fingerprint(clientId)) throw new OAuthError("invalid_grant", "It was issued to another client.");
  if (!issuer.resources.includes(a) || (resource !== undefined && resourceOf(resource, issuer) !== a))
    throw new OAuthError("invalid_target", "It was issued for another resource.");
}
