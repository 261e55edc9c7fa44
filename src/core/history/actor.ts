import { AsyncLocalStorage } from "node:async_hooks";
import { setMostRecent } from "../lib/collections.ts";
import { escapeLine } from "../lib/escape.ts";
import type { Operation } from "./record.ts";

/** A client while it is connected; of clients without a connection that stays, all that have one token and name. */
export interface Session {
  isOver: boolean;
  /** The claims of others that it was told of, by the ids of their operations. */
  told: Set<string>;
  /** The names of its agents so far. */
  names: Set<string>;
}

export function newSession(): Session {
  return { isOver: false, told: new Set(), names: new Set() };
}

/** Who calls, as the transport knows it. */
export interface Caller {
  /** Whether a person acts: at the terminal, at the page after its login, or with a token that is marked so. */
  isPerson?: boolean;
  /** The name of the token. */
  token?: string | undefined;
  /** Undefined for a client that has none. */
  session?: Session | undefined;
}

/** Who changes files; `made` is the project that the change makes. */
export interface Actor extends Caller {
  tool: string;
  /** What a program calls itself, behind the name of its token: a label, never a right. */
  client: string;
  /** The name that an agent gave for itself. */
  agent?: string | undefined;
  made?: string;
  /** Hears each operation that happened and is kept. */
  onChange?(operation: Operation): void;
  /** How one takes a change back by the way in, as a clause. */
  takesBack?(id: string): string;
}

const MAX_NAME_CHARS = 60;
const MAX_SESSIONS = 1000;

export type Actors = ReturnType<typeof createActors>;

/** Knows who acts during a call. */
export function createActors() {
  const storage = new AsyncLocalStorage<Actor>();
  const actor = (): Actor => storage.getStore() ?? { tool: "", client: "vibe-mcp" };
  const shared = new Map<string, Session>();
  const named = (name: string) => escapeLine(name, MAX_NAME_CHARS);
  /** Runs `work` under these names alone, whatever call waits for it. */
  const actingAlone = <T>({ client, agent, ...rest }: Actor, work: () => T): T =>
    storage.run(
      { ...rest, client: named(client), ...(agent !== undefined && { agent: named(agent) }) },
      work,
    );
  return {
    /** Who changes files now. */
    actor,
    actingAlone,
    /** Runs `work` under the name of a tool and a client; parts that are left out stay as they are. */
    acting: <T>(changed: Partial<Actor>, work: () => T): T => actingAlone({ ...actor(), ...changed }, work),
    /** The session of clients of this name that have none of their own. */
    sharedSession: (client: string): Session => {
      const session = shared.get(client) ?? newSession();
      setMostRecent(shared, MAX_SESSIONS, [client, session]);
      return session;
    },
    /** The sessions of this process that claimed a task last, by its path. */
    claimants: new Map<string, Session>(),
  };
}
