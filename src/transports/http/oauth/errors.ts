import type { OutgoingHttpHeaders } from "node:http";
import { Refusal } from "../reply.ts";

/** The words of RFC 6749, 7591 and 8707. */
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

/** What is wrong, in the RFCs' words, and a sentence for whoever reads the client's log. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** The answer to a program. */
export function jsonRefusal(error: unknown): unknown {
  if (error instanceof Refusal && error.status < 500)
    return errorBody(error.status, "invalid_request", "The request is too large, or was not complete.");
  if (!(error instanceof OAuthError)) return error;
  return errorBody(error.code === "invalid_client" ? 401 : 400, error.code, error.message);
}

function errorBody(status: number, error: string, description: string): Refusal {
  const challenge: OutgoingHttpHeaders =
    status === 401 ? { "WWW-Authenticate": 'Basic realm="vibe-mcp"' } : {};
  return new Refusal(status, { error, error_description: description }, { Pragma: "no-cache", ...challenge });
}
