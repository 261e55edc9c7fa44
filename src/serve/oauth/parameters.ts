import type { IncomingMessage } from "node:http";
import { readBody } from "../http/body.ts";

/** From RFC 6749, 7591 and 8707. */
type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "temporarily_unavailable"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** A code of the RFCs, and a sentence for the client's log. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

const MAX_BYTES = 10_000;

/** Undefined for an empty value (RFC 6749, 3.1). Throws OAuthError for a repeated parameter. */
export function single(parameters: URLSearchParams, name: string): string | undefined {
  const [value, another] = parameters.getAll(name);
  if (another !== undefined) throw new OAuthError("invalid_request", `${name} is repeated.`);
  return value === "" ? undefined : value;
}

export function required(parameters: URLSearchParams, name: string): string {
  const value = single(parameters, name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing.`);
  return value;
}

/** Throws OAuthError, and Refusal for a form that is too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request, "application/x-www-form-urlencoded"));
}

/** Throws OAuthError, and Refusal for a body that is too large. */
export async function readSmallJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request, "application/json");
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not JSON.");
  }
}

async function readText(request: IncomingMessage, type: string): Promise<string> {
  const body = await readBody(request, MAX_BYTES);
  const [sent = ""] = (request.headers["content-type"] ?? "").split(";");
  if (sent.trim().toLowerCase() === type) return body.toString();
  throw new OAuthError("invalid_request", `The body must be ${type}.`);
}
