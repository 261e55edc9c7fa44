import type { Server } from "node:http";
import { isIPv6, type Socket } from "node:net";
import { setMostRecent } from "../../core/lib/collections.ts";
import { refusal } from "./exchange.ts";

/** Counts an event of a key. Returns the seconds to wait before the next one, 0 below the limit. */
export type Counter = (key: string) => number;

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts failed logins by address; `now` in milliseconds. */
export function createThrottle(now: () => number): Counter {
  const count = createCounter(MAX_FAILURES, now);
  return (address) => count(networkOf(address));
}

/** Throws Refusal after too many failed logins of an address. */
export function countFailedLogin(failedLogin: Counter, address: string): void {
  const wait = failedLogin(address);
  if (wait === 0) return;
  const headers = { "Retry-After": wait, Connection: "close" };
  throw refusal(429, "Too many failed logins from this address. Try again later.", headers);
}

/** Allows `max` events a minute; forgets the oldest of too many keys. `now` in milliseconds. */
export function createCounter(max: number, now: () => number): Counter {
  const counts = new Map<string, { count: number; until: number }>();
  return (key) => {
    const before = counts.get(key);
    const entry =
      before !== undefined && before.until > now() ? before : { count: 0, until: now() + WINDOW_MS };
    entry.count++;
    setMostRecent(counts, MAX_KEYS, [key, entry]);
    return entry.count > max ? Math.ceil((entry.until - now()) / 1000) : 0;
  };
}

/** The first 64 bits of an IPv6 address, since one person has all addresses of such a network. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0")].slice(0, 4).join(":");
}

/** How often `owners` names this principal, and the principal that it names most often. */
export function sharesOf(owners: Iterable<string>, principal: string) {
  const counts = new Map<string, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const own = counts.get(principal) ?? 0;
  let most = { principal, count: own };
  for (const [owner, count] of counts) if (count > most.count) most = { principal: owner, count };
  return { own, most };
}

const CONNECTIONS = { admitted: 3500, strangers: 500 };
const RETRY_AFTER_S = 30;

/**
 * Limits connections, so that holding them open locks out no other client. A new connection closes the oldest of too many
 * unauthenticated ones. The returned function admits a connection of a principal; if too many are admitted, it closes one of
 * the principal with the most, or throws Refusal if that is this principal.
 */
export function limitConnections(
  server: Server,
  { admitted: maxAdmitted, strangers: maxStrangers } = CONNECTIONS,
): (socket: Socket, principal: string) => void {
  const strangers = new Set<Socket>();
  const admitted = new Map<Socket, string>();
  server.maxConnections = maxAdmitted + maxStrangers;
  server.on("connection", (socket: Socket) => {
    strangers.add(socket);
    socket.once("close", () => {
      strangers.delete(socket);
      admitted.delete(socket);
    });
    const [oldest] = strangers;
    if (strangers.size > maxStrangers) oldest?.destroy();
  });
  return (socket, principal) => {
    if (!admitted.has(socket) && admitted.size >= maxAdmitted) makeRoom(admitted, principal);
    strangers.delete(socket);
    admitted.set(socket, principal);
  };
}

function makeRoom(admitted: Map<Socket, string>, principal: string): void {
  const { own, most } = sharesOf(admitted.values(), principal);
  const [oldest] = [...admitted].find(([, owner]) => owner === most.principal) ?? [];
  if (oldest === undefined || most.count <= own + 1) {
    const headers = { "Retry-After": RETRY_AFTER_S, Connection: "close" };
    throw refusal(429, "You have too many open connections. Close some and try again.", headers);
  }
  admitted.delete(oldest);
  oldest.destroy();
}
