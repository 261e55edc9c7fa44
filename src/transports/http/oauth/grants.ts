import { createHash, randomBytes } from "node:crypto";
import type { Log } from "../../../lib/log.ts";
import type { Access, Known, KnownTokens } from "../authenticate.ts";
import { fingerprint } from "./clients.ts";
import { OAuthError } from "./errors.ts";
import type { Place } from "./metadata.ts";
import { type Asked, resourceOf, type Scope, scopeOf } from "./request.ts";
import type { Seals } from "./seal.ts";
import { openSteps, type Update } from "./steps.ts";

/** What a client has to show to get tokens. */
export interface Claim {
  clientId: string;
  resource: string | undefined;
}

/** What a person allowed to a client: a code, and the tokens that come of it, one after the other. */
export interface Grants {
  code(asked: Asked, token: Known, scope: Scope): string;
  /** Both answer as RFC 6749 says, and reject with OAuthError. */
  redeem(code: string, claim: Claim & { redirect: string; verifier: string }): Promise<object>;
  refresh(refreshToken: string, claim: Claim & { scope: string | undefined }): Promise<object>;
  /** Undefined for what is no access token for here and now. */
  access(text: string): Access | undefined;
  /** Whether a text once was an access token. */
  isExpired(text: string): boolean;
  admits(principal: string): boolean;
}

/** Common to all that is sealed for a grant; `t` is when it was, in epoch milliseconds. */
interface Sealed {
  /** The grant. */
  g: string;
  /** Fingerprint of the client. */
  c: string;
  /** Scope. */
  s: Scope;
  /** Audience: the resource. */
  a: string;
  t: number;
}
interface Code extends Sealed {
  /** Redirect URI. */
  u: string;
  /** Challenge. */
  p: string;
}
interface Refresh extends Sealed {
  /** Its place in the line of the grant. */
  n: number;
}

const CODE_MS = 60_000;
const ACCESS_MS = 3_600_000;
/** From the last use. */
const REFRESH_MS = 30 * 24 * 3_600_000;
/** Codes and tokens are compared with no other clock than this one. */
type Now = () => number;

export interface GrantsOptions {
  seals: Seals;
  known: KnownTokens;
  now: Now;
  log: Log;
  update: Update | undefined;
}

export async function openGrants(place: Place, options: GrantsOptions): Promise<Grants> {
  const { seals, known, now } = options;
  const steps = await openSteps({ ...options, lifetime: REFRESH_MS });
  // A code from before the start may have been used before the start.
  const started = now();
  const isFresh = ({ t }: Sealed, ms: number) => t >= steps.since() && t <= now() && now() < t + ms;
  const tokens = (from: Sealed, token: Known, { n, s }: { n: number; s: Scope }) => {
    const { g, c, a } = from;
    const t = now();
    return {
      access_token: seals.seal("access", token, { g, c, s, a, t } satisfies Sealed),
      token_type: "Bearer",
      expires_in: ACCESS_MS / 1000,
      refresh_token: seals.seal("refresh", token, { g, c, s: from.s, a, t, n } satisfies Refresh),
      scope: s === "write" ? "read write" : "read",
    };
  };
  return {
    code: (asked, token, scope) => {
      const { client, redirect: u, challenge: p, resource: a } = asked;
      const g = randomBytes(12).toString("base64url");
      const content: Code = { g, c: fingerprint(client.id), s: scope, a, t: now(), u, p };
      return seals.seal("code", token, content);
    },
    redeem: async (text, { redirect, verifier, ...claim }) => {
      const { content, token } = seals.open<Code>("code", text) ?? refuse("The code");
      if (!isFresh(content, CODE_MS) || content.t < started) refuse("The code");
      checkClaim(content, claim, place);
      if (content.u !== redirect) throw new OAuthError("invalid_grant", "The redirect_uri is another one.");
      if (content.p !== createHash("sha256").update(verifier).digest("base64url"))
        throw new OAuthError("invalid_grant", "The code_verifier does not fit.");
      if (!(await steps.take(content.g, 0))) refuse("The code");
      return tokens(content, token, { n: 1, s: content.s });
    },
    refresh: async (text, { scope, ...claim }) => {
      const { content, token } = seals.open<Refresh>("refresh", text) ?? refuse("The refresh token");
      if (!isFresh(content, REFRESH_MS)) refuse("The refresh token");
      checkClaim(content, claim, place);
      const s = scope === undefined ? content.s : scopeOf(scope, place);
      if (s === "write" && content.s === "read")
        throw new OAuthError("invalid_scope", "The scope is wider than what was granted.");
      if (!(await steps.take(content.g, content.n))) refuse("The refresh token");
      return tokens(content, token, { n: content.n + 1, s });
    },
    access: (text) => {
      const { content, token } = seals.open<Sealed>("access", text) ?? {};
      if (content === undefined || token === undefined) return undefined;
      const isFor = place.resources.includes(content.a);
      if (!isFor || !isFresh(content, ACCESS_MS) || steps.isEnded(content.g)) return undefined;
      const readOnly = content.s === "read" || token.readOnly;
      const principal = [token.principal, "oauth", content.g, readOnly ? "reads" : "writes"].join(" ");
      return { principal, readOnly };
    },
    isExpired: (text) => seals.open("access", text) !== undefined,
    admits: (principal) => {
      const [token, grant = ""] = principal.split(" oauth ");
      return known().some((one) => one.principal === token) && !steps.isEnded(grant.split(" ")[0] ?? "");
    },
  };
}

function refuse(what: string): never {
  throw new OAuthError("invalid_grant", `${what} is not valid, or not any more.`);
}

function checkClaim({ c, a }: Sealed, { clientId, resource }: Claim, place: Place): void {
  if (c !== fingerprint(clientId)) throw new OAuthError("invalid_grant", "It was given to another client.");
  if (!place.resources.includes(a) || (resource !== undefined && resourceOf(resource, place) !== a))
    throw new OAuthError("invalid_target", "It was given for another resource.");
}
