import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./address.ts";

/** Reads the document at an https URL. Rejects when it cannot be had within the limits. */
export type ReadDocument = (url: string) => Promise<string>;

/** A host that may not be called, or gave no whole answer in time. */
export class Unreachable extends Error {}

interface Limits {
  /** Whether an address in figures may be called. */
  allows: (address: string) => boolean;
  /** An authority to trust beside the system's, in PEM. */
  ca?: string;
  /** Milliseconds, for all of it. */
  timeout: number;
  /** Finds the addresses of a name; the system's, unless it is given. */
  resolve?: typeof lookup;
}

const MAX_BYTES = 10_000;
const TIMEOUT_MS = 5000;

/**
 * The one call that the server ever makes to others, and only with `--oauth`: it reads what a client says of itself.
 * Strangers choose the address, so it is looked at after the name was resolved, and is the one that is called; neither
 * redirects nor large or slow documents are followed.
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
      ...{ headers, agent: false, lookup: checked, signal: AbortSignal.timeout(timeout) },
      ...(ca === undefined ? {} : { ca }),
    });
  };
}

function checkedLookup(allows: Limits["allows"], resolve: typeof lookup): LookupFunction {
  return (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, found) => {
      const refused =
        error ?? (found.every(({ address }) => allows(address)) ? null : new Error("not public"));
      const [first] = found ?? [];
      if (refused !== null || first === undefined) done(refused ?? new Error("no address"), "", 4);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
}

function read(url: string, options: Parameters<typeof request>[1]): Promise<string> {
  return new Promise((resolve, reject) => {
    const unreachable = (cause: Error) => reject(new Unreachable(cause.message, { cause }));
    const asked = request(url, options, (response: IncomingMessage) => {
      // Rejected before it is ended, since what came already may still count as a whole answer.
      const refuse = (reason: string) => {
        reject(new Error(reason));
        asked.destroy();
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
    asked.once("error", unreachable).end();
  });
}
