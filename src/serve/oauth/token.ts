import { type Exchange, Refusal, sendJson } from "../http/exchange.ts";
import { isDocumentId, register, registeredClient } from "./clients.ts";
import type { Grants } from "./grants.ts";
import { OAuthError, readForm, readSmallJson, required, single } from "./parameters.ts";
import type { Seals } from "./seal.ts";

const NO_CACHE = { Pragma: "no-cache" };

/** `POST /token`: exchanges a code or a refresh token for tokens. */
export async function serveToken(
  { request, response }: Exchange,
  grants: Grants,
  seals: Seals,
): Promise<void> {
  try {
    const form = await readForm(request);
    if (request.headers.authorization !== undefined)
      throw new OAuthError("invalid_client", "Clients have no secret here: send client_id in the body.");
    const clientId = required(form, "client_id");
    if (!isDocumentId(clientId) && registeredClient(clientId, seals) === undefined)
      throw new OAuthError("invalid_client", "Unknown client: register again.");
    sendJson(response, 200, { body: await exchangeGrant(form, clientId, grants), headers: NO_CACHE });
  } catch (error) {
    throw jsonRefusal(error);
  }
}

async function exchangeGrant(form: URLSearchParams, clientId: string, grants: Grants): Promise<object> {
  const type = required(form, "grant_type");
  const claim = { clientId, resource: single(form, "resource") };
  if (type === "refresh_token")
    return grants.refresh(required(form, "refresh_token"), { ...claim, scope: single(form, "scope") });
  if (type !== "authorization_code")
    throw new OAuthError(
      "unsupported_grant_type",
      "The grant_type must be authorization_code or refresh_token.",
    );
  const verifier = required(form, "code_verifier");
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    throw new OAuthError("invalid_request", "The code_verifier must have 43 to 128 characters (RFC 7636).");
  return grants.redeem(required(form, "code"), {
    ...claim,
    verifier,
    redirect: required(form, "redirect_uri"),
  });
}

/** `POST /register` */
export async function serveRegistration(
  { request, response }: Exchange,
  seals: Seals,
  seconds: number,
): Promise<void> {
  try {
    sendJson(response, 201, { body: register(await readSmallJson(request), seals, seconds) });
  } catch (error) {
    throw jsonRefusal(error);
  }
}

/** An error as the answer to a client. */
function jsonRefusal(error: unknown): unknown {
  if (error instanceof Refusal && error.status < 500)
    return errorBody(error.status, "invalid_request", "The request is too large or incomplete.");
  if (!(error instanceof OAuthError)) return error;
  return errorBody(error.code === "invalid_client" ? 401 : 400, error.code, error.message);
}

function errorBody(status: number, error: string, description: string): Refusal {
  const challenge = status === 401 ? { "WWW-Authenticate": 'Basic realm="vibe-mcp"' } : {};
  return new Refusal(status, { error, error_description: description }, { ...NO_CACHE, ...challenge });
}
