import { setYoungest } from "../../../lib/lru.ts";
import { type Client, describedClient, unreadable } from "./clients.ts";
import { type ReadDocument, Unreachable } from "./document.ts";
import { OAuthError } from "./errors.ts";
import { createRation } from "./ration.ts";

/** The clients that describe themselves in a document. */
export interface Documents {
  /** The client at an id, for somebody at the address `from`. Rejects with OAuthError. */
  client(id: string, from: string): Promise<Client>;
  /** Holds on to a client that a person let in: strangers cannot displace it. */
  keep(id: string): void;
}

interface Entry {
  client: Client;
  at: number;
  isKept: boolean;
}

const FRESH_MS = 300_000;
/** How long a client is still known when its document cannot be read again. */
const USABLE_MS = 24 * 3_600_000;
const MAX_CLIENTS = 200;

/** Reads a document once in five minutes, and one that cannot be had once in a minute. `now` in milliseconds. */
export function rememberDocuments(read: ReadDocument, now: () => number): Documents {
  const clients = new Map<string, Entry>();
  const failures = createFailures(now);
  const ration = createRation(now);
  const add = (client: Client) => {
    const isKept = clients.get(client.id)?.isKept === true;
    clients.delete(client.id);
    clients.set(client.id, { client, at: now(), isKept });
    if (clients.size > MAX_CLIENTS) clients.delete(leastMissed(clients));
    return client;
  };
  const youngerThan = (age: number, id: string) => {
    const entry = clients.get(id);
    return entry !== undefined && now() - entry.at < age ? entry.client : undefined;
  };
  const ask = async (id: string) => {
    try {
      return add(describedClient(id, await read(id)));
    } catch (error) {
      if (!(error instanceof Unreachable)) clients.delete(id);
      throw failures.add(id, error);
    }
  };
  return {
    client: async (id, from) => {
      const known = youngerThan(FRESH_MS, id);
      if (known !== undefined) return known;
      try {
        failures.check(id);
        return await ration(from, new URL(id).host, () => ask(id));
      } catch (error) {
        const spare = youngerThan(USABLE_MS, id);
        if (spare !== undefined) return spare;
        throw error;
      }
    },
    keep: (id) => {
      const entry = clients.get(id);
      if (entry !== undefined) entry.isKept = true;
    },
  };
}

/** The oldest, but one that a person let in only when there is no other. */
function leastMissed(clients: ReadonlyMap<string, Entry>): string {
  const [oldest = ""] = clients.keys();
  return [...clients].find(([, { isKept }]) => !isKept)?.[0] ?? oldest;
}

const FAILED_MS = 60_000;
const MAX_FAILURES = 1000;

/** Of a host that does not answer, no other document is asked for either. */
function createFailures(now: () => number) {
  const failures = new Map<string, { error: OAuthError; until: number }>();
  return {
    add: (id: string, cause: unknown): OAuthError => {
      const error = cause instanceof OAuthError ? cause : unreadable();
      const key = cause instanceof Unreachable ? new URL(id).host : id;
      setYoungest(failures, MAX_FAILURES, [key, { error, until: now() + FAILED_MS }]);
      return error;
    },
    /** Throws what the last try ended with. */
    check: (id: string): void => {
      const found = [id, new URL(id).host].map((key) => failures.get(key));
      const last = found.find((one) => one !== undefined && now() < one.until);
      if (last !== undefined) throw last.error;
    },
  };
}
