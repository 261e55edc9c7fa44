import { type Credentials, findCredential } from "../http/authenticate.ts";
import type { HttpContext } from "../http/context.ts";
import { type Exchange, refusal } from "../http/exchange.ts";
import type { Grants } from "./grants.ts";
import type { Issuer } from "./metadata.ts";
import { answerPage, consentBody, type Page, problemPage, sendPage } from "./page.ts";
import { OAuthError, readForm } from "./parameters.ts";
import type { Documents } from "./remember.ts";
import { type AuthorizationRequest, readAuthorization, readSender, type Sender } from "./request.ts";
import type { Seals } from "./seal.ts";

export interface Consent {
  issuer: Issuer;
  grants: Grants;
  seals: Seals;
  credentials: Credentials;
  documents: Documents;
}

const RETRY_AFTER_S = 60;

/** `GET /authorize` asks the person, `POST /authorize` takes the answer: the request is checked each time, never stored. */
export async function serveConsent(
  context: HttpContext,
  exchange: Exchange,
  consent: Consent,
): Promise<void> {
  const { request, response, query, address } = exchange;
  try {
    const form = request.method === "POST" ? await readOwnForm(exchange, consent.issuer) : undefined;
    const sender = await readSender(query, { ...consent, from: address });
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
    return typeof decision === "string" ? answerPage(redirect, { code: decision, ...common }) : decision;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    // Anyone may register a client: a browser is sent on only by its person's click (RFC 9700, 4.11.2).
    const parameters = { error: error.code, error_description: error.message, ...common };
    return problemPage(error.message, { redirect, parameters });
  }
}

/** The code for a person who knows a token, else the page again. */
function decide(
  { failedLogin, log }: HttpContext,
  { address }: Exchange,
  { request, consent, form }: { request: AuthorizationRequest; consent: Consent; form: URLSearchParams },
): string | Page {
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
  documents.keep(request.client.id);
  log.info(`a client logged in: ${scope}`, { from: address });
  return grants.code(request, credential, scope);
}

function consentPage(
  request: AuthorizationRequest,
  issuer: Issuer,
  { status = 200, problem, headers }: Partial<Pick<Page, "status" | "headers">> & { problem?: string } = {},
): Page {
  const title = `${problem === undefined ? "" : "Error: "}${request.client.name} asks to use your notes`;
  return { status, title, body: consentBody(request, issuer, problem), ...(headers && { headers }) };
}
