import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { HttpConfig } from "../../http-config.ts";
import type { Log } from "../../lib/log.ts";
import type { Authenticator } from "./authenticate.ts";
import type { Bodies } from "./bodies.ts";
import type { Admitted, Exchange } from "./exchange.ts";
import type { Health } from "./health.ts";
import type { Sessions } from "./sessions.ts";
import type { Counter } from "./throttle.ts";

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
  failedLogin: Counter;
  sessions: Sessions;
  bodies: Bodies;
  health: Health;
  /** Aborted when the server ends: what comes in then is refused. */
  stop: AbortSignal;
  /** One protocol server for one client. */
  createServer: (access: { readOnly: boolean }) => Server;
}
