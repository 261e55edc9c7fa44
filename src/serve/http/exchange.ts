import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http";
import type { Access } from "./authenticate.ts";

/** A request and its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** For the log and for bug reports. */
  id: string;
  /** Without query and trailing slash. */
  path: string;
  query: URLSearchParams;
  /** The client's address, or what a trusted proxy says it is. */
  address: string;
  /** For the log: the protocol's methods, e.g. `tools/call:search`. */
  methods?: string;
  /** For the log: the name of its token. */
  token?: string | undefined;
}

export interface AuthenticatedExchange extends Exchange {
  access: Access;
}

/** An error for the client: thrown anywhere, answered in one place. */
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
