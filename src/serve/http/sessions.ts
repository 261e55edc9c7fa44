import type { HttpConfig } from "../../core/config/http.ts";
import type { Access, Authenticator } from "./authenticate.ts";
import { type AuthenticatedExchange, protocolRefusal, type Refusal, refusal } from "./exchange.ts";
import { sharesOf } from "./limits.ts";
import { requestIds } from "./messages.ts";

/** What a session keeps open. */
export interface Closable {
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
}

/** One client's protocol server and its transport, or its stream of notifications. */
export interface Session {
  readonly id: string;
  readonly access: Access;
  readonly server: Closable;
  /** Serves a request of the client; `body` is undefined for one without. */
  serve(exchange: AuthenticatedExchange, body: unknown): Promise<void>;
  /** Resolves when no request waits for its reply. */
  drained(): Promise<void>;
}

interface Slot {
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
  const slots = new Map<string, Slot>();
  const isFull = () => slots.size >= limits.maxSessions;
  const end = ({ session }: Slot) => {
    slots.delete(session.id);
    void session.server.close();
  };
  const isOver = ({ session, open, lastUse }: Slot) =>
    (open === 0 && now() - lastUse > limits.sessionIdle) || !admits(session.access.principal);
  const forAll = async (run: (session: Session) => Promise<void>) =>
    void (await Promise.all([...slots.values()].map(({ session }) => run(session))));
  return {
    /** Throws Refusal if the server is full and may end no session for this principal. */
    checkRoom: (principal: string): void => {
      if (isFull() && evictable(slots, principal) === undefined) throw tooMany();
    },
    /** Adds a session with `open` open streams. If the server is full, another session ends. */
    add: (session: Session, open = 0): void => {
      const evicted = isFull() ? evictable(slots, session.access.principal) : undefined;
      if (evicted !== undefined) end(evicted);
      slots.set(session.id, { session, open, lastUse: now(), hasRequests: false });
      onClose(session, () => slots.delete(session.id));
    },
    has: (id: string) => slots.has(id),
    /** Passes a request to its session. Throws Refusal if this client has no such session. */
    serve: (id: string, exchange: AuthenticatedExchange, body?: unknown): Promise<void> =>
      serveIn(useSlot(slots, id, exchange.access), { exchange, body, now }),
    /** Ends sessions that are idle or whose client lost its access. */
    sweep: () => {
      for (const slot of slots.values()) if (isOver(slot)) end(slot);
    },
    drained: () => forAll((session) => session.drained()),
    close: () => forAll(({ server }) => server.close()),
  };
}

/** Finds a session of the principal, and moves it to the end of the order. */
function useSlot(slots: Map<string, Slot>, id: string, { principal }: Access): Slot {
  const slot = slots.get(id);
  if (slot?.session.access.principal !== principal)
    throw protocolRefusal(404, SESSION_NOT_FOUND, "Session not found: it ended. Initialize a new one.");
  slots.delete(id);
  slots.set(id, slot);
  return slot;
}

/** The slot is in use until the answer is closed. */
function serveIn(
  slot: Slot,
  { exchange, body, now }: { exchange: AuthenticatedExchange; body: unknown; now: () => number },
): Promise<void> {
  slot.hasRequests ||= requestIds(body).length > 0;
  slot.open++;
  exchange.response.once("close", () => {
    slot.open--;
    slot.lastUse = now();
  });
  return slot.session.serve(exchange, body);
}

function onClose({ server }: Session, run: () => void): void {
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    run();
  };
}

function tooMany(): Refusal {
  const message = "All sessions of this server are in use. Try again later.";
  return refusal(429, message, { "Retry-After": RETRY_AFTER_S });
}

/**
 * The session to end for a new one of a principal, so that no principal takes all slots: an unused session of the principal
 * with the most sessions, else an unused one of its own, else a session in use of the principal with the most.
 */
function evictable(slots: ReadonlyMap<string, Slot>, principal: string): Slot | undefined {
  const all = [...slots.values()];
  const ofOwner = (owner: string) => all.filter(({ session }) => session.access.principal === owner);
  const owners = all.map(({ session }) => session.access.principal);
  const { own, most } = sharesOf(owners, principal);
  const theirs = ofOwner(most.principal);
  const unused = oldestUnused(theirs) ?? oldestUnused(ofOwner(principal));
  return unused ?? (most.count > own + 1 ? theirs[0] : undefined);
}

/** A session not in use: one that never got a request, else the one unused for longest. */
function oldestUnused(slots: readonly Slot[]): Slot | undefined {
  const unused = slots.filter(({ open }) => open === 0);
  return unused.find(({ hasRequests }) => !hasRequests) ?? unused[0];
}
