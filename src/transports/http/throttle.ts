import { isIPv6 } from "node:net";
import { setYoungest } from "../../lib/lru.ts";

/** Counts one for a key; answers the seconds to wait before the next, 0 while there were few. */
export type Counter = (key: string) => number;

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_KEYS = 10_000;

/** Counts failed logins by address; `now` in milliseconds. */
export function createThrottle(now: () => number): Counter {
  const count = createCounter(MAX_FAILURES, now);
  return (address) => count(networkOf(address));
}

/** Lets `max` pass in a minute. The oldest keys are forgotten when there are very many; `now` in milliseconds. */
export function createCounter(max: number, now: () => number): Counter {
  const counts = new Map<string, { count: number; until: number }>();
  return (key) => {
    const before = counts.get(key);
    const entry =
      before !== undefined && before.until > now() ? before : { count: 0, until: now() + WINDOW_MS };
    entry.count++;
    setYoungest(counts, MAX_KEYS, [key, entry]);
    return entry.count > max ? Math.ceil((entry.until - now()) / 1000) : 0;
  };
}

/** One person has all addresses of an IPv6 network. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0")].slice(0, 4).join(":");
}
