import { isIPv6 } from "node:net";

/** Failed logins per address. */
export interface Throttle {
  /** Counts one; answers the seconds to wait before the next, 0 while there were few. */
  failed(address: string): number;
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** `now` in milliseconds. The oldest addresses are forgotten when there are very many. */
export function createThrottle(now: () => number): Throttle {
  const failures = new Map<string, { count: number; until: number }>();
  return {
    failed: (address) => {
      const key = network(address);
      const before = failures.get(key);
      const entry =
        before !== undefined && before.until > now() ? before : { count: 0, until: now() + WINDOW_MS };
      entry.count++;
      failures.delete(key);
      failures.set(key, entry);
      const [oldest = ""] = failures.keys();
      if (failures.size > MAX_ADDRESSES) failures.delete(oldest);
      return entry.count > MAX_FAILURES ? Math.ceil((entry.until - now()) / 1000) : 0;
    },
  };
}

/** One person has all addresses of an IPv6 network. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0")].slice(0, 4).join(":");
}
