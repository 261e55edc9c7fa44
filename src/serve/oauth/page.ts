import type { ServerResponse } from "node:http";
import { escapeHtml } from "../../core/lib/escape.ts";
import { hashSource, pageHeaders } from "../http/page-headers.ts";
import type { AuthorizationRequest } from "./grants.ts";
import type { Issuer } from "./metadata.ts";

const STYLE = `
:root { color-scheme: light dark; --line: #767676; --accent: #1a56b0; --on-accent: #fff; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --line: #8f8f8f; --accent: #8ab4f8; --on-accent: #10151c; --bad: #ff9a9a; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 0 auto; padding: 2rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1.25rem 0; padding: .5rem 1rem .75rem; }
label { display: block; padding: .25rem 0; }
input[type=password] { width: 100%; font: inherit; padding: .5rem; border: 1px solid var(--line); border-radius: .375rem; }
.hint { margin: .25rem 0; font-size: .9rem; }
.problem { color: var(--bad); font-weight: 600; }
button { font: inherit; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0; border: 1px solid var(--accent); border-radius: .375rem;
  background: transparent; color: var(--accent); cursor: pointer; }
button[value=allow] { background: var(--accent); color: var(--on-accent); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const HEADERS = {
  // Browsers apply form-action to redirects after the form, too: so the answer is a page, not a redirect.
  ...pageHeaders([`style-src ${hashSource(STYLE)}`, "form-action 'self'"]),
  "Cache-Control": "no-store",
  // With no-referrer, browsers would send the form with the Origin "null", as any page could.
  "Referrer-Policy": "same-origin",
};

export interface Page {
  status: number;
  title: string;
  body: string;
  /** The address that the browser opens next. */
  next?: string;
  headers?: Record<string, number>;
}

export function sendPage(response: ServerResponse, { status, title, body, next, headers }: Page): void {
  const refresh =
    next === undefined ? "" : `<meta http-equiv="refresh" content="0;url=${escapeHtml(next)}">\n`;
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  const length = { "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, { ...HEADERS, ...length, ...headers }).end(text);
}

/** Shows the client, its request and the address for the answer; `problem` says why the last try failed. */
export function consentBody(
  { client, redirect, scope }: AuthorizationRequest,
  issuer: Issuer,
  problem?: string,
): string {
  const name = escapeHtml(client.name);
  const vouched =
    client.host === undefined ? "" : `, described by <strong>${escapeHtml(client.host)}</strong>`;
  const both = scope === "write";
  const write = `<label><input type="radio" name="access" value="write" checked> Read and write</label>\n`;
  return `<h1>${name} asks to use your notes</h1>
<p>A client that calls itself <strong>${name}</strong>${vouched} wants to use the workspace
<strong>${escapeHtml(issuer.name)}</strong> at <strong>${escapeHtml(new URL(issuer.origin).host)}</strong>.</p>
<p>Access goes to <strong>${escapeHtml(destination(redirect))}</strong>; the token stays here. If you did not just start this yourself, choose Cancel.</p>
<form method="post">
<fieldset>
<legend>What may it do?</legend>
${both ? write : ""}<label><input type="radio" name="access" value="read"${both ? "" : " checked"}> Read only</label>
</fieldset>
<label for="token">Token of this server</label>
<input type="password" id="token" name="token" required autocomplete="current-password" spellcheck="false"
 aria-describedby="${problem === undefined ? "hint" : "problem hint"}"${problem === undefined ? "" : ' aria-invalid="true" autofocus'}>
${problem === undefined ? "" : `<p id="problem" class="problem" role="alert">${escapeHtml(problem)}</p>\n`}<p id="hint" class="hint">The client never sees it. It acts as an agent under the token's name, and sees the token's projects.</p>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</form>`;
}

function destination(redirect: string): string {
  const { protocol, host } = new URL(redirect);
  return protocol === "http:" ? `a program on this computer (${host})` : host;
}

type AnswerParameters = Record<string, string | undefined>;

/** The redirect URI with the answer's parameters, which replace its own. */
function redirectTo(uri: string, parameters: AnswerParameters): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Sends the browser back to the client with the answer; `login` says who logged in. */
export function answerPage(redirect: string, parameters: AnswerParameters, login = ""): Page {
  const next = redirectTo(redirect, parameters);
  const who = login === "" ? "" : `<p>${escapeHtml(login)}</p>\n`;
  const body = `<h1>Back to the client</h1>\n${who}<p><a href="${escapeHtml(next)}">Continue to ${escapeHtml(destination(redirect))}</a></p>`;
  return { status: 200, title: "Back to the client", body, next };
}

/** Explains a wrong request; `answer` is the error for the client, if one is known. */
export function problemPage(
  message: string,
  answer?: { redirect: string; parameters: AnswerParameters },
): Page {
  const link =
    answer === undefined
      ? "<p>Start again from the client that sent you here.</p>"
      : `<p><a href="${escapeHtml(redirectTo(answer.redirect, answer.parameters))}">Go back to ${escapeHtml(destination(answer.redirect))}</a></p>`;
  const body = `<h1>Login failed</h1>\n<p>${escapeHtml(message)}</p>\n${link}`;
  return { status: 400, title: "Login failed", body };
}
