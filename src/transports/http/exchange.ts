import type { IncomingMessage, ServerResponse } from "node:http";
import type { Access } from "./authenticate.ts";

/** A request on its way to its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** For the log, and for the client to name in a report. */
  id: string;
  /** Without a query, and without a slash at its end. */
  path: string;
  query: URLSearchParams;
  /** Of the client, as far as the server is told. */
  address: string;
  /** What is asked of the protocol, for the log: `tools/call search`. */
  asked: string | undefined;
}

/** A request of somebody who was let in. */
export interface Admitted extends Exchange {
  access: Access;
}
