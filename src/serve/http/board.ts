import { createHash } from "node:crypto";
import { takesGzip } from "./accept.ts";
import { readPage } from "./board-page.ts";
import type { HttpContext } from "./context.ts";
import type { Exchange } from "./exchange.ts";
import { hashSource, pageHeaders } from "./page-headers.ts";

let page: Promise<ReturnType<typeof describe>> | undefined;

/** The web page, which holds nothing of the workspace: its script asks for a token and calls `/mcp` like any client. */
export async function serveBoard(_context: HttpContext, { request, response }: Exchange): Promise<void> {
  page ??= readPage().then(describe);
  const { body, headers } = (await page)[takesGzip(request) ? "packed" : "plain"];
  const isKnown = request.headers["if-none-match"]?.includes(headers.ETag) === true;
  if (isKnown) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, "Content-Length": body.length }).end(body);
}

function describe(html: string) {
  const body = Buffer.from(html);
  const hash = createHash("sha256").update(html).digest("base64");
  const headers = {
    ...pageHeaders(policyOf(html)),
    ETag: `"${hash}"`,
    Vary: "Accept-Encoding",
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
  };
  const packed = { ...headers, ETag: `"${hash}-gzip"`, "Content-Encoding": "gzip" };
  const { gzipSync } = process.getBuiltinModule("node:zlib");
  return { plain: { body, headers }, packed: { body: gzipSync(body), headers: packed } };
}

/** Only the page's own style, script and worker run, and they can reach only this server: pictures are bytes that the script got. */
function policyOf(html: string): string[] {
  return [
    `script-src ${hashSource(textOf(html, "script"))}`,
    `style-src ${hashSource(textOf(html, "style"))}`,
    "worker-src blob:",
    "connect-src 'self'",
    "img-src data: blob:",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types markdown",
  ];
}

function textOf(html: string, element: "script" | "style"): string {
  return new RegExp(`<${element}[^>]*>(.*?)</${element}>`, "s").exec(html)?.[1] ?? "";
}
