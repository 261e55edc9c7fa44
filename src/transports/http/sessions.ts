import type { Access, Authenticator } from "./authenticate.ts";
import type { Admitted } from "./exchange.ts";
import { requestIds } from "./messages.ts";
import { protocolRefusal, type Refusal, refusal } from "./reply.ts";
import { sharesOf } from "./shares.ts";

/** One client's protocol server and its transport. */
export interface Session {
  readonly id: string;
  readonly access: Access;
  /** Serves a request of the client; `body` is undefined for one without. */
  serve(exchange: Admitted, body: unknown): Promise<void>;
  /** Resolves when no request waits for its reply. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface Sessions {
  /** Throws Refusal when all places are taken, and none gives way to this principal. */
  checkRoom(principal: string): void;
  /** Takes the place of one that gives way when all are taken. One with a stream of its own is always in use. */
  add(session: Session, has?: { stream: boolean }): void;
  remove(id: string): void;
  /** Hands a request on to its session. Throws Refusal when there is none of this client. */
  serve(id: string, exchange: Admitted, body?: unknown): Promise<void>;
  has(id: string): boolean;
  /** Ends those that are idle, and those of clients that are let in no more. */
  sweep(): void;
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Place {
  session: Session;
  /** Requests and streams that are open. */
  open: number;
  /** Milliseconds. */
  used: number;
  /** Whether anything was asked after the greeting. */
  isAsked: boolean;
}

export interface SessionLimits {
  maxSessions: number;
  /** Milliseconds. */
  sessionIdle: number;
}

const SESSION_NOT_FOUND = -32001;
const RETRY_AFTER_S = 30;

/** Keeps sessions in the order of their last use; `now` in milliseconds. */
export function createSessions(
  limits: SessionLimits,
  now: () => number,
  { admits }: Authenticator,
): Sessions {
  const places = new Map<string, Place>();
  const end = ({ session }: Place) => {
    places.delete(session.id);
    void session.close();
  };
  return {
    checkRoom: (principal) => {
      if (places.size >= limits.maxSessions && givesWay(places, principal) === undefined) throw tooMany();
    },
    add: (session, { stream } = { stream: false }) => {
      const isFull = places.size >= limits.maxSessions;
      const gives = isFull ? givesWay(places, session.access.principal) : undefined;
      if (gives !== undefined) end(gives);
      places.set(session.id, { session, open: stream ? 1 : 0, used: now(), isAsked: false });
    },
    remove: (id) => void places.delete(id),
    has: (id) => places.has(id),
    serve: (id, exchange, body) => {
      const place = places.get(id);
      if (place?.session.access.principal !== exchange.access.principal) throw sessionNotFound();
      place.open++;
      place.isAsked ||= requestIds(body).length > 0;
      places.delete(id);
      places.set(id, place);
      exchange.response.once("close", () => {
        place.open--;
        place.used = now();
      });
      return place.session.serve(exchange, body);
    },
    sweep: () => {
      for (const place of places.values()) {
        const isIdle = place.open === 0 && now() - place.used > limits.sessionIdle;
        if (isIdle || !admits(place.session.access.principal)) end(place);
      }
    },
    settled: async () =>
      void (await Promise.all([...places.values()].map(({ session }) => session.settled()))),
    close: async () => void (await Promise.all([...places.values()].map(({ session }) => session.close()))),
  };
}

/**
 * The session that gives way to a new one of a principal, so that one principal cannot use up all places: of the one that
 * has most, a session that is not in use, else one of its own, else of the one that has most even one in use.
 */
function givesWay(places: ReadonlyMap<string, Place>, principal: string): Place | undefined {
  const all = [...places.values()];
  const ofOwner = (owner: string) => all.filter(({ session }) => session.access.principal === owner);
  const { own, most } = sharesOf(
    all.map(({ session }) => session.access.principal),
    principal,
  );
  const theirs = ofOwner(most.principal);
  const idle = leastMissed(theirs) ?? leastMissed(ofOwner(principal));
  return idle ?? (most.count > own + 1 ? theirs[0] : undefined);
}

/** Of the sessions that are not in use, one that was never asked anything, else the one unused for longest. */
function leastMissed(places: readonly Place[]): Place | undefined {
  const free = places.filter(({ open }) => open === 0);
  return free.find(({ isAsked }) => !isAsked) ?? free[0];
}

function tooMany(): Refusal {
  const message = "All sessions of this server are in use. Try again later.";
  return refusal(429, message, { "Retry-After": RETRY_AFTER_S });
}

function sessionNotFound(): Refusal {
  return protocolRefusal(404, SESSION_NOT_FOUND, "Session not found: it ended. Initialize a new one.");
}
