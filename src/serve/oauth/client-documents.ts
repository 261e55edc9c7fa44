import { setMostRecent } from "../../core/lib/collections.ts";
import { createCounter, networkOf } from "../http/limits.ts";
import { type Client, describedClient, unreadable } from "./clients.ts";
import { type ReadDocument, Unreachable } from "./document-reader.ts";
import { OAuthError } from "./parameters.ts";

interface KnownClient {
  client: Client;
  at: number;
  isApproved: boolean;
}

const FRESH_MS = 300_000;
/** If its document cannot be read again. */
const USABLE_MS = 24 * 3_600_000;
const MAX_CLIENTS = 200;

export type ClientDocuments = ReturnType<typeof createClientDocuments>;

/**
 * Clients that describe themselves in a metadata document. A document is read again after five minutes, or one minute after
 * a failure. `now` in milliseconds.
 */
export function createClientDocuments(read: ReadDocument, now: () => number) {
  const clients = createStore(now);
  const failures = createFailures(now);
  const limited = createRateLimit(now);
  const readClient = async (id: string) => {
    try {
      return clients.add(describedClient(id, await read(id)));
    } catch (error) {
      if (!(error instanceof Unreachable)) clients.remove(id);
      throw failures.add(id, error);
    }
  };
  return {
    /** The client of an id, for a browser at the address `from`. Rejects with OAuthError. */
    client: async (id: string, from: string): Promise<Client> => {
      const fresh = clients.youngerThan(FRESH_MS, id);
      if (fresh !== undefined) return fresh;
      try {
        failures.check(id);
        return await limited(from, new URL(id).host, () => readClient(id));
      } catch (error) {
        const older = clients.youngerThan(USABLE_MS, id);
        if (older !== undefined) return older;
        throw error;
      }
    },
    /** Notes that a person approved a client: strangers cannot displace it. */
    approve: clients.approve,
  };
}

/** The clients by id, in the order in which they were read. */
function createStore(now: () => number) {
  const clients = new Map<string, KnownClient>();
  return {
    youngerThan: (age: number, id: string): Client | undefined => {
      const entry = clients.get(id);
      return entry !== undefined && now() - entry.at < age ? entry.client : undefined;
    },
    add: (client: Client): Client => {
      const isApproved = clients.get(client.id)?.isApproved === true;
      clients.delete(client.id);
      clients.set(client.id, { client, at: now(), isApproved });
      if (clients.size > MAX_CLIENTS) clients.delete(nextToForget(clients));
      return client;
    },
    remove: (id: string) => void clients.delete(id),
    approve: (id: string): void => {
      const entry = clients.get(id);
      if (entry !== undefined) entry.isApproved = true;
    },
  };
}

/** The oldest client that no person approved, else the oldest. */
function nextToForget(clients: ReadonlyMap<string, KnownClient>): string {
  const [oldest = ""] = clients.keys();
  return [...clients].find(([, { isApproved }]) => !isApproved)?.[0] ?? oldest;
}

const FAILED_MS = 60_000;
const MAX_FAILURES = 1000;

/** While a host does not answer, its other documents are not read either. */
function createFailures(now: () => number) {
  const failures = new Map<string, { error: OAuthError; until: number }>();
  return {
    add: (id: string, cause: unknown): OAuthError => {
      const error = cause instanceof OAuthError ? cause : unreadable();
      const key = cause instanceof Unreachable ? new URL(id).host : id;
      setMostRecent(failures, MAX_FAILURES, [key, { error, until: now() + FAILED_MS }]);
      return error;
    },
    /** Throws the error of the last try. */
    check: (id: string): void => {
      const entries = [id, new URL(id).host].map((key) => failures.get(key));
      const last = entries.find((one) => one !== undefined && now() < one.until);
      if (last !== undefined) throw last.error;
    },
  };
}

const MAX_A_MINUTE = { host: 60, network: 240 };
const MAX_AT_ONCE = { network: 8, all: 64 };

/** Limits how often strangers make this machine call others, by network, so that none locks out another. */
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
