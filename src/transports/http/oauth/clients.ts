import { createHash } from "node:crypto";
import { OAuthError } from "./errors.ts";
import { checkRedirect } from "./redirect.ts";
import type { Seals } from "./seal.ts";

/** Who asks to be let in. */
export interface Client {
  id: string;
  /** As it calls itself: anybody may choose any. */
  name: string;
  redirects: readonly string[];
  /** The host that vouches for it: that of its metadata document. */
  host: string | undefined;
}

interface Registration {
  /** Name. */
  n: string;
  /** Redirect URIs. */
  r: string[];
  /** Epoch seconds. */
  t: number;
}

const MAX_NAME_CHARS = 60;
const MAX_REDIRECTS = 10;
/** It travels in the address of a page. */
const MAX_ID_CHARS = 4000;
const UNNAMED = "A client without a name";

/** Registers a client (RFC 7591): the answer, whose id says all there is to know. Throws OAuthError. */
export function register(body: unknown, seals: Seals, seconds: number): object {
  const wanted = checkMetadata(body);
  const token = seals.newest();
  if (token === undefined) throw new OAuthError("invalid_client_metadata", "No token is valid now.");
  const content: Registration = { n: wanted.name, r: wanted.redirects, t: seconds };
  const id = seals.seal("client", token, content);
  if (id.length > MAX_ID_CHARS)
    throw new OAuthError("invalid_client_metadata", "The redirect URIs are too long together.");
  return {
    client_id: id,
    client_id_issued_at: seconds,
    client_name: wanted.name,
    redirect_uris: wanted.redirects,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** The client of an id that was given out here; undefined for any other. */
export function registeredClient(id: string, seals: Seals): Client | undefined {
  const opened = seals.open<Registration>("client", id);
  if (opened === undefined) return undefined;
  return { id, name: opened.content.n, redirects: opened.content.r, host: undefined };
}

/** Whether an id is the address of a document that describes the client, as such addresses have to look. */
export function isDocumentId(id: string): boolean {
  if (!/^https:\/\/[^\s\\#@]+$/.test(id) || id.length > MAX_ID_CHARS || !URL.canParse(id)) return false;
  const { href, pathname } = new URL(id);
  return href === id && pathname !== "/";
}

/** The client that the document at its id describes. Throws OAuthError. */
export function describedClient(id: string, text: string): Client {
  const document = parseObject(text);
  const { client_id, client_secret, token_endpoint_auth_method: method = "none" } = document;
  if (client_id !== id)
    throw new OAuthError("invalid_client", "The client's metadata document names another client_id.");
  if (client_secret !== undefined || typeof method !== "string" || method.startsWith("client_secret"))
    throw new OAuthError("invalid_client", "A client with a metadata document has no secret.");
  return { id, ...checkMetadata(document), host: new URL(id).host };
}

/** Why it cannot be had is told to nobody: it would show what this machine can reach. */
export function unreadable(): OAuthError {
  return new OAuthError("invalid_client", "The client's metadata document cannot be read.");
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // Answered like a document that cannot be had.
  }
  throw unreadable();
}

function checkMetadata(body: unknown): { name: string; redirects: string[] } {
  if (!isObject(body)) throw new OAuthError("invalid_client_metadata", "The metadata is no JSON object.");
  const { redirect_uris: uris, client_name: name, grant_types: grants, response_types: responses } = body;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
    throw new OAuthError("invalid_redirect_uri", `redirect_uris has 1 to ${MAX_REDIRECTS} addresses.`);
  if (!includes(grants, "authorization_code") || !includes(responses, "code"))
    throw new OAuthError("invalid_client_metadata", "Clients log in by authorization_code and code alone.");
  if (name !== undefined && typeof name !== "string")
    throw new OAuthError("invalid_client_metadata", "client_name is a text.");
  return { name: shownName(name), redirects: uris.map(checkRedirect) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function includes(given: unknown, needed: string): boolean {
  return given === undefined || (Array.isArray(given) && given.includes(needed));
}

/** On one line, without characters that hide or turn round what stands beside them. */
function shownName(name: string | undefined): string {
  const plain = (name ?? "").replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const letters = [...plain];
  const short = letters.slice(0, MAX_NAME_CHARS).join("");
  return (letters.length > MAX_NAME_CHARS ? `${short}…` : short) || UNNAMED;
}

/** A short name for a client, the same for the same id. */
export function fingerprint(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
