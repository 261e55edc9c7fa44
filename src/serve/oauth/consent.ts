import { type Credentials, findCredential } from "../http/authenticate.ts";
import type { HttpContext } from "../http/context.ts";
import { type Exchange, refusal } from "../http/exchange.ts";
import type { ClientDocuments } from "./client-documents.ts";
import { isDocumentId, isRegistered, registeredClient } from "./clients.ts";
import type { AuthorizationRequest, Grants } from "./grants.ts";
import { type Issuer, resourceOf, scopeOf } from "./metadata.ts";
import { answerPage, consentBody, type Page, problemPage, sendPage } from "./page.ts";
import { OAuthError, readForm, required, single } from "./parameters.ts";
import type { Seals } from "./seal.ts";

export interface Consent {
  issuer: Issuer;
  grants: Grants;
  seals: Seals;
  credentials: Credentials;
  documents: ClientDocuments;
}

type Sender = Pick<AuthorizationRequest, "client" | "redirect">;

const RETRY_AFTER_S = 60;

/** `GET /authorize` asks the person, `POST /authorize` takes the answer. Nothing is stored: each checks the whole request. */
export async function serveConsent(
  context: HttpContext,
  exchange: Exchange,
  consent: Consent,
): Promise<void> {
  const { request, response, query, address } = exchange;
  try {
    const form = request.method === "POST" ? await readOwnForm(exchange, consent.issuer) : undefined;
    const sender = await readSender(query, consent, address);
    sendPage(response, answer(context, exchange, { consent, sender, form }));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const isBusy = error.code === "temporarily_unavailable";
    const busy = { status: 429, headers: { "Retry-After": RETRY_AFTER_S } };
    sendPage(response, { ...problemPage(error.message), ...(isBusy && busy) });
  }
}

/** Refuses a form that another page sent. */
function readOwnForm({ request }: Exchange, { origin }: Issuer): Promise<URLSearchParams> {
  const { origin: sent = origin, "sec-fetch-site": site = "same-origin" } = request.headers;
  if (sent === origin && site === "same-origin") return readForm(request);
  throw refusal(403, "The form must be sent from this server's own page.");
}

/** The client, and the address for the answer. Throws OAuthError if there is none: the error then goes to the person. */
async function readSender(
  query: URLSearchParams,
  { seals, documents }: Consent,
  from: string,
): Promise<Sender> {
  const id = required(query, "client_id");
  const redirect = required(query, "redirect_uri");
  if (!URL.canParse(redirect))
    throw new OAuthError(
      "invalid_request",
      "The redirect_uri is not a valid URL: its port is a number up to 65535.",
    );
  const client = isDocumentId(id) ? await documents.client(id, from) : registeredClient(id, seals);
  if (client === undefined)
    throw new OAuthError("invalid_client", "Unknown client: it has to register again.");
  if (isRegistered(redirect, client.redirects)) return { client, redirect };
  throw new OAuthError("invalid_request", "The client did not register this redirect_uri.");
}

/** Throws OAuthError for the client. */
function readAuthorization(query: URLSearchParams, sender: Sender, issuer: Issuer): AuthorizationRequest {
  single(query, "state");
  if (required(query, "response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "The response_type must be code.");
  if ((single(query, "response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "The response_mode must be query.");
  const challenge = required(query, "code_challenge");
  if (single(query, "code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "The code_challenge must use S256 (RFC 7636).");
  const scope = scopeOf(single(query, "scope"), issuer);
  return { ...sender, challenge, scope, resource: resourceOf(single(query, "resource"), issuer) };
}

interface Step {
  consent: Consent;
  sender: Sender;
  form: URLSearchParams | undefined;
}

function answer(context: HttpContext, exchange: Exchange, { consent, sender, form }: Step): Page {
  const { issuer } = consent;
  const { redirect } = sender;
  const [state, another] = exchange.query.getAll("state");
  const common = { state: another === undefined ? state : undefined, iss: issuer.origin };
  try {
    const request = readAuthorization(exchange.query, sender, issuer);
    if (form === undefined) return consentPage(request, issuer);
    if (form.get("decision") === "deny") return answerPage(redirect, { error: "access_denied", ...common });
    const decision = decide(context, exchange, { request, consent, form });
    if ("status" in decision) return decision;
    return answerPage(redirect, { code: decision.code, ...common }, decision.login);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    // Anyone may register a client: only a click may send a browser there (RFC 9700, 4.11.2).
    const parameters = { error: error.code, error_description: error.message, ...common };
    return problemPage(error.message, { redirect, parameters });
  }
}

/** The code for a person who knows a token, else the page again. */
function decide(
  { failedLogin, log }: HttpContext,
  { address }: Exchange,
  { request, consent, form }: { request: AuthorizationRequest; consent: Consent; form: URLSearchParams },
): { code: string; login: string } | Page {
  const { issuer, credentials, grants, documents } = consent;
  const credential = findCredential(credentials(), form.get("token")?.trim() ?? "");
  if (credential === undefined) {
    const wait = failedLogin(address);
    log.debug("a login with a wrong token", { from: address });
    if (wait === 0)
      return consentPage(request, issuer, { status: 403, problem: "This token is not valid here." });
    const problem = `Too many wrong tokens. Try again in ${wait} seconds.`;
    return consentPage(request, issuer, { status: 429, problem, headers: { "Retry-After": wait } });
  }
  const scope = form.get("access") === "write" && request.scope === "write" ? "write" : "read";
  if (scope === "write" && credential.readOnly)
    return consentPage(request, issuer, {
      status: 403,
      problem: "This token is read-only: choose Read only.",
    });
  documents.approve(request.client.id);
  const { token: by, projects = [] } = credential;
  log.info(`a client logged in: ${scope}`, { from: address, by });
  const seen = projects.length === 0 ? "all projects" : projects.join(", ");
  return { code: grants.code(request, credential, scope), login: `Logged in as ${by}, for ${seen}.` };
}

function consentPage(
  request: AuthorizationRequest,
  issuer: Issuer,
  { status = 200, problem, headers }: Partial<Pick<Page, "status" | "headers">> & { problem?: string } = {},
): Page {
  const title = `${problem === undefined ? "" : "Error: "}${request.client.name} asks to use your notes`;
  return { status, title, body: consentBody(request, issuer, problem), ...(headers && { headers }) };
}
