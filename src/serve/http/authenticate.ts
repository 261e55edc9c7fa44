import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { HttpConfig } from "../../core/config/http.ts";
import { UsageError } from "../../core/config/options.ts";
import { checkTokens, parseTokenFile, type Token } from "../../core/config/tokens.ts";
import type { Caller } from "../../core/history/actor.ts";
import type { Sight } from "../../core/history/sight.ts";
import type { Log } from "../../core/lib/log.ts";
import { reasonOf } from "../../core/storage/fs-errors.ts";
import { isOpenToOthers } from "../../core/storage/own-file.ts";
import { followFile } from "../../core/storage/read.ts";

export interface Access extends Caller {
  /** Names the credential in every request that carries it: a session belongs to the principal that opened it. */
  principal: string;
  readOnly: boolean;
  projects?: Sight;
  /** What the page gets for this credential: a token with which a person acts. Nobody else gets one. */
  pageToken?: string;
}

/** Each way to log in is one of these. */
export interface Authenticator {
  /** Undefined for a request without a valid credential. */
  authenticate(request: IncomingMessage): Access | undefined;
  /** Whether a principal still has access. */
  admits(principal: string): boolean;
  /** The WWW-Authenticate header for a refused request. */
  challenge(request: IncomingMessage): string;
  /** Whether a refused request may have guessed a credential. */
  isGuess(request: IncomingMessage): boolean;
}

/** For a server that only this machine can reach. */
export function openToAll(): Authenticator {
  const anyone = { principal: "anyone", readOnly: false, pageToken: randomBytes(32).toString("base64url") };
  return {
    authenticate: (request) => findCredential([pageOf(anyone)], bearerToken(request)) ?? anyone,
    admits: () => true,
    challenge: () => "Bearer",
    isGuess: () => false,
  };
}

/** A token of the configuration. */
export interface Credential extends Access {
  /** SHA-256 of the token. */
  digest: Buffer;
  pageToken: string;
}

/** The current tokens. */
export type Credentials = () => readonly Credential[];

/** The tokens of the configuration and of the token file. Throws UsageError. */
export function openCredentials(
  { tokens, tokenFile, strict }: Pick<HttpConfig, "tokens" | "tokenFile" | "strict">,
  log: Log,
): Credentials {
  const pageKey = randomBytes(32);
  const credentialOf = (
    { secret, readOnly, isPerson = false, name, projects }: Token,
    at: number,
  ): Credential => {
    const [, hash] = /^sha256:([\da-f]{64})$/i.exec(secret) ?? [];
    const digest = hash === undefined ? digestOf(secret) : Buffer.from(hash, "hex");
    const token = name ?? `token ${at + 1}`;
    // What changes of a token ends what was opened with it.
    const rights = [readOnly ? "reads" : "writes", isPerson, encodeURIComponent(projects?.join() ?? "")];
    const principal = [digest.toString("hex"), ...rights, token].join(" ");
    const pageToken = createHmac("sha256", pageKey).update(principal).digest("base64url");
    return { digest, readOnly, isPerson, token, projects, principal, pageToken };
  };
  const withFile = (text: string, file: string) => {
    checkMode(file, strict, log);
    return checkTokens([...tokens, ...parseTokenFile(text, file)]).map(credentialOf);
  };
  if (tokenFile !== undefined) return followTokens(tokenFile, withFile, log);
  const credentials = tokens.map(credentialOf);
  return () => credentials;
}

/** What the page has access to with its own token. */
function pageOf({ principal, pageToken, ...access }: Access & { pageToken: string }) {
  return { ...access, digest: digestOf(pageToken), principal: `${principal} page`, isPerson: true };
}

export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Who writes the file makes tokens, and who reads it has those that are no hashes. Throws UsageError with `strict`. */
function checkMode(file: string, strict: boolean, log: Log): void {
  if (!isOpenToOthers(file)) return;
  const problem = `other users may read or write the token file: chmod 600 ${file}`;
  if (strict) throw new UsageError(problem);
  log.warn(problem);
}

/** A file that becomes unusable changes nothing: a failed rotation must not lock out clients. */
function followTokens(
  file: string,
  read: (text: string, file: string) => Credential[],
  log: Log,
): Credentials {
  const follow = followFile(file);
  const parse = (text: string) => read(text, file);
  let credentials = parse(readFirst(follow, file));
  if (credentials.length === 0)
    throw new UsageError(`${file} holds no token: vibe-mcp token new <name> makes one`);
  let problem = "";
  return () => {
    try {
      const text = follow();
      if (text !== undefined) {
        credentials = parse(text);
        log.info("token file reloaded");
      }
      problem = "";
    } catch (error) {
      const reason = error instanceof UsageError ? error.message : reasonOf(error);
      if (reason !== problem)
        log.warn(`the token file cannot be used, keeping the current tokens: ${reason}`);
      problem = reason;
    }
    return credentials;
  };
}

function readFirst(follow: () => string | undefined, file: string): string {
  try {
    return follow() ?? "";
  } catch (error) {
    throw new UsageError(`the token file ${file} cannot be read: ${reasonOf(error)}`);
  }
}

/** Accepts bearer tokens. */
export function tokenAuthenticator(credentials: Credentials): Authenticator {
  const all = (): readonly (Access & Pick<Credential, "digest">)[] => [
    ...credentials(),
    ...credentials().map(pageOf),
  ];
  return {
    authenticate: (request) => findCredential(all(), bearerToken(request)),
    admits: (principal) => all().some((one) => one.principal === principal),
    challenge: ({ headers }) =>
      `Bearer realm="vibe-mcp"${headers.authorization === undefined ? "" : ', error="invalid_token"'}`,
    isGuess: ({ headers }) => headers.authorization !== undefined,
  };
}

/** Undefined unless there is exactly one well-formed Authorization header. Node reads its bytes as Latin-1. */
export function bearerToken({ headersDistinct }: IncomingMessage): string | undefined {
  const [header = "", another] = headersDistinct["authorization"] ?? [];
  const token = another === undefined ? /^Bearer +([\x21-\x7e\x80-\xff]+)$/i.exec(header)?.[1] : undefined;
  return token === undefined ? undefined : Buffer.from(token, "latin1").toString();
}

/** Takes the same time for every token, right, wrong or nearly right. */
export function findCredential<T extends Pick<Credential, "digest">>(
  credentials: readonly T[],
  token: string | undefined,
): T | undefined {
  if (token === undefined) return undefined;
  const digest = digestOf(token);
  const equal = credentials.filter((one) => timingSafeEqual(one.digest, digest));
  return equal[0];
}
