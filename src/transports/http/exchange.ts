import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http";
import type { Access } from "./authenticate.ts";

/** A request on its way to its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** For the log, and for the client to name in a report. */
  id: string;
  /** Without query and trailing slash. */
  path: string;
  query: URLSearchParams;
  /** The client's address, as far as the server can know it. */
  address: string;
  /** The protocol's methods, for the log: `tools/call:search`. */
  methods?: string;
}

export interface AuthenticatedExchange extends Exchange {
  access: Access;
}

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

export function refusal(status: number, message: string, headers?: OutgoingHttpHeaders): Refusal {
  return new Refusal(status, { error: STATUS_CODES[status], message }, headers);
}

/** A refusal in the form of JSON-RPC. */
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
