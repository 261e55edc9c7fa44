import { type Client, isDocumentId, registeredClient } from "./clients.ts";
import { OAuthError } from "./errors.ts";
import type { Place } from "./metadata.ts";
import { required, single } from "./parameters.ts";
import { isRegistered } from "./redirect.ts";
import type { Documents } from "./remember.ts";
import type { Seals } from "./seal.ts";

/** What somebody may do: `write` includes reading. */
export type Scope = "read" | "write";

/** Who asks, and where the answer goes. */
export interface Sender {
  client: Client;
  redirect: string;
}

/** A request to be let in that is in order. */
export interface Asked extends Sender {
  challenge: string;
  scope: Scope;
  resource: string;
}

interface Sources {
  seals: Seals;
  documents: Documents;
  /** The address of whoever asks. */
  from: string;
}

/** Throws OAuthError when there is nobody whom an answer may be sent to. */
export async function readSender(
  query: URLSearchParams,
  { seals, documents, from }: Sources,
): Promise<Sender> {
  const id = required(query, "client_id");
  const redirect = required(query, "redirect_uri");
  if (!URL.canParse(redirect))
    throw new OAuthError("invalid_request", "The redirect_uri is no URL: its port is a number up to 65535.");
  const client = isDocumentId(id) ? await documents.client(id, from) : registeredClient(id, seals);
  if (client === undefined)
    throw new OAuthError(
      "invalid_client",
      "This client is not known here, or no more: it has to register again.",
    );
  if (isRegistered(redirect, client.redirects)) return { client, redirect };
  throw new OAuthError("invalid_request", "The redirect_uri is not one that the client registered.");
}

/** Throws OAuthError that the client is told. */
export function readAsked(query: URLSearchParams, sender: Sender, place: Place): Asked {
  single(query, "state");
  if (required(query, "response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "The response_type has to be code.");
  if ((single(query, "response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "The response_mode has to be query.");
  const challenge = required(query, "code_challenge");
  if (single(query, "code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "The code_challenge has to be one of S256 (RFC 7636).");
  const scope = scopeOf(single(query, "scope"), place);
  return { ...sender, challenge, scope, resource: resourceOf(single(query, "resource"), place) };
}

/** The widest of the scopes named that is known; none named are all. Throws OAuthError. */
export function scopeOf(text: string | undefined, { scopes }: Pick<Place, "scopes">): Scope {
  const words = text?.split(" ") ?? scopes;
  const known = scopes.filter((scope) => words.includes(scope));
  if (known.length === 0)
    throw new OAuthError("invalid_scope", `No scope is known here but ${scopes.join(" and ")}.`);
  return known.includes("write") ? "write" : "read";
}

/** What a token shall be for (RFC 8707). Throws OAuthError. */
export function resourceOf(text: string | undefined, { resources }: Pick<Place, "resources">): string {
  const found = resources.find((one) => text === undefined || text.replace(/\/$/, "") === one);
  if (found !== undefined) return found;
  throw new OAuthError("invalid_target", `The resource has to be ${resources.join(" or ")}.`);
}
