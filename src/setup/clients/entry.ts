import { isDeepStrictEqual } from "node:util";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a client's settings say about one server. */
export type Entry = Record<string, Json>;

/** What `connect` edits in the text of a settings file: the entry of this server. */
export interface Target {
  /** Throws BrokenSettings, like all of these. */
  parse(text: string): Entry;
  read(text: string): Entry | undefined;
  write(text: string, value: Entry): string;
  remove(text: string): string;
  /** All values that `write` puts into the text. */
  scalars(value: Entry): Json[];
  hide: Hide;
}

/**
 * Hides every value that this program does not write, and every comment: they may hold tokens of other servers. Keys and line
 * breaks stay.
 */
export type Hide = (text: string, own: ReadonlySet<Json>) => string;

/** A program that a client starts. */
export interface Launch {
  command: string;
  args: string[];
}

/** A server that a client reaches over HTTP. */
export interface Remote {
  url: string;
  /** The environment variable that holds the token; undefined for a server without one. */
  token: string | undefined;
}

const ADDRESS_KEYS = ["url", "httpUrl", "serverUrl"];
const TRANSPORT_KEYS = [
  ...ADDRESS_KEYS,
  "type",
  "source",
  "command",
  "args",
  "env",
  "environment",
  "cwd",
  "headers",
  "http_headers",
  "env_http_headers",
  "bearer_token_env_var",
  "startup_timeout_sec",
];

/** The changes that turn one entry into another; other keys that a person set stay. */
export function entryChanges(current: Entry, next: Entry): { set: Entry; remove: string[] } {
  const merged: Entry = { ...next };
  for (const key of ["headers", "env"]) {
    const [before, after] = [current[key], next[key]];
    if (isEntry(before) && isEntry(after)) merged[key] = { ...before, ...after };
  }
  const changed = Object.entries(merged).filter(([key, value]) => !isDeepStrictEqual(current[key], value));
  const remove = obsoleteKeys(current, next).filter((key) => key in current && !(key in next));
  return { set: Object.fromEntries(changed), remove };
}

function obsoleteKeys(current: Entry, next: Entry): string[] {
  const isProgram = "command" in next;
  if (isProgram !== "command" in current) return TRANSPORT_KEYS;
  // Zed no longer wants `source`.
  return isProgram ? ["source"] : [...ADDRESS_KEYS, "type"];
}

/** The words of the command that an entry starts: opencode has them in one list. */
export function commandOf({ command, args }: Entry): Json[] {
  return [command ?? [], args ?? []].flat();
}

/** Whether a word of a command is this program. */
export function isProgram(word: Json): boolean {
  return typeof word === "string" && /(?:^|[\\/])vibe-mcp(?:\.cjs)?$/.test(word);
}

const STARTERS = /(?:^|[\\/])(?:node|npx|cmd)(?:\.exe)?$/;
const OPTIONS = ["--root", "--db", "--vault", "--project", "--api", "--tools", "--boost"];

/** The words of an entry that starts this program which `connect` writes too: what starts it, itself, and its settings. */
export function ownWords(entry: Entry): Json[] {
  const words = commandOf(entry);
  if (!words.some(isProgram)) return [];
  const isOption = (word: Json | undefined) => OPTIONS.some((option) => option === word);
  return words.filter(
    (word, at) =>
      isProgram(word) ||
      isOption(word) ||
      isOption(words[at - 1]) ||
      (at === 0 && STARTERS.test(String(word))),
  );
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Settings with invalid syntax, or whose servers are not an object. */
export class BrokenSettings extends Error {
  /** Counted from one; undefined if unknown. */
  readonly line: number | undefined;

  constructor(reason: string, line?: number) {
    super(reason);
    this.line = line;
  }
}

/** The line of an offset, counted from one. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
