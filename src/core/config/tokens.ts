import { definedOf } from "../lib/collections.ts";
import { quoteName } from "../lib/escape.ts";
import { withoutMark } from "../lib/text.ts";
import { UsageError } from "./options.ts";

export interface Token {
  /** Or `sha256:` and its hash in hex. */
  secret: string;
  readOnly: boolean;
  /** Whether a person acts with it, whatever the client. */
  isPerson?: boolean;
  name?: string;
  /** Names and globs of the projects that it sees (default: all). */
  projects?: string[];
  /** The day it was made. */
  made?: string;
}

const MIN_TOKEN_BYTES = 32;

/** What a token's line begins with, unless it is for an agent that may write. */
export type TokenKind = "read" | "person";

export function kindOf({ readOnly, isPerson }: Pick<Token, "readOnly" | "isPerson">): TokenKind | undefined {
  return readOnly ? "read" : isPerson ? "person" : undefined;
}

/** `[read|person] [name] <token>` per line; `#` starts a comment. None if all are gone, but text is left. Throws UsageError. */
export function parseTokenFile(text: string, file: string): Token[] {
  // A file that is being replaced may be empty for a moment.
  if (withoutMark(text).trim() === "") throw new UsageError(`${file} is empty`);
  return checkTokens(linesOf(text).flatMap((line) => parseLine(line, file) ?? []));
}

interface NewToken extends Omit<Token, "projects"> {
  name: string;
  /** As the line has them. */
  projects: string | undefined;
}

/** The text of a token file with one more token. Throws UsageError. */
export function withToken(text: string, token: NewToken, file: string): string {
  const { name, secret, projects, made } = token;
  if (!isName(name))
    throw new UsageError(
      `a token's name has only a-z, 0-9 and "-", and is not read or person: ${quoteName(name)}`,
    );
  const line = [kindOf(token), name, secret, projects, made && `# ${made}`].filter(Boolean).join(" ");
  const changed = `${text.replace(/(?<=[^\n])$/, "\n")}${line}\n`;
  parseTokenFile(changed, file);
  return changed;
}

/** The text of a token file without the token of that name; a comment says so. */
export function withoutToken(text: string, name: string, { file, day }: { file: string; day: string }) {
  const isIt = (line: string) => parseLine(line, file)?.name === name;
  return linesOf(text)
    .map((line) => (isIt(line) ? `# ${name}: revoked ${day}` : line))
    .join("\n");
}

function linesOf(text: string): string[] {
  return withoutMark(text).split(/\r?\n/);
}

function isName(word: string): boolean {
  return /^(?!(?:read|person)$)[a-z0-9-]+$/.test(word);
}

function parseLine(line: string, file: string): Token | undefined {
  const [said = "", comment] = line.split(/(?:^|\s)#(.*)/);
  if (said.trim() === "") return undefined;
  const [, kind, rest = ""] = /^(?:(read|person)\s+)?(.*)$/is.exec(said.trim()) ?? [];
  const [, name, secret = rest, seen] = /^([a-z0-9-]+)\s+(\S+)(?:\s+(.+))?$/s.exec(rest) ?? [];
  if (name !== undefined && !isName(name)) throw new UsageError(`${file}: no token is named ${name}`);
  const projects = seen === undefined ? undefined : parseProjects(seen, file);
  const made = /^\s*(\d{4}-\d\d-\d\d)\s*$/.exec(comment ?? "")?.[1];
  const token = { secret, readOnly: /read/i.test(kind ?? ""), ...definedOf({ name, projects, made }) };
  return checkToken(/person/i.test(kind ?? "") ? { ...token, isPerson: true } : token, file);
}

/** `docs,"My notes",api-*` */
function parseProjects(text: string, file: string): string[] {
  const items = text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((item) => item.trim());
  const names = items.map((item) => /^(?:"([^"]+)"|([^\s"]+))$/.exec(item)?.slice(1).join(""));
  if (names.every((name) => name !== undefined)) return names;
  throw new UsageError(`${file}: projects stand behind a token as docs,"My notes",api-*`);
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
  if (twice !== undefined)
    throw new UsageError(`two tokens have the name ${twice}: revoke one, or choose another name`);
  return tokens;
}
