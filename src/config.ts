import { join, resolve } from "node:path";
import { LOG_LEVELS, type LogLevel } from "./lib/log.ts";

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
  /** Rebuild the index before serving. */
  reindex: boolean;
}

interface Option {
  flag: string;
  variable?: string;
  /** The placeholder of its value; an option without one is a switch. */
  value?: string;
  fallback: string;
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
  reindex: {
    flag: "reindex",
    fallback: "off",
    help: "Rebuild the index before serving.",
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;
export type Flags = Partial<Record<OptionName, string | boolean>>;

/** Flags over environment over defaults; `home` is what `~` stands for. Throws UsageError on a wrong value. */
export function resolveConfig(flags: Flags, env: Record<string, string | undefined>, home: string): Config {
  const given = (name: OptionName): Given => {
    const option: Option = OPTIONS[name];
    if (flags[name] !== undefined) return { text: String(flags[name]), source: `--${option.flag}` };
    const text = option.variable === undefined ? undefined : env[option.variable];
    if (text === undefined || text.trim() === "") return { text: undefined, source: `--${option.flag}` };
    return { text: text.trim(), source: option.variable ?? option.flag };
  };
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
    reindex: truth(given("reindex")),
  };
}

interface Given {
  text: string | undefined;
  /** The flag or variable it came from, for messages. */
  source: string;
}

function absolutePath({ text, source, fallback }: Given & { fallback: string }, home: string): string {
  if (text?.trim() === "") throw new UsageError(`${source} takes a path, and this one is empty`);
  const path = text ?? fallback;
  return resolve(path === "~" || /^~[\\/]/.test(path) ? join(home, path.slice(1)) : path);
}

function vaultRoot(given: Given, root: string, home: string): string | undefined {
  return given.text?.toLowerCase() === "off" ? undefined : absolutePath({ ...given, fallback: root }, home);
}

function truth({ text, source }: Given): boolean {
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
