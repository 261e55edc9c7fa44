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
  /** The settings without the entry. */
  others(text: string): Entry;
}

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

const SECRETS = ["headers", "http_headers", "env", "environment"];

/** An entry for people to see: headers and variables that this program does not write may be tokens. */
export function shownEntry(entry: Entry, written: Entry): Entry {
  const isOwn = (key: string, value: Json) => !isEntry(value) || isDeepStrictEqual(value, written[key]);
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      if (!SECRETS.includes(key) || isOwn(key, value)) return [key, value];
      return [key, Object.fromEntries(Object.keys(value as Entry).map((name) => [name, "…"]))];
    }),
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
