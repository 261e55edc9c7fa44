import { findToken, type KnownTokens } from "../authenticate.ts";
import type { HttpContext } from "../context.ts";
import type { Exchange } from "../exchange.ts";
import { refusal } from "../reply.ts";
import { OAuthError } from "./errors.ts";
import type { Grants } from "./grants.ts";
import type { Place } from "./metadata.ts";
import { answerPage, consentBody, type Page, problemPage, sendPage } from "./page.ts";
import { readForm } from "./parameters.ts";
import { redirectTo } from "./redirect.ts";
import type { Documents } from "./remember.ts";
import { type Asked, readAsked, readSender, type Sender } from "./request.ts";
import type { Seals } from "./seal.ts";

export interface Consent {
  place: Place;
  grants: Grants;
  seals: Seals;
  known: KnownTokens;
  documents: Documents;
}

const RETRY_AFTER_S = 60;

/** `GET /authorize` asks the person, `POST /authorize` takes the answer: the request is checked each time, none is kept. */
export async function serveConsent(
  context: HttpContext,
  exchange: Exchange,
  consent: Consent,
): Promise<void> {
  const { request, response, query } = exchange;
  try {
    const form = request.method === "POST" ? await readOwnForm(exchange, consent.place) : undefined;
    const sender = await readSender(query, { ...consent, from: exchange.address });
    sendPage(response, answer(context, exchange, { consent, sender, form }));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    sendPage(
      response,
      error.code === "temporarily_unavailable" ? busyPage(error) : problemPage(error.message),
    );
  }
}

function busyPage({ message }: OAuthError): Page {
  return { ...problemPage(message), status: 429, headers: { "Retry-After": RETRY_AFTER_S } };
}

/** The fields of our own page: another page's form is refused, whoever it was filled in by. */
function readOwnForm({ request }: Exchange, { origin }: Place): Promise<URLSearchParams> {
  const { origin: sent = origin, "sec-fetch-site": site = "same-origin" } = request.headers;
  if (sent === origin && site === "same-origin") return readForm(request);
  throw refusal(403, "The form has to be sent from this server's own page.");
}

interface Step {
  consent: Consent;
  sender: Sender;
  form: URLSearchParams | undefined;
}

function answer(context: HttpContext, exchange: Exchange, { consent, sender, form }: Step): Page {
  const { place } = consent;
  const [state, another] = exchange.query.getAll("state");
  const told = { state: another === undefined ? state : undefined, iss: place.origin };
  try {
    const asked = readAsked(exchange.query, sender, place);
    if (form === undefined) return consentPage(asked, place);
    if (form.get("decision") === "deny")
      return answerPage(sender.redirect, { error: "access_denied", ...told });
    const decided = decide(context, exchange, { asked, consent, form });
    return typeof decided === "string" ? answerPage(sender.redirect, { code: decided, ...told }) : decided;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    // Anybody may register a client: a browser is sent on by its person's click alone (RFC 9700, 4.11.2).
    const wrong = { error: error.code, error_description: error.message, ...told };
    const url = redirectTo(sender.redirect, wrong);
    return problemPage(error.message, { redirect: sender.redirect, url });
  }
}

/** The code for a person who knows a token, else the page once more. */
function decide(
  { failedLogin, log }: HttpContext,
  { address }: Exchange,
  { asked, consent, form }: { asked: Asked; consent: Consent; form: URLSearchParams },
): string | Page {
  const { place, known, grants, documents } = consent;
  const token = findToken(known(), form.get("token")?.trim() ?? "");
  if (token === undefined) {
    const wait = failedLogin(address);
    log.debug("a login with a wrong token", { from: address });
    if (wait === 0)
      return consentPage(asked, place, { status: 403, problem: "This token is not valid here." });
    const problem = `Too many wrong tokens. Try again in ${wait} seconds.`;
    return consentPage(asked, place, { status: 429, problem, headers: { "Retry-After": wait } });
  }
  const scope = form.get("access") === "write" && asked.scope === "write" ? "write" : "read";
  if (scope === "write" && token.readOnly)
    return consentPage(asked, place, { status: 403, problem: "This token only reads: choose Read only." });
  documents.keep(asked.client.id);
  log.info(`a client was let in: ${scope}`, { from: address });
  return grants.code(asked, token, scope);
}

function consentPage(
  asked: Asked,
  place: Place,
  {
    status = 200,
    problem,
    headers = {},
  }: { status?: number; problem?: string; headers?: Record<string, number> } = {},
): Page {
  const title = `${problem === undefined ? "" : "Error: "}${asked.client.name} asks to use your notes`;
  return { status, title, body: consentBody(asked, place, problem), headers };
}
