import { createCounter, networkOf } from "../throttle.ts";
import { OAuthError } from "./errors.ts";

/** Reads a document of `host` for a stranger at the address `from`. Throws OAuthError when that network asks too much. */
export type Ration = <T>(from: string, host: string, read: () => Promise<T>) => Promise<T>;

const MAX_A_MINUTE = { host: 60, network: 240 };
const MAX_AT_ONCE = { network: 8, all: 64 };

/** Bounds what strangers make this machine call: each network for itself, so that one shuts out no other. */
export function createRation(now: () => number): Ration {
  const ofHost = createCounter(MAX_A_MINUTE.host, now);
  const ofNetwork = createCounter(MAX_A_MINUTE.network, now);
  const open: string[] = [];
  return async (from, host, read) => {
    const network = networkOf(from);
    const isBusy = open.filter((one) => one === network).length >= MAX_AT_ONCE.network;
    if (isBusy || open.length >= MAX_AT_ONCE.all) throw tooMany();
    if (ofHost(`${network} ${host}`) > 0 || ofNetwork(network) > 0) throw tooMany();
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
    "Too many clients were described from your address. Try again in a minute.",
  );
}
