import { OAuthError } from "./errors.ts";

const MAX_CHARS = 1000;
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** Refuses an address that a code must never be sent to. Throws OAuthError. */
export function checkRedirect(uri: unknown): string {
  const isPlain = typeof uri === "string" && uri.length <= MAX_CHARS && /^[\x21-\x7e]+$/.test(uri);
  if (!isPlain || /[\\#"<>`^{|}]/.test(uri) || !URL.canParse(uri))
    throw new OAuthError("invalid_redirect_uri", "A redirect URI is an absolute URL without a fragment.");
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "" || /^[^/]*\/\/[^/?]*@/.test(uri))
    throw new OAuthError("invalid_redirect_uri", "A redirect URI has no user name.");
  if (!(protocol === "https:" && /^https:\/\/[^/?]/.test(uri)) && !LOOPBACK.test(uri))
    throw new OAuthError("invalid_redirect_uri", "A redirect URI is https, or http to this computer itself.");
  return uri;
}

/** Letter for letter; a program on the person's own computer may listen on any port (RFC 8252). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  return LOOPBACK.test(uri) && registered.some((one) => withoutPort(one) === withoutPort(uri));
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, "$1");
}

/** The address with what a client is told; what it had of these itself is replaced. */
export function redirectTo(uri: string, told: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(told))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
