import { isAbsolute, join, resolve } from "node:path";
import { isMarkdown } from "../lib/file-names.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../lib/log.ts";
import { DEFAULT_HISTORY, type HistoryBounds, parseHistory } from "./history.ts";

/** v1 is the interface of the earlier Python server. */
const APIS = ["v2", "v1"] as const;

/** A mistake on the command line or in the environment: one line on stderr, exit code 2. */
export class UsageError extends Error {}

export interface Option {
  /** Secrets have none: others can see a command line. */
  flag?: string;
  variable?: string;
  /** The placeholder of its value; a switch has none. */
  value?: string;
  fallback: string;
  /** The only command that takes it (default: all). */
  only?: "serve";
  /** Commands that do not take it: they name a project as a word, or need none. */
  except?: readonly string[];
  /** What its values are, for shell completion. */
  values?: "project";
  help: string;
}

/** One table drives parsing, `--help` and the documentation. */
export const OPTIONS = {
  root: {
    flag: "root",
    variable: "VIBE_ROOT",
    value: "folder",
    fallback: "~/.vibe",
    help: "The folder that holds the projects (default in a repository that keeps its own notes: these).",
  },
  db: {
    flag: "db",
    variable: "VIBE_DB",
    value: "file",
    fallback: "<root>/index.db",
    help: "Where the index is stored; it can be deleted at any time.",
  },
  project: {
    flag: "project",
    variable: "VIBE_PROJECT",
    value: "name",
    fallback: "found from the folder",
    values: "project",
    except: ["projects", "init", "reindex", "demo", "completion"],
    help: "The current project, whatever the folder is.",
  },
  readOnly: {
    flag: "read-only",
    variable: "VIBE_READ_ONLY",
    fallback: "false",
    help: "Offer no tools that write; keep an index that the root lacks in the state folder.",
  },
  api: {
    flag: "api",
    variable: "VIBE_API",
    value: "version",
    fallback: "v2",
    help: "The interface for clients: v2, or v1 for that of the earlier Python server (with --boost 1 by default).",
  },
  tools: {
    flag: "tools",
    variable: "VIBE_TOOLS",
    value: "list",
    fallback: "all",
    help: "Tools to offer: all, core, or names and groups (read, write, vault), comma-separated.",
  },
  vault: {
    flag: "vault",
    variable: "VAULT_ROOT",
    value: "folder",
    fallback: "<root>",
    help: "The folder for the vault tools; off removes these tools.",
  },
  history: {
    flag: "history",
    variable: "VIBE_HISTORY",
    value: "age,size",
    fallback: DEFAULT_HISTORY,
    help: "How long, and how much of, replaced and removed text is kept to undo changes; off records nothing.",
  },
  boost: {
    flag: "boost",
    variable: "VIBE_BOOST",
    value: "0..1",
    fallback: "0.1",
    help: "How much type, recency, heading and status count in the ranking, from 0 (not at all) to 1 (in full).",
  },
  logLevel: {
    flag: "log-level",
    variable: "VIBE_LOG_LEVEL",
    value: "level",
    fallback: "info",
    help: `Log level on stderr: ${LOG_LEVELS.join(", ")}.`,
  },
  logFormat: {
    flag: "log-format",
    variable: "VIBE_LOG_FORMAT",
    value: "format",
    fallback: "text",
    help: `Log format: ${LOG_FORMATS.join(" or ")}, one object per line.`,
  },
  docs: {
    flag: "no-docs",
    variable: "VIBE_DOCS",
    fallback: "on",
    help: "Leave out the Markdown files of the project's repository; the variable is on or off.",
  },
  stale: {
    variable: "VIBE_STALE",
    fallback: "on",
    help: "Whether notes are compared with the project's repository, and what they name and is gone is marked: on or off.",
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
    help: "File watching for servers: auto watches where that is reliable; off scans all files on every call.",
  },
  sync: {
    flag: "sync",
    variable: "VIBE_SYNC",
    value: "mode",
    fallback: "auto",
    help: "For notes with a remote (see vibe-mcp sync): auto syncs them by itself, manual by the command alone, off never.",
  },
  port: {
    flag: "port",
    variable: "VIBE_PORT",
    value: "number",
    fallback: "8080",
    only: "serve",
    help: "The port to listen on; 0 picks a free one.",
  },
  host: {
    flag: "host",
    variable: "VIBE_HOST",
    value: "address",
    fallback: "127.0.0.1",
    only: "serve",
    help: "The address to listen on; all but loopback addresses need a token.",
  },
  authToken: {
    variable: "VIBE_AUTH_TOKEN",
    fallback: "none",
    only: "serve",
    help: "Tokens for clients, comma-separated, each of at least 32 bytes.",
  },
  readToken: {
    variable: "VIBE_READ_TOKEN",
    fallback: "none",
    only: "serve",
    help: "Read-only tokens, comma-separated.",
  },
  tokenFile: {
    flag: "token-file",
    variable: "VIBE_AUTH_TOKEN_FILE",
    value: "file",
    fallback: "tokens in the state folder, if there",
    only: "serve",
    help: "A file with one token per line, as `vibe-mcp token new` writes it; reloaded when it changes.",
  },
  strict: {
    flag: "strict",
    variable: "VIBE_STRICT",
    fallback: "false",
    only: "serve",
    help: "Refuse a token file that other users may read or write, instead of a warning.",
  },
  stateless: {
    flag: "stateless",
    variable: "VIBE_STATELESS",
    fallback: "false",
    only: "serve",
    help: "Keep no sessions and offer no board, for several replicas behind a proxy.",
  },
  noBoard: {
    flag: "no-board",
    variable: "VIBE_NO_BOARD",
    fallback: "false",
    only: "serve",
    help: "Do not offer the web page of the board at /.",
  },
  allowedHost: {
    flag: "allowed-host",
    variable: "VIBE_ALLOWED_HOST",
    value: "names",
    fallback: "none",
    only: "serve",
    help: "Host names by which clients may reach it, comma-separated.",
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
    help: "Take the client's address from a proxy (the last one in X-Forwarded-For).",
  },
  maxSessions: {
    flag: "max-sessions",
    variable: "VIBE_MAX_SESSIONS",
    value: "number",
    fallback: "1000",
    only: "serve",
    help: "Maximum sessions; the one unused for longest gives way to a new one.",
  },
  sessionIdle: {
    flag: "session-idle",
    variable: "VIBE_SESSION_IDLE",
    value: "seconds",
    fallback: "3600",
    only: "serve",
    help: "How long a session may be idle before it ends.",
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
    help: "With --oauth: the URL at which clients reach it (https://vibe.example.com).",
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;
export type Flags = Partial<Record<OptionName, string | boolean>>;

export type Config = ReturnType<typeof resolveConfig>;

/**
 * Flags over environment over defaults; `home` is what `~` stands for, `inRepository` the root of the notes that the repository of
 * the working folder keeps itself. Throws UsageError on a wrong value.
 */
export function resolveConfig(flags: Flags, env: Environment, home: string, inRepository?: string) {
  const setting = (name: OptionName) => findSetting(name, flags, env);
  const named = setting("root");
  const root = parsePath({ ...named, fallback: inRepository ?? named.fallback }, home);
  const db = setting("db");
  const vault = setting("vault");
  const docs = setting("docs");
  const stale = setting("stale");
  const api = parseChoice(setting("api"), APIS);
  if (isMarkdown(db.text ?? ""))
    throw new UsageError(`${db.source} names a Markdown file: choose another file for the index`);
  return {
    /** Absolute, like every path here; it need not exist yet. */
    root,
    rootFrom: rootSource(named, inRepository),
    /** The index file. */
    db: parsePath({ ...db, fallback: join(root, "index.db") }, home),
    /** Whether `db` was named: otherwise a read-only server writes no index file into the root. */
    dbNamed: db.text !== undefined,
    /** The current project and where it was named; it need not exist. */
    project: parseProject(setting("project")),
    readOnly: parseSwitch(setting("readOnly")),
    api,
    tools: setting("tools").text ?? OPTIONS.tools.fallback,
    /** Undefined if the vault tools are off. */
    vault: vault.text?.toLowerCase() === "off" ? undefined : parsePath({ ...vault, fallback: root }, home),
    history: parseBounds(setting("history")),
    /** The folder for what belongs to this user on this machine. */
    state: stateFolder(env, home),
    /** Power applied to the product of the ranking boosts, from 0 (off) to 1. */
    boost: parseFraction(setting("boost")) ?? (api === "v1" ? 1 : undefined),
    logLevel: parseChoice(setting("logLevel"), LOG_LEVELS),
    logFormat: parseChoice(setting("logFormat"), LOG_FORMATS),
    reindex: parseSwitch(setting("reindex")),
    watch: parseChoice(setting("watch"), ["auto", "off"]) === "auto",
    /** Whether the Markdown files of a project's repository are among its documents. */
    docs: flags.docs === undefined && parseSwitch({ ...docs, text: docs.text ?? docs.fallback }),
    stale: parseSwitch({ ...stale, text: stale.text ?? stale.fallback }),
    sync: parseChoice(setting("sync"), ["auto", "manual", "off"]),
  };
}

function rootSource({ text }: Setting, inRepository: string | undefined) {
  if (text !== undefined) return "setting";
  return inRepository === undefined ? "default" : "repository";
}

function stateFolder(env: Environment, home: string): string {
  const given = [env["XDG_STATE_HOME"], env["LOCALAPPDATA"]].find((folder) => isAbsolute(folder ?? ""));
  return join(given ?? join(home, ".local", "state"), "vibe-mcp");
}

export interface Setting {
  text: string | undefined;
  /** Its flag or variable, for messages. */
  source: string;
  fallback: string;
}

export type Environment = Record<string, string | undefined>;

/** An empty variable is ignored. */
export function findSetting(name: OptionName, flags: Flags, env: Environment): Setting {
  const { flag, variable = "", fallback }: Option = OPTIONS[name];
  if (flags[name] !== undefined) return { text: String(flags[name]), source: `--${flag}`, fallback };
  const text = env[variable]?.trim() || undefined;
  return { text, source: text === undefined && flag !== undefined ? `--${flag}` : variable, fallback };
}

export function parsePath({ text, source, fallback }: Setting, home: string): string {
  if (text?.trim() === "") throw new UsageError(`${source} must be a path, and is empty`);
  const path = text ?? fallback;
  return resolve(path === "~" || /^~[\\/]/.test(path) ? join(home, path.slice(1)) : path);
}

function parseProject({ text, source }: Setting): { name: string; source: string } | undefined {
  if (text === undefined) return undefined;
  if (text.trim() === "") throw new UsageError(`${source} must be the name of a project, and is empty`);
  return { name: text, source };
}

export function parseSwitch({ text, source }: Setting): boolean {
  if (text === undefined) return false;
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${source} must be true or false, not ${JSON.stringify(text)}`);
}

function parseBounds({ text, source, fallback }: Setting): HistoryBounds {
  const bounds = parseHistory(text ?? fallback);
  if (bounds !== undefined) return bounds;
  throw new UsageError(
    `${source} must be an age and a size such as ${DEFAULT_HISTORY}, or off, not ${JSON.stringify(text)}`,
  );
}

function parseFraction({ text, source }: Setting): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`${source} must be a number from 0 to 1, not ${JSON.stringify(text)}`);
}

function parseChoice<T extends string>({ text, source, fallback }: Setting, choices: readonly T[]): T {
  const lower = (text ?? fallback).toLowerCase();
  const choice = choices.find((one) => one === lower);
  if (choice !== undefined) return choice;
  throw new UsageError(`${source} must be one of ${choices.join(", ")}, not ${JSON.stringify(text)}`);
}
