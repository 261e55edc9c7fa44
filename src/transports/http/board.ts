import { createHash } from "node:crypto";
import { readPage } from "./board-page.ts";
import type { HttpContext } from "./context.ts";
import type { Exchange } from "./exchange.ts";

let page: Promise<ReturnType<typeof describe>> | undefined;

/** The web page, which holds nothing of the workspace: its script asks for a token and calls `/mcp` like any client. */
export async function serveBoard(_context: HttpContext, { request, response }: Exchange): Promise<void> {
  page ??= readPage().then(describe);
  const { body, headers } = await page;
  const isKnown = request.headers["if-none-match"]?.includes(headers.ETag) === true;
  if (isKnown) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, "Content-Length": body.length }).end(body);
}

function describe(html: string) {
  const body = Buffer.from(html);
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    ETag: `"${digestOf(html)}"`,
    "Cache-Control": "no-cache",
    "Content-Security-Policy": policyOf(html),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  };
  return { body, headers };
}

/** Only the page's own style and script run, and they can reach only this server. */
function policyOf(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(html, "script")}`,
    `style-src ${hashOf(html, "style")}`,
    "connect-src 'self'",
    "img-src data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types markdown",
  ].join("; ");
}

function hashOf(html: string, element: "script" | "style"): string {
  const [, text = ""] = new RegExp(`<${element}[^>]*>(.*?)</${element}>`, "s").exec(html) ?? [];
  return `'sha256-${digestOf(text)}'`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
