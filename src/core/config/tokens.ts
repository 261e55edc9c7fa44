import { definedOf } from "../lib/collections.ts";
import { withoutMark } from "../lib/text.ts";
import { UsageError } from "./options.ts";

export interface Token {
  /** Or `sha256:` and its hash in hex. */
  secret: string;
  readOnly: boolean;
  /** Whether a person acts with it, whatever the client. */
  isPerson?: boolean;
  name?: string;
}

const MIN_TOKEN_BYTES = 32;

/** `[read|person] [name] <token>` per line; `#` starts a comment. Throws UsageError. */
export function parseTokenFile(text: string, file: string): Token[] {
  const lines = withoutMark(text)
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*/, "").trim());
  const tokens = lines.filter(Boolean).map((line) => {
    const words = line.split(/\s+/);
    const kind = /^(?:read|person)$/i.test(words[0] ?? "") ? words.shift()?.toLowerCase() : undefined;
    const name = words.length > 1 && /^[a-z0-9-]+$/.test(words[0] ?? "") ? words.shift() : undefined;
    if (name === "read" || name === "person") throw new UsageError(`${file}: no token is named ${name}`);
    const token = { secret: words.join(" "), readOnly: kind === "read" };
    return checkToken(
      { ...token, ...(kind === "person" && { isPerson: true }), ...definedOf({ name }) },
      file,
    );
  });
  if (tokens.length === 0) throw new UsageError(`${file} holds no token`);
  return checkTokens(tokens);
}

export function checkToken(token: Token, source: string): Token {
  const bytes = Buffer.byteLength(token.secret);
  if (bytes < MIN_TOKEN_BYTES)
    throw new UsageError(
      `${source} holds a token of ${bytes} bytes: use at least ${MIN_TOKEN_BYTES} (openssl rand -hex 32 makes one)`,
    );
  if (!/[\s\p{C}]/u.test(token.secret)) return token;
  throw new UsageError(`${source} holds a token that no client can send: use letters, digits and -._~+/=`);
}

/** Throws UsageError for a token that is both read-only and not. */
export function checkTokens(tokens: Token[]): Token[] {
  const writing = new Set(tokens.filter(({ readOnly }) => !readOnly).map(({ secret }) => secret));
  if (tokens.some(({ secret, readOnly }) => readOnly && writing.has(secret)))
    throw new UsageError("the same token is both read-only and read-write");
  const names = tokens.flatMap(({ name }) => name ?? []);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new UsageError(`two tokens have the name ${twice}`);
  return tokens;
}
