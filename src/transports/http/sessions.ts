import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { HttpConfig } from "../../config/http.ts";
import type { Access, Authenticator } from "./authenticate.ts";
import { type AuthenticatedExchange, protocolRefusal, type Refusal, refusal } from "./exchange.ts";
import { sharesOf } from "./limits.ts";
import { requestIds } from "./messages.ts";

/** One client's protocol server and its transport. */
export interface Session {
  readonly id: string;
  readonly access: Access;
  readonly server: Server;
  /** Serves a request of the client; `body` is undefined for one without. */
  serve(exchange: AuthenticatedExchange, body: unknown): Promise<void>;
  /** Resolves when no request waits for its reply. */
  drained(): Promise<void>;
}

interface Place {
  session: Session;
  /** Requests and streams that are open. */
  open: number;
  /** Milliseconds. */
  lastUse: number;
  /** Whether it got any request after `initialize`. */
  hasRequests: boolean;
}

const SESSION_NOT_FOUND = -32001;
const RETRY_AFTER_S = 30;

export type Sessions = ReturnType<typeof createSessions>;

/** Keeps sessions in the order of their last use; `now` in milliseconds. */
export function createSessions(
  limits: Pick<HttpConfig, "maxSessions" | "sessionIdle">,
  now: () => number,
  { admits }: Authenticator,
) {
  const places = new Map<string, Place>();
  const isFull = () => places.size >= limits.maxSessions;
  const end = ({ session }: Place) => {
    places.delete(session.id);
    void session.server.close();
  };
  const sessions = () => [...places.values()].map(({ session }) => session);
  return {
    /** Throws Refusal if the server is full and no session gives way to this principal. */
    checkRoom: (principal: string): void => {
      if (isFull() && evictable(places, principal) === undefined) throw tooMany();
    },
    /** Takes the place of a session that gives way if the server is full; `open` counts streams that are open already. */
    add: (session: Session, open = 0): void => {
      const evicted = isFull() ? evictable(places, session.access.principal) : undefined;
      if (evicted !== undefined) end(evicted);
      places.set(session.id, { session, open, lastUse: now(), hasRequests: false });
      onClose(session, () => places.delete(session.id));
    },
    has: (id: string) => places.has(id),
    /** Hands a request on to its session. Throws Refusal if this client has no such session. */
    serve: (id: string, exchange: AuthenticatedExchange, body?: unknown): Promise<void> => {
      const place = places.get(id);
      if (place?.session.access.principal !== exchange.access.principal)
        throw protocolRefusal(404, SESSION_NOT_FOUND, "Session not found: it ended. Initialize a new one.");
      places.delete(id);
      places.set(id, place);
      place.hasRequests ||= requestIds(body).length > 0;
      occupy(place, exchange, now);
      return place.session.serve(exchange, body);
    },
    /** Ends sessions that are idle or whose client lost its access. */
    sweep: () => {
      for (const place of places.values()) {
        const isIdle = place.open === 0 && now() - place.lastUse > limits.sessionIdle;
        if (isIdle || !admits(place.session.access.principal)) end(place);
      }
    },
    drained: async () => void (await Promise.all(sessions().map((session) => session.drained()))),
    close: async () => void (await Promise.all(sessions().map(({ server }) => server.close()))),
  };
}

function onClose({ server }: Session, run: () => void): void {
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    run();
  };
}

/** Counts a request until its answer is closed. */
function occupy(place: Place, { response }: AuthenticatedExchange, now: () => number): void {
  place.open++;
  response.once("close", () => {
    place.open--;
    place.lastUse = now();
  });
}

function tooMany(): Refusal {
  const message = "All sessions of this server are in use. Try again later.";
  return refusal(429, message, { "Retry-After": RETRY_AFTER_S });
}

/**
 * The session that gives way to a new one of a principal, so that no principal takes all places: an unused session of the
 * principal with most, else an unused one of its own, else even a session in use of the principal with most.
 */
function evictable(places: ReadonlyMap<string, Place>, principal: string): Place | undefined {
  const all = [...places.values()];
  const ofOwner = (owner: string) => all.filter(({ session }) => session.access.principal === owner);
  const owners = all.map(({ session }) => session.access.principal);
  const { own, most } = sharesOf(owners, principal);
  const theirs = ofOwner(most.principal);
  const unused = leastMissed(theirs) ?? leastMissed(ofOwner(principal));
  return unused ?? (most.count > own + 1 ? theirs[0] : undefined);
}

/** Of the sessions not in use, one that never got a request, else the one unused for longest. */
function leastMissed(places: readonly Place[]): Place | undefined {
  const free = places.filter(({ open }) => open === 0);
  return free.find(({ hasRequests }) => !hasRequests) ?? free[0];
}
