import { join, resolve } from "node:path";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "./lib/log.ts";

/** The interfaces a client may meet: ours, and that of the earlier Python server. */
export const APIS = ["v2", "v1"] as const;
export type Api = (typeof APIS)[number];

/** What a person typed wrong: one line for stderr, exit code 2. */
export class UsageError extends Error {}

export interface Config {
  /** Absolute folder that holds the projects; it need not exist yet. */
  root: string;
  /** Absolute file of the index mirror. */
  db: string;
  /** Whether `db` was named: a read-only server writes no index file otherwise. */
  dbNamed: boolean;
  readOnly: boolean;
  api: Api;
  /** Names and groups of the tools to offer, comma-separated. */
  tools: string;
  /** Absolute folder that the vault tools serve; undefined when they are switched off. */
  vault: string | undefined;
  /** Power applied to the product of the ranking boosts: 0 switches them off, 1 applies them in full. */
  boost: number | undefined;
  logLevel: LogLevel;
  logFormat: LogFormat;
  /** Rebuild the index before serving. */
  reindex: boolean;
  /** Whether a server lets the system tell it what changes, where that can be relied on. */
  watch: boolean;
}

export interface Option {
  /** Without one, it is set in the environment alone: what is secret is not for a command line, which others can see. */
  flag?: string;
  variable?: string;
  /** The placeholder of its value; an option without one is a switch. */
  value?: string;
  fallback: string;
  /** The one command that takes it; without this, all do. */
  only?: "serve";
  help: string;
}

/** One table drives parsing, `--help` and the documentation. */
export const OPTIONS = {
  root: {
    flag: "root",
    variable: "VIBE_ROOT",
    value: "folder",
    fallback: "~/.vibe",
    help: "The folder that holds the projects.",
  },
  db: {
    flag: "db",
    variable: "VIBE_DB",
    value: "file",
    fallback: "<root>/index.db",
    help: "Where the index is mirrored; it can be deleted at any time.",
  },
  readOnly: {
    flag: "read-only",
    variable: "VIBE_READ_ONLY",
    fallback: "false",
    help: "Offer no tool that writes, and write no index file unless --db names one.",
  },
  api: {
    flag: "api",
    variable: "VIBE_API",
    value: "version",
    fallback: "v2",
    help: "Which interface clients meet: v2, or v1, that of the earlier Python server (there --boost is 1 by default).",
  },
  tools: {
    flag: "tools",
    variable: "VIBE_TOOLS",
    value: "list",
    fallback: "all",
    help: "Which tools to offer: all, core, or names and groups (read, write, vault), comma-separated.",
  },
  vault: {
    flag: "vault",
    variable: "VAULT_ROOT",
    value: "folder",
    fallback: "<root>",
    help: "The folder that the vault tools serve; off removes these tools.",
  },
  boost: {
    flag: "boost",
    variable: "VIBE_BOOST",
    value: "0..1",
    fallback: "0.1",
    help: "How much type, recency, heading and status count in the ranking: 0 not at all, 1 in full.",
  },
  logLevel: {
    flag: "log-level",
    variable: "VIBE_LOG_LEVEL",
    value: "level",
    fallback: "info",
    help: `What is logged on stderr: ${LOG_LEVELS.join(", ")}.`,
  },
  logFormat: {
    flag: "log-format",
    variable: "VIBE_LOG_FORMAT",
    value: "format",
    fallback: "text",
    help: `How it is logged: ${LOG_FORMATS.join(" or ")}, an object a line.`,
  },
  reindex: {
    flag: "reindex",
    fallback: "off",
    help: "Rebuild the index before serving.",
  },
  watch: {
    flag: "watch",
    variable: "VIBE_WATCH",
    value: "mode",
    fallback: "auto",
    help: "For servers: auto lets the system tell what changes, where that can be relied on; off looks at all files in each call.",
  },
  port: {
    flag: "port",
    variable: "VIBE_PORT",
    value: "number",
    fallback: "8080",
    only: "serve",
    help: "The port to listen on; 0 takes a free one.",
  },
  host: {
    flag: "host",
    variable: "VIBE_HOST",
    value: "address",
    fallback: "127.0.0.1",
    only: "serve",
    help: "The address to listen on; any but this machine's own needs a token.",
  },
  authToken: {
    variable: "VIBE_AUTH_TOKEN",
    fallback: "none",
    only: "serve",
    help: "Tokens that clients send, 32 characters at least, comma-separated; all are valid.",
  },
  readToken: {
    variable: "VIBE_READ_TOKEN",
    fallback: "none",
    only: "serve",
    help: "Tokens that are offered the tools that read alone, comma-separated.",
  },
  tokenFile: {
    flag: "token-file",
    variable: "VIBE_AUTH_TOKEN_FILE",
    value: "file",
    fallback: "none",
    only: "serve",
    help: "A file of tokens, one a line (`read <token>` to read alone), read again when it changes.",
  },
  stateless: {
    flag: "stateless",
    variable: "VIBE_STATELESS",
    fallback: "false",
    only: "serve",
    help: "Keep no sessions, for several replicas behind a proxy.",
  },
  allowedHost: {
    flag: "allowed-host",
    variable: "VIBE_ALLOWED_HOST",
    value: "names",
    fallback: "none",
    only: "serve",
    help: "Names by which clients may address it, comma-separated.",
  },
  allowedOrigin: {
    flag: "allowed-origin",
    variable: "VIBE_ALLOWED_ORIGIN",
    value: "origins",
    fallback: "none",
    only: "serve",
    help: "Web origins that may call it (https://app.example.com), comma-separated.",
  },
  trustProxy: {
    flag: "trust-proxy",
    variable: "VIBE_TRUST_PROXY",
    fallback: "false",
    only: "serve",
    help: "Take the client's address from the proxy in front (the last of X-Forwarded-For).",
  },
  maxSessions: {
    flag: "max-sessions",
    variable: "VIBE_MAX_SESSIONS",
    value: "number",
    fallback: "1000",
    only: "serve",
    help: "How many sessions are kept; the longest unused gives way to a new one.",
  },
  sessionIdle: {
    flag: "session-idle",
    variable: "VIBE_SESSION_IDLE",
    value: "seconds",
    fallback: "3600",
    only: "serve",
    help: "After how long without a request a session ends.",
  },
  oauth: {
    flag: "oauth",
    variable: "VIBE_OAUTH",
    fallback: "false",
    only: "serve",
    help: "Let Claude.ai and ChatGPT log in with a token typed on a page; needs --public-url.",
  },
  publicUrl: {
    flag: "public-url",
    variable: "VIBE_PUBLIC_URL",
    value: "url",
    fallback: "none",
    only: "serve",
    help: "With --oauth: where clients reach it (https://vibe.example.com).",
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;
export type Flags = Partial<Record<OptionName, string | boolean>>;

/** Flags over environment over defaults; `home` is what `~` stands for. Throws UsageError on a wrong value. */
export function resolveConfig(flags: Flags, env: Environment, home: string): Config {
  const given = (name: OptionName) => givenOption(name, flags, env);
  const root = absolutePath({ ...given("root"), fallback: OPTIONS.root.fallback }, home);
  const db = given("db");
  const api = oneOf(given("api"), APIS, OPTIONS.api.fallback);
  if (/\.md$/i.test(db.text ?? ""))
    throw new UsageError(`${db.source} names a Markdown file: the index needs one of its own`);
  return {
    root,
    db: absolutePath({ ...db, fallback: join(root, "index.db") }, home),
    dbNamed: db.text !== undefined,
    readOnly: truth(given("readOnly")),
    api,
    tools: given("tools").text ?? OPTIONS.tools.fallback,
    vault: vaultRoot(given("vault"), root, home),
    boost: fraction(given("boost")) ?? (api === "v1" ? 1 : undefined),
    logLevel: oneOf(given("logLevel"), LOG_LEVELS, OPTIONS.logLevel.fallback),
    logFormat: oneOf(given("logFormat"), LOG_FORMATS, OPTIONS.logFormat.fallback),
    reindex: truth(given("reindex")),
    watch: oneOf(given("watch"), ["auto", "off"], OPTIONS.watch.fallback) === "auto",
  };
}

export interface Given {
  text: string | undefined;
  /** The flag or variable it came from, for messages. */
  source: string;
}

export type Environment = Record<string, string | undefined>;

/** What was given for an option: by flag, else by a variable that is not empty. */
export function givenOption(name: OptionName, flags: Flags, env: Environment): Given {
  const { flag, variable = "" }: Option = OPTIONS[name];
  if (flags[name] !== undefined) return { text: String(flags[name]), source: `--${flag}` };
  const text = env[variable]?.trim();
  if (text !== undefined && text !== "") return { text, source: variable };
  return { text: undefined, source: flag === undefined ? variable : `--${flag}` };
}

export function absolutePath({ text, source, fallback }: Given & { fallback: string }, home: string): string {
  if (text?.trim() === "") throw new UsageError(`${source} takes a path, and this one is empty`);
  const path = text ?? fallback;
  return resolve(path === "~" || /^~[\\/]/.test(path) ? join(home, path.slice(1)) : path);
}

function vaultRoot(given: Given, root: string, home: string): string | undefined {
  return given.text?.toLowerCase() === "off" ? undefined : absolutePath({ ...given, fallback: root }, home);
}

export function truth({ text, source }: Given): boolean {
  if (text === undefined) return false;
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${source} takes true or false, not ${JSON.stringify(text)}`);
}

function fraction({ text, source }: Given): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= 0 && value <= 1) return value;
  throw new UsageError(`${source} takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}

function oneOf<T extends string>({ text, source }: Given, values: readonly T[], fallback: T): T {
  const wanted = (text ?? fallback).toLowerCase();
  const found = values.find((value) => value === wanted);
  if (found !== undefined) return found;
  throw new UsageError(`${source} takes one of ${values.join(", ")}, not ${JSON.stringify(text)}`);
}
