import { createHash, randomBytes } from "node:crypto";
import type { Log } from "../../lib/log.ts";
import type { Access, Credential, Credentials } from "../http/authenticate.ts";
import { fingerprint } from "./clients.ts";
import type { Issuer } from "./metadata.ts";
import { OAuthError } from "./parameters.ts";
import { type AuthorizationRequest, resourceOf, type Scope, scopeOf } from "./request.ts";
import type { Seals } from "./seal.ts";
import { openSteps, type Update } from "./steps.ts";

/** What a client must show to get tokens. */
interface Claim {
  clientId: string;
  resource: string | undefined;
}

type CodeClaim = Claim & { redirect: string; verifier: string };
type RefreshClaim = Claim & { scope: string | undefined };

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

const CODE_MS = 60_000;
const ACCESS_MS = 3_600_000;
/** From the last use. */
const REFRESH_MS = 30 * 24 * 3_600_000;

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
  // A code from before the start may already have been used.
  const started = now();
  const isFresh = ({ t }: Payload, ms: number) => t >= steps.since() && t <= now() && now() < t + ms;
  return {
    code: (request: AuthorizationRequest, credential: Credential, scope: Scope): string => {
      const g = randomBytes(12).toString("base64url");
      const { client, redirect: u, challenge: p, resource: a } = request;
      const content: Code = { g, c: fingerprint(client.id), s: scope, a, t: now(), u, p };
      return seals.seal("code", credential, content);
    },
    redeem: async (text: string, { redirect, verifier, ...claim }: CodeClaim) => {
      const { content, credential } = seals.open<Code>("code", text) ?? refuse("The code");
      if (!isFresh(content, CODE_MS) || content.t < started) refuse("The code");
      checkClaim(content, claim, issuer);
      checkProof(content, { redirect, verifier });
      if (!(await steps.take(content.g, 0))) refuse("The code");
      return issueTokens(options, { content, credential }, { n: 1, s: content.s });
    },
    refresh: async (text: string, { scope, ...claim }: RefreshClaim) => {
      const { content, credential } = seals.open<Refresh>("refresh", text) ?? refuse("The refresh token");
      if (!isFresh(content, REFRESH_MS)) refuse("The refresh token");
      checkClaim(content, claim, issuer);
      const s = narrowed(content.s, scope, issuer);
      if (!(await steps.take(content.g, content.n))) refuse("The refresh token");
      return issueTokens(options, { content, credential }, { n: content.n + 1, s });
    },
    /** Undefined unless this is an access token that is valid here and now. */
    access: (text: string): Access | undefined => {
      const { content, credential } = seals.open<Payload>("access", text) ?? {};
      if (content === undefined || credential === undefined) return undefined;
      const isFor = issuer.resources.includes(content.a);
      if (!isFor || !isFresh(content, ACCESS_MS) || steps.isEnded(content.g)) return undefined;
      const readOnly = content.s === "read" || credential.readOnly;
      const principal = [credential.principal, "oauth", content.g, readOnly ? "reads" : "writes"].join(" ");
      return { principal, readOnly };
    },
    /** Whether this once was an access token. */
    isExpired: (text: string) => seals.open("access", text) !== undefined,
    admits: (principal: string) => {
      const [token, grant = ""] = principal.split(" oauth ");
      return (
        credentials().some((one) => one.principal === token) && !steps.isEnded(grant.split(" ")[0] ?? "")
      );
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

function checkProof({ u, p }: Code, { redirect, verifier }: Omit<CodeClaim, keyof Claim>): void {
  if (u !== redirect)
    throw new OAuthError("invalid_grant", "The redirect_uri differs from that of the request.");
  if (p !== createHash("sha256").update(verifier).digest("base64url"))
    throw new OAuthError("invalid_grant", "The code_verifier does not match.");
}

function checkClaim({ c, a }: Payload, { clientId, resource }: Claim, issuer: Issuer): void {
  if (c !== fingerprint(clientId)) throw new OAuthError("invalid_grant", "It was issued to another client.");
  if (!issuer.resources.includes(a) || (resource !== undefined && resourceOf(resource, issuer) !== a))
    throw new OAuthError("invalid_target", "It was issued for another resource.");
}
