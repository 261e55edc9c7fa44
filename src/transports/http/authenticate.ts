import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { UsageError } from "../../config.ts";
import { reasonOf } from "../../files/errors.ts";
import { followFile } from "../../files/read.ts";
import { checkTokens, type HttpConfig, parseTokenFile, type Token } from "../../http-config.ts";
import type { Log } from "../../lib/log.ts";

/** What somebody who was let in may do. */
export interface Access {
  /** The same for every request with the same credential: a session belongs to the one that opened it. */
  principal: string;
  readOnly: boolean;
}

/** Decides who is let in. Another way to log in is another of these. */
export interface Authenticator {
  /** Undefined for a request without a valid credential. */
  authenticate(request: IncomingMessage): Access | undefined;
  /** Whether somebody who was let in still is. */
  admits(principal: string): boolean;
  /** The WWW-Authenticate header for a request that is not let in. */
  challenge(request: IncomingMessage): string;
  /** Whether the credential of a request that is not let in may be a guess. */
  isGuess(request: IncomingMessage): boolean;
}

/** Lets everybody in: for a server that only this machine reaches. */
export const openToAll: Authenticator = {
  authenticate: () => ({ principal: "anyone", readOnly: false }),
  admits: () => true,
  challenge: () => "Bearer",
  isGuess: () => false,
};

/** A token of the configuration. */
export interface Known extends Access {
  /** SHA-256 of the token. */
  digest: Buffer;
}

/** The tokens as they are at the moment of the call. */
export type KnownTokens = () => readonly Known[];

/** The tokens of the configuration, and of the file as it is. Throws UsageError. */
export function knownTokens(
  { tokens, tokenFile }: Pick<HttpConfig, "tokens" | "tokenFile">,
  log: Log,
): KnownTokens {
  return tokenFile === undefined ? constant(tokens) : followed(tokenFile, tokens, log);
}

/** Lets bearer tokens in. */
export function tokenAuthenticator(known: KnownTokens): Authenticator {
  return {
    authenticate: (request) => {
      const token = bearerToken(request);
      return token === undefined ? undefined : findToken(known(), token);
    },
    admits: (principal) => known().some((one) => one.principal === principal),
    challenge: ({ headers }) =>
      `Bearer realm="vibe-mcp"${headers.authorization === undefined ? "" : ', error="invalid_token"'}`,
    isGuess: ({ headers }) => headers.authorization !== undefined,
  };
}

/** Undefined unless there is exactly one Authorization header of the right form. */
export function bearerToken({ headersDistinct }: IncomingMessage): string | undefined {
  const [header = "", another] = headersDistinct["authorization"] ?? [];
  return another === undefined ? /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1] : undefined;
}

/** Takes as long for a token that is almost right, and for any place in the list. */
export function findToken(known: readonly Known[], token: string): Known | undefined {
  const digest = digestOf(token);
  const equal = known.filter((one) => timingSafeEqual(one.digest, digest));
  return equal[0];
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function constant(tokens: readonly Token[]): KnownTokens {
  const known = tokens.map(({ secret, readOnly }) => {
    const digest = digestOf(secret);
    return { digest, readOnly, principal: `${digest.toString("hex")} ${readOnly ? "reads" : "writes"}` };
  });
  return () => known;
}

/** A file that cannot be used any more changes nothing: a rotation that goes wrong locks nobody out. */
function followed(file: string, tokens: readonly Token[], log: Log): KnownTokens {
  const follow = followFile(file);
  const read = (text: string) => constant(checkTokens([...tokens, ...parseTokenFile(text, file)]));
  let known = read(readFirst(follow, file));
  let problem = "";
  return () => {
    try {
      const text = follow();
      if (text !== undefined) {
        known = read(text);
        log.info("the token file was read again");
      }
    } catch (error) {
      const reason = error instanceof UsageError ? error.message : reasonOf(error);
      if (reason !== problem) log.warn(`the token file cannot be used, the tokens stay: ${reason}`);
      problem = reason;
      return known();
    }
    problem = "";
    return known();
  };
}

function readFirst(follow: () => string | undefined, file: string): string {
  try {
    return follow() ?? "";
  } catch (error) {
    throw new UsageError(`the token file ${file} cannot be read: ${reasonOf(error)}`);
  }
}
