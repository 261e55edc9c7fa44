import { setYoungest } from "../../lib/collections.ts";
import { createCounter, networkOf } from "../http/limits.ts";
import { type Client, describedClient, unreadable } from "./clients.ts";
import { type ReadDocument, Unreachable } from "./document.ts";
import { OAuthError } from "./parameters.ts";

interface Entry {
  client: Client;
  at: number;
  isKept: boolean;
}

const FRESH_MS = 300_000;
/** While its document cannot be read again. */
const USABLE_MS = 24 * 3_600_000;
const MAX_CLIENTS = 200;

export type Documents = ReturnType<typeof rememberDocuments>;

/**
 * Clients that describe themselves in a metadata document, which is read once in five minutes, and after a failure once a
 * minute. `now` in milliseconds.
 */
export function rememberDocuments(read: ReadDocument, now: () => number) {
  const clients = new Map<string, Entry>();
  const failures = createFailures(now);
  const limited = createRateLimit(now);
  const youngerThan = (age: number, id: string) => {
    const entry = clients.get(id);
    return entry !== undefined && now() - entry.at < age ? entry.client : undefined;
  };
  const ask = async (id: string) => {
    try {
      return addClient(clients, describedClient(id, await read(id)), now());
    } catch (error) {
      if (!(error instanceof Unreachable)) clients.delete(id);
      throw failures.add(id, error);
    }
  };
  return {
    /** The client of an id, for a browser at the address `from`. Rejects with OAuthError. */
    client: async (id: string, from: string): Promise<Client> => {
      const fresh = youngerThan(FRESH_MS, id);
      if (fresh !== undefined) return fresh;
      try {
        failures.check(id);
        return await limited(from, new URL(id).host, () => ask(id));
      } catch (error) {
        const spare = youngerThan(USABLE_MS, id);
        if (spare !== undefined) return spare;
        throw error;
      }
    },
    /** Keeps a client that a person approved: strangers cannot displace it. */
    keep: (id: string): void => {
      const entry = clients.get(id);
      if (entry !== undefined) entry.isKept = true;
    },
  };
}

function addClient(clients: Map<string, Entry>, client: Client, at: number): Client {
  const isKept = clients.get(client.id)?.isKept === true;
  clients.delete(client.id);
  clients.set(client.id, { client, at, isKept });
  if (clients.size > MAX_CLIENTS) clients.delete(leastMissed(clients));
  return client;
}

/** The oldest that no person approved, else the oldest. */
function leastMissed(clients: ReadonlyMap<string, Entry>): string {
  const [oldest = ""] = clients.keys();
  return [...clients].find(([, { isKept }]) => !isKept)?.[0] ?? oldest;
}

const FAILED_MS = 60_000;
const MAX_FAILURES = 1000;

/** A host that does not answer is not asked for its other documents either. */
function createFailures(now: () => number) {
  const failures = new Map<string, { error: OAuthError; until: number }>();
  return {
    add: (id: string, cause: unknown): OAuthError => {
      const error = cause instanceof OAuthError ? cause : unreadable();
      const key = cause instanceof Unreachable ? new URL(id).host : id;
      setYoungest(failures, MAX_FAILURES, [key, { error, until: now() + FAILED_MS }]);
      return error;
    },
    /** Throws the error of the last try. */
    check: (id: string): void => {
      const found = [id, new URL(id).host].map((key) => failures.get(key));
      const last = found.find((one) => one !== undefined && now() < one.until);
      if (last !== undefined) throw last.error;
    },
  };
}

const MAX_A_MINUTE = { host: 60, network: 240 };
const MAX_AT_ONCE = { network: 8, all: 64 };

/** Limits what strangers make this machine call, by network, so that none locks out another. `read` is for the address `from`. */
function createRateLimit(now: () => number) {
  const byHost = createCounter(MAX_A_MINUTE.host, now);
  const byNetwork = createCounter(MAX_A_MINUTE.network, now);
  const open: string[] = [];
  return async <T>(from: string, host: string, read: () => Promise<T>): Promise<T> => {
    const network = networkOf(from);
    const isBusy = open.filter((one) => one === network).length >= MAX_AT_ONCE.network;
    if (isBusy || open.length >= MAX_AT_ONCE.all) throw tooMany();
    if (byHost(`${network} ${host}`) > 0 || byNetwork(network) > 0) throw tooMany();
    open.push(network);
    try {
      return await read();
    } finally {
      open.splice(open.indexOf(network), 1);
    }
  };
}

function tooMany(): OAuthError {
  return new OAuthError(
    "temporarily_unavailable",
    "Too many client documents were requested from your address. Try again in a minute.",
  );
}
