import {
  absolutePath,
  type Environment,
  type Flags,
  type Given,
  givenOption,
  OPTIONS,
  type OptionName,
  truth,
  UsageError,
} from "./config.ts";
import { withoutMark } from "./lib/text.ts";

/** What only `serve` needs; wrong values stop `serve` alone. */
export interface HttpConfig {
  port: number;
  host: string;
  tokens: readonly Token[];
  /** Absolute. */
  tokenFile: string | undefined;
  stateless: boolean;
  /** Names without a port, in lower case. */
  allowedHosts: readonly string[];
  /** As browsers send them. */
  allowedOrigins: readonly string[];
  trustProxy: boolean;
  maxSessions: number;
  /** Milliseconds. */
  sessionIdle: number;
  /** The origin at which clients log in by OAuth; undefined unless that is switched on. */
  oauth: string | undefined;
}

export interface Token {
  secret: string;
  readOnly: boolean;
}

const MIN_TOKEN_CHARS = 32;
const SECOND_MS = 1000;

/** Throws UsageError on a wrong value, and where strangers could reach a server without a token. */
export function resolveHttpConfig(flags: Flags, env: Environment, home: string): HttpConfig {
  const given = (name: OptionName) => givenOption(name, flags, env);
  const oauth = truth(given("oauth")) ? publicOrigin(given("publicUrl")) : undefined;
  const config: HttpConfig = {
    port: number(given("port"), { from: 0, to: 65_535 }) ?? Number(OPTIONS.port.fallback),
    host: hostOf(given("host")),
    tokens: checkTokens([...tokens(given("authToken"), false), ...tokens(given("readToken"), true)]),
    tokenFile: given("tokenFile").text && absolutePath({ ...given("tokenFile"), fallback: "" }, home),
    stateless: truth(given("stateless")),
    allowedHosts: [
      ...list(given("allowedHost")).map((name) => hostName(name, given("allowedHost"))),
      ...(oauth === undefined ? [] : [new URL(oauth).hostname]),
    ],
    allowedOrigins: list(given("allowedOrigin")).map((origin) => webOrigin(origin, given("allowedOrigin"))),
    trustProxy: truth(given("trustProxy")),
    maxSessions:
      number(given("maxSessions"), { from: 1, to: 1_000_000 }) ?? Number(OPTIONS.maxSessions.fallback),
    sessionIdle:
      SECOND_MS *
      (number(given("sessionIdle"), { from: 1, to: 1_000_000 }) ?? Number(OPTIONS.sessionIdle.fallback)),
    oauth,
  };
  checkReach(config);
  return config;
}

/** Throws UsageError where strangers could come in. */
function checkReach(config: HttpConfig): void {
  const isOpen = config.tokens.length === 0 && config.tokenFile === undefined;
  if (isOpen && config.oauth !== undefined)
    throw new UsageError("--oauth asks for a token on its page: set VIBE_AUTH_TOKEN or --token-file");
  if (isOpen && !isLoopback(config.host)) {
    const reason = `${config.host} can be reached from other machines, and no token protects it`;
    throw new UsageError(
      `${reason}. Set VIBE_AUTH_TOKEN (openssl rand -hex 32 makes one), or leave --host out`,
    );
  }
}

/** Whether an address, or a name in a Host header, is this machine's own. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** The tokens of a file: one a line, `read <token>` for one that only reads; `#` starts a comment. Throws UsageError. */
export function parseTokenFile(text: string, file: string): Token[] {
  const lines = withoutMark(text)
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*/, "").trim());
  const found = lines.filter(Boolean).map((line) => {
    const secret = line.replace(/^read\s+/i, "");
    return checkToken({ secret, readOnly: secret !== line }, file);
  });
  if (found.length === 0) throw new UsageError(`${file} holds no token`);
  return checkTokens(found);
}

function tokens(given: Given, readOnly: boolean): Token[] {
  return list(given).map((secret) => checkToken({ secret, readOnly }, given.source));
}

function checkToken(token: Token, source: string): Token {
  if (token.secret.length < MIN_TOKEN_CHARS) {
    const reason = `${source} holds a token of ${token.secret.length} characters: it takes ${MIN_TOKEN_CHARS} at least`;
    throw new UsageError(`${reason} (openssl rand -hex 32 makes one)`);
  }
  if (/^[\x21-\x7e]+$/.test(token.secret)) return token;
  throw new UsageError(
    `${source} holds a token that no client can send: letters, digits and -._~+/= are safe`,
  );
}

/** A token that may and may not write would do either by accident. */
export function checkTokens(found: Token[]): Token[] {
  const writing = new Set(found.filter(({ readOnly }) => !readOnly).map(({ secret }) => secret));
  if (found.some(({ secret, readOnly }) => readOnly && writing.has(secret)))
    throw new UsageError("the same token is given for reading alone and for everything");
  return found;
}

function list({ text = "" }: Given): string[] {
  const words = text.split(",").map((word) => word.trim());
  return words.filter(Boolean);
}

function hostOf({ text, source }: Given): string {
  if (text === undefined) return OPTIONS.host.fallback;
  const host = text.trim().replace(/^\[(.*)\]$/, "$1");
  if (/^[^\s/]+$/.test(host)) return host;
  throw new UsageError(`${source} takes an address or a name, not ${JSON.stringify(text)}`);
}

function hostName(name: string, { source }: Given): string {
  if (/^(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])$/iu.test(name)) return name.toLowerCase();
  throw new UsageError(`${source} takes names without protocol and port, not ${JSON.stringify(name)}`);
}

function webOrigin(text: string, { source }: Given): string {
  if (URL.canParse(text)) {
    const { origin, href } = new URL(text);
    if (origin !== "null" && (href === origin || href === `${origin}/`)) return origin;
  }
  throw new UsageError(
    `${source} takes origins such as https://app.example.com, not ${JSON.stringify(text)}`,
  );
}

/** HTTPS, since a token is typed there; this machine's own names may do without. */
function publicOrigin({ text, source }: Given): string {
  if (text === undefined)
    throw new UsageError("--oauth needs --public-url, the address of this server: https://vibe.example.com");
  if (URL.canParse(text)) {
    const { origin, href, protocol, hostname } = new URL(text);
    const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
    if (isSafe && href === `${origin}/`) return origin;
  }
  throw new UsageError(
    `${source} takes https:// and a name, without a path (https://vibe.example.com), not ${JSON.stringify(text)}`,
  );
}

function number({ text, source }: Given, { from, to }: { from: number; to: number }): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(
    `${source} takes a whole number from ${from} to ${to}, not ${JSON.stringify(text.slice(0, 40))}`,
  );
}
