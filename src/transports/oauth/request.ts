import { type Client, isDocumentId, isRegistered, registeredClient } from "./clients.ts";
import type { Issuer } from "./metadata.ts";
import { OAuthError, required, single } from "./parameters.ts";
import type { Documents } from "./remember.ts";
import type { Seals } from "./seal.ts";

/** `write` includes reading. */
export type Scope = "read" | "write";

/** Who asks, and where to send the answer. */
export interface Sender {
  client: Client;
  redirect: string;
}

/** A valid authorization request. */
export interface AuthorizationRequest extends Sender {
  challenge: string;
  scope: Scope;
  resource: string;
}

interface Sources {
  seals: Seals;
  documents: Documents;
  /** The address of the person's browser. */
  from: string;
}

/** Throws OAuthError if there is no one to send an answer to. */
export async function readSender(
  query: URLSearchParams,
  { seals, documents, from }: Sources,
): Promise<Sender> {
  const id = required(query, "client_id");
  const redirect = required(query, "redirect_uri");
  if (!URL.canParse(redirect))
    throw new OAuthError(
      "invalid_request",
      "The redirect_uri is not a valid URL: its port is a number up to 65535.",
    );
  const client = isDocumentId(id) ? await documents.client(id, from) : registeredClient(id, seals);
  if (client === undefined)
    throw new OAuthError("invalid_client", "Unknown client: it has to register again.");
  if (isRegistered(redirect, client.redirects)) return { client, redirect };
  throw new OAuthError("invalid_request", "The client did not register this redirect_uri.");
}

/** Throws OAuthError, which goes to the client. */
export function readAuthorization(
  query: URLSearchParams,
  sender: Sender,
  issuer: Issuer,
): AuthorizationRequest {
  single(query, "state");
  if (required(query, "response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "The response_type must be code.");
  if ((single(query, "response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "The response_mode must be query.");
  const challenge = required(query, "code_challenge");
  if (single(query, "code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "The code_challenge must use S256 (RFC 7636).");
  const scope = scopeOf(single(query, "scope"), issuer);
  return { ...sender, challenge, scope, resource: resourceOf(single(query, "resource"), issuer) };
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
