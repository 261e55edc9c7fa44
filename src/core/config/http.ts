import { join } from "node:path";
import {
  type Environment,
  type Flags,
  findSetting,
  type OptionName,
  parsePath,
  parseSwitch,
  type Setting,
  UsageError,
} from "./options.ts";
import { checkToken, checkTokens, type Token } from "./tokens.ts";

const SECOND_MS = 1000;

/** The settings that only `serve` needs. */
export type HttpConfig = ReturnType<typeof resolveHttpConfig>;

/** The token file of this user, which `serve` reads if it is there. */
export function ownTokenFile({ state }: { state: string }): string {
  return join(state, "tokens");
}

/** The token file that a setting names, absolute. */
export function namedTokenFile(flags: Flags, env: Environment, home: string): string | undefined {
  const setting = findSetting("tokenFile", flags, env);
  return setting.text === undefined ? undefined : parsePath(setting, home);
}

/**
 * `ownTokens` is the token file in the state folder, if there is one. Throws UsageError on a wrong value, and if other machines could
 * reach a server without a token.
 */
export function resolveHttpConfig(flags: Flags, env: Environment, home: string, ownTokens?: string) {
  const setting = (name: OptionName) => findSetting(name, flags, env);
  const oauth = parseSwitch(setting("oauth")) ? parsePublicOrigin(setting("publicUrl")) : undefined;
  const stateless = parseSwitch(setting("stateless"));
  const hosts = parseList(setting("allowedHost"), parseHostName);
  const config = {
    port: parseInteger(setting("port"), 0, 65_535),
    host: parseHost(setting("host")),
    tokens: checkTokens([
      ...parseTokens(setting("authToken"), false),
      ...parseTokens(setting("readToken"), true),
    ]),
    /** Absolute. */
    tokenFile: namedTokenFile(flags, env, home) ?? ownTokens,
    /** Whether a token file that others may read or write is refused. */
    strict: parseSwitch(setting("strict")),
    stateless,
    /** The page needs the stream of changes, which ends with its session. */
    board: !stateless && !parseSwitch(setting("noBoard")),
    /** Lower case, without ports. */
    allowedHosts: oauth === undefined ? hosts : [...hosts, new URL(oauth).hostname],
    /** As browsers send them. */
    allowedOrigins: parseList(setting("allowedOrigin"), parseOrigin),
    trustProxy: parseSwitch(setting("trustProxy")),
    maxSessions: parseInteger(setting("maxSessions"), 1, 1_000_000),
    /** Milliseconds. */
    sessionIdle: SECOND_MS * parseInteger(setting("sessionIdle"), 1, 1_000_000),
    /** The origin at which clients log in with OAuth; undefined if that is off. */
    oauth,
  };
  const isOpen = config.tokens.length === 0 && config.tokenFile === undefined;
  if (isOpen && oauth !== undefined)
    throw new UsageError(
      "--oauth asks for a token on its page: make one (vibe-mcp token new <name>), or set VIBE_AUTH_TOKEN",
    );
  if (isOpen && !isLoopback(config.host)) {
    const reason = `other machines can reach ${config.host}, and no token protects it`;
    throw new UsageError(
      `${reason}. Make one (vibe-mcp token new <name>), set VIBE_AUTH_TOKEN, or omit --host`,
    );
  }
  return config;
}

/** Whether an address, or a name in a Host header, is this machine's own. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function parseTokens(setting: Setting, readOnly: boolean): Token[] {
  return parseList(setting, (secret, { source }) => checkToken({ secret, readOnly }, source));
}

function parseList<T>(setting: Setting, parse: (item: string, setting: Setting) => T): T[] {
  const items = (setting.text ?? "").split(",").map((item) => item.trim());
  return items.filter(Boolean).map((item) => parse(item, setting));
}

function parseHost({ text, source, fallback }: Setting): string {
  const host = (text ?? fallback).trim().replace(/^\[(.*)\]$/, "$1");
  if (/^[^\s/]+$/.test(host)) return host;
  throw new UsageError(`${source} must be an address or a name, not ${JSON.stringify(text)}`);
}

function parseHostName(name: string, { source }: Setting): string {
  if (/^(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])$/iu.test(name)) return name.toLowerCase();
  throw new UsageError(`${source} must be names without protocol and port, not ${JSON.stringify(name)}`);
}

/** Of apps and extensions: `app://obsidian.md`, `tauri://localhost`, `chrome-extension://…`. */
const OTHER_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[\w.-]+(?::\d+)?$/i;

function parseOrigin(text: string, { source }: Setting): string {
  if (URL.canParse(text)) {
    const { origin, href } = new URL(text);
    if (origin !== "null" && href === `${origin}/`) return origin;
    if (origin === "null" && OTHER_ORIGIN.test(text)) return text.toLowerCase();
  }
  throw new UsageError(
    `${source} must be origins such as https://app.example.com, not ${JSON.stringify(text)}`,
  );
}

/** HTTPS, since people type a token there; loopback names may use HTTP. */
function parsePublicOrigin({ text, source }: Setting): string {
  if (text === undefined)
    throw new UsageError("--oauth needs --public-url, the address of this server: https://vibe.example.com");
  if (URL.canParse(text)) {
    const { origin, href, protocol, hostname } = new URL(text);
    const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
    if (isSafe && href === `${origin}/`) return origin;
  }
  throw new UsageError(
    `${source} must be https:// and a name, without a path (https://vibe.example.com), not ${JSON.stringify(text)}`,
  );
}

function parseInteger({ text, source, fallback }: Setting, from: number, to: number): number {
  if (text === undefined) return Number(fallback);
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(
    `${source} must be a whole number from ${from} to ${to}, not ${JSON.stringify(text.slice(0, 40))}`,
  );
}
