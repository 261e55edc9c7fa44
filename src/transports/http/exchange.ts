import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { HttpConfig } from "../../http-config.ts";
import type { Log } from "../../lib/log.ts";
import type { Access, Authenticator } from "./authenticate.ts";
import type { Bodies } from "./bodies.ts";
import type { Health } from "./health.ts";
import type { Sessions } from "./sessions.ts";
import type { Throttle } from "./throttle.ts";

/** Open routes are for everybody; the others for those whom the authenticator lets in. */
export type Route = { methods: readonly string[] } & (
  | { open: true; serve(context: HttpContext, exchange: Exchange): Promise<void> | void }
  | { open?: false; serve(context: HttpContext, exchange: Admitted): Promise<void> | void }
);

/** By path. */
export type Routes = Readonly<Record<string, Route>>;

/** What every request is served with. */
export interface HttpContext {
  config: HttpConfig;
  log: Log;
  routes: Routes;
  authenticator: Authenticator;
  throttle: Throttle;
  sessions: Sessions;
  bodies: Bodies;
  health: Health;
  /** Aborted when the server ends: what comes in then is refused. */
  stop: AbortSignal;
  /** One protocol server for one client. */
  createServer: (access: { readOnly: boolean }) => Server;
}

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
