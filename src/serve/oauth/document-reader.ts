import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";

/** Reads the document at an https URL. Rejects if that fails or breaks a limit. */
export type ReadDocument = (url: string) => Promise<string>;

/** The host may not be called, or did not send a whole answer in time. */
export class Unreachable extends Error {}

interface Limits {
  /** Whether an IP address may be called. */
  allows: (address: string) => boolean;
  /** An additional authority to trust, in PEM. */
  ca?: string;
  /** Milliseconds for the whole call. */
  timeout: number;
  resolve?: typeof lookup;
}

const MAX_BYTES = 10_000;
const TIMEOUT_MS = 5000;

/**
 * Reads a client's metadata document: the only outgoing call of the server, and only with `--oauth`. Strangers choose the URL,
 * so the call goes to the checked address itself, and redirects, large and slow documents are refused.
 */
export function createDocumentReader(
  { allows, ca, timeout, resolve = lookup }: Limits = { allows: isPublicAddress, timeout: TIMEOUT_MS },
): ReadDocument {
  const checked = checkedLookup(allows, resolve);
  return async (url) => {
    const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(host) !== 0 && !allows(host)) throw new Unreachable("the address is not public");
    const headers = { Accept: "application/json", "Accept-Encoding": "identity" };
    return read(url, {
      headers,
      agent: false,
      lookup: checked,
      signal: AbortSignal.timeout(timeout),
      ...(ca === undefined ? {} : { ca }),
    });
  };
}

function checkedLookup(allows: Limits["allows"], resolve: typeof lookup): LookupFunction {
  return (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const refused =
        error ?? (addresses.every(({ address }) => allows(address)) ? null : new Error("not public"));
      const [first] = addresses ?? [];
      if (refused !== null || first === undefined) done(refused ?? new Error("no address"), "", 4);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
}

function read(url: string, options: Parameters<typeof request>[1]): Promise<string> {
  return new Promise((resolve, reject) => {
    const unreachable = (cause: Error) => reject(new Unreachable(cause.message, { cause }));
    const call = request(url, options, (response: IncomingMessage) => {
      // Rejects before it destroys: the bytes so far may look like a complete answer.
      const refuse = (reason: string) => {
        reject(new Error(reason));
        call.destroy();
      };
      const chunks: Buffer[] = [];
      let size = 0;
      if (response.statusCode !== 200) refuse(`the answer is ${response.statusCode}`);
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BYTES) refuse("the document is too large");
      });
      response.once("error", unreachable);
      response.once("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    call.once("error", unreachable).end();
  });
}

/** Networks that are not on the open internet (IANA's special-purpose registries). */
const PRIVATE_V4: readonly [net: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Exceptions in 2000::/3, the only public network: tunnels, which lead to any IPv4 address, and examples. */
const PRIVATE_V6: readonly [net: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Whether an IP address is on the open internet. */
export function isPublicAddress(address: string): boolean {
  const [blocked, open] = [new BlockList(), new BlockList()];
  open.addSubnet("2000::", 3, "ipv6");
  for (const [net, prefix] of PRIVATE_V4) blocked.addSubnet(net, prefix, "ipv4");
  for (const [net, prefix] of PRIVATE_V6) blocked.addSubnet(net, prefix, "ipv6");
  if (isIPv4(address)) return !blocked.check(address, "ipv4");
  return open.check(address, "ipv6") && !blocked.check(address, "ipv6");
}
