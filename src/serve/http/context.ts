import type { Server } from "@modelcontextprotocol/server";
import type { HttpConfig } from "../../core/config/http.ts";
import type { Log } from "../../core/lib/log.ts";
import type { Era } from "../../core/mcp/protocol.ts";
import type { ServedNotes } from "../../core/workspace/place/served-notes.ts";
import type { Answers } from "./answers.ts";
import type { Access, Authenticator, Credentials } from "./authenticate.ts";
import type { Bodies } from "./body.ts";
import type { AuthenticatedExchange, Exchange } from "./exchange.ts";
import type { Health } from "./health.ts";
import type { Counter } from "./limits.ts";
import type { Sessions } from "./sessions.ts";

/** Open routes need no credential. */
export type Route = { methods: readonly string[] } & (
  | { open: true; serve(context: HttpContext, exchange: Exchange): Promise<void> | void }
  | { open?: false; serve(context: HttpContext, exchange: AuthenticatedExchange): Promise<void> | void }
);

/** By path. */
export type Routes = Readonly<Record<string, Route>>;

/** What every request is served with. */
export interface HttpContext {
  config: HttpConfig;
  log: Log;
  routes: Routes;
  authenticator: Authenticator;
  /** None of a server without a token. */
  credentials: Credentials;
  failedLogin: Counter;
  sessions: Sessions;
  bodies: Bodies;
  answers: Answers;
  /** Whether a message asks for something that is read, so that its answer may be large. */
  isRead: (message: unknown) => boolean;
  health: Health;
  /** Aborted when the server stops: later requests are refused. */
  stop: AbortSignal;
  notes: ServedNotes;
  /** One protocol server for one client, or for one request of the newest revision. */
  createServer: (access: Access, era?: Era) => Server;
}
