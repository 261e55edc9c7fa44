import type { IncomingMessage } from "node:http";
import { readBody } from "../body.ts";
import { OAuthError } from "./errors.ts";

const MAX_BYTES = 10_000;

/** The parameter of a name; one without a value counts as left out (RFC 6749, 3.1). Throws OAuthError when it is there twice. */
export function single(given: URLSearchParams, name: string): string | undefined {
  const [value, another] = given.getAll(name);
  if (another !== undefined) throw new OAuthError("invalid_request", `${name} is given more than once.`);
  return value === "" ? undefined : value;
}

export function required(given: URLSearchParams, name: string): string {
  const value = single(given, name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing.`);
  return value;
}

/** The fields of a form. Throws OAuthError, and Refusal when it is too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(request, "application/x-www-form-urlencoded"));
}

/** The JSON of a small body. Throws OAuthError, and Refusal when it is too large. */
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
  const [given = ""] = (request.headers["content-type"] ?? "").split(";");
  if (given.trim().toLowerCase() === type) return body.toString();
  throw new OAuthError("invalid_request", `The body has to be ${type}.`);
}
