import { createHash } from "node:crypto";
import { isFields, parseFields } from "../../core/lib/fields.ts";
import { OAuthError } from "./parameters.ts";
import type { Seals } from "./seal.ts";

export interface Client {
  id: string;
  /** Chosen by the client, and not verified. */
  name: string;
  redirects: readonly string[];
  /** The host of its metadata document, if it has one. */
  host: string | undefined;
}

/** Sealed in a client's id: its name, its redirect URIs, and the time in epoch seconds. */
interface Registration {
  n: string;
  r: string[];
  t: number;
}

const MAX_NAME_CHARS = 60;
const MAX_REDIRECTS = 10;
/** The id is part of a URL. */
const MAX_ID_CHARS = 4000;
const UNNAMED = "An unnamed client";

/** Registers a client (RFC 7591): its id holds its whole registration. Throws OAuthError. */
export function register(body: unknown, seals: Seals, seconds: number): object {
  const { name, redirects } = checkMetadata(body);
  const credential = seals.newest();
  if (credential === undefined)
    throw new OAuthError("invalid_client_metadata", "This server has no valid token now.");
  const content: Registration = { n: name, r: redirects, t: seconds };
  const id = seals.seal("client", credential, content);
  if (id.length > MAX_ID_CHARS)
    throw new OAuthError("invalid_client_metadata", "The redirect URIs are too long in total.");
  return {
    client_id: id,
    client_id_issued_at: seconds,
    client_name: name,
    redirect_uris: redirects,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** The client of an id issued here; undefined for any other id. */
export function registeredClient(id: string, seals: Seals): Client | undefined {
  const content = seals.open<Registration>("client", id)?.content;
  return content && { id, name: content.n, redirects: content.r, host: undefined };
}

/** Whether an id is a valid URL of a metadata document. */
export function isDocumentId(id: string): boolean {
  if (!/^https:\/\/[^\s\\#@]+$/.test(id) || id.length > MAX_ID_CHARS || !URL.canParse(id)) return false;
  const { href, pathname } = new URL(id);
  return href === id && pathname !== "/";
}

/** The client that the document at its id describes. Throws OAuthError. */
export function describedClient(id: string, text: string): Client {
  const document = parseFields(text);
  if (document === undefined) throw unreadable();
  const { client_id, client_secret, token_endpoint_auth_method: method = "none" } = document;
  if (client_id !== id)
    throw new OAuthError("invalid_client", "The client's metadata document names another client_id.");
  if (client_secret !== undefined || typeof method !== "string" || method.startsWith("client_secret"))
    throw new OAuthError("invalid_client", "A client with a metadata document must not have a secret.");
  return { id, ...checkMetadata(document), host: new URL(id).host };
}

/** Gives no reason: it would reveal what this machine can reach. */
export function unreadable(): OAuthError {
  return new OAuthError("invalid_client", "The client's metadata document cannot be read.");
}

function checkMetadata(body: unknown): { name: string; redirects: string[] } {
  if (!isFields(body)) throw new OAuthError("invalid_client_metadata", "The metadata must be a JSON object.");
  const { redirect_uris: uris, client_name: name, grant_types: grants, response_types: responses } = body;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
    throw new OAuthError("invalid_redirect_uri", `redirect_uris must have 1 to ${MAX_REDIRECTS} URIs.`);
  if (!includes(grants, "authorization_code") || !includes(responses, "code"))
    throw new OAuthError("invalid_client_metadata", "Clients must log in with authorization_code and code.");
  if (name !== undefined && typeof name !== "string")
    throw new OAuthError("invalid_client_metadata", "client_name must be a string.");
  return { name: shownName(name), redirects: uris.map(checkRedirect) };
}

function includes(values: unknown, needed: string): boolean {
  return values === undefined || (Array.isArray(values) && values.includes(needed));
}

/** On one line, without characters that hide or reverse their neighbours. */
function shownName(name: string | undefined): string {
  const plain = (name ?? "").replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const letters = [...plain];
  const short = letters.slice(0, MAX_NAME_CHARS).join("");
  return (letters.length > MAX_NAME_CHARS ? `${short}…` : short) || UNNAMED;
}

/** A hash of a client's id. */
export function fingerprint(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

const MAX_REDIRECT_CHARS = 1000;
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** Throws OAuthError for an address that must never get a code. */
function checkRedirect(uri: unknown): string {
  const isPlain = typeof uri === "string" && uri.length <= MAX_REDIRECT_CHARS && /^[\x21-\x7e]+$/.test(uri);
  if (!isPlain || /[\\#"<>`^{|}]/.test(uri) || !URL.canParse(uri))
    throw new OAuthError(
      "invalid_redirect_uri",
      "A redirect URI must be an absolute URL without a fragment.",
    );
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "" || /^[^/]*\/\/[^/?]*@/.test(uri))
    throw new OAuthError("invalid_redirect_uri", "A redirect URI must not have a user name.");
  if (!(protocol === "https:" && /^https:\/\/[^/?]/.test(uri)) && !LOOPBACK.test(uri))
    throw new OAuthError("invalid_redirect_uri", "A redirect URI must be https, or http to this computer.");
  return uri;
}

/** Compares character by character, but lets a program on the person's own computer use any port (RFC 8252). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  return LOOPBACK.test(uri) && registered.some((one) => withoutPort(one) === withoutPort(uri));
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, "$1");
}
