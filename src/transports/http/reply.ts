import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http";

/** A request that is not served: thrown anywhere on its way, answered in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, body: object, headers: OutgoingHttpHeaders = {}) {
    super(`${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A refusal by the HTTP side: `{error, message}`. */
export function refusal(status: number, message: string, headers?: OutgoingHttpHeaders): Refusal {
  return new Refusal(status, { error: STATUS_CODES[status], message }, headers);
}

/** A refusal by the protocol's side, as its clients read it. */
export function protocolRefusal(status: number, code: number, message: string): Refusal {
  return new Refusal(status, { jsonrpc: "2.0", error: { code, message }, id: null });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  { body, headers = {} }: { body: object; headers?: OutgoingHttpHeaders },
): void {
  const text = JSON.stringify(body);
  const own = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, { ...own, "Cache-Control": "no-store", ...headers }).end(text);
}
