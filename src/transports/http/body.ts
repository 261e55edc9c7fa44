import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Bodies, Held } from "./bodies.ts";
import type { Admitted } from "./exchange.ts";
import { protocolRefusal, type Refusal, refusal } from "./reply.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Far more than any message has: to parse megabytes of brackets would keep everybody waiting for seconds. */
const MAX_DEPTH = 200;
const MAX_VALUES = 50_000;
const PARSE_ERROR = -32700;

/**
 * The JSON of a request's body. Throws Refusal: 413 when it is too large, 429 when the principal sends too much at once,
 * 400 when it is no JSON in UTF-8.
 */
export async function readJson(bodies: Bodies, { request, response, access }: Admitted): Promise<unknown> {
  const bytes = await readBody(request, MAX_BODY_BYTES, (refuse) => {
    const held = bodies.open(access.principal, refuse);
    response.once("close", held.close);
    return held;
  });
  if (!isUtf8(bytes)) throw parseError("is not UTF-8");
  if (!isPlain(bytes)) throw parseError("has too many values, or nests them too deeply");
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw parseError("is not JSON");
  }
}

function parseError(reason: string): Refusal {
  return protocolRefusal(400, PARSE_ERROR, `Parse error: the body ${reason}`);
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** Whether JSON has few enough values and levels, without parsing it. */
function isPlain(bytes: Buffer): boolean {
  let [depth, values] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (OPENING.includes(byte)) [depth, values] = [depth + 1, values + 1];
    else if (CLOSING.includes(byte)) depth--;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false;
  }
  return true;
}

/** Where the quote stands that ends the string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

const FIRST_BYTES = 16 * 1024;
const EMPTY = Buffer.alloc(0);

/**
 * What has more bytes than `limit` is refused and not kept: Node reads and drops the rest, so that the client gets to see
 * the answer. It is kept in one buffer that grows, since a million chunks of a byte each would take a hundred times as much.
 */
export function readBody(request: IncomingMessage, limit: number, hold: Hold = holdFreely): Promise<Buffer> {
  const tooLarge = () => refusal(413, `A message may have ${limit} bytes at most.`);
  if (Number(request.headers["content-length"]) > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    let [bytes, size]: [Buffer, number] = [EMPTY, 0];
    const stop = (reason: Refusal) => {
      request.off("data", take).resume();
      bytes = EMPTY;
      held.close();
      reject(reason);
    };
    const held = hold(stop);
    const take = (chunk: Buffer) => {
      if (size + chunk.length > limit) return stop(tooLarge());
      const needed = Math.max(size + chunk.length, FIRST_BYTES);
      if (needed > bytes.length) {
        bytes = grown(bytes, Math.min(limit, Math.max(needed, 2 * bytes.length)));
        held.take(bytes.length);
      }
      size += chunk.copy(bytes, size);
    };
    request.on("data", take);
    request.once("end", () => {
      held.finish(size);
      resolve(bytes.subarray(0, size));
    });
    request.once("error", () => stop(refusal(400, "The request was not complete.")));
  });
}

/** Counts a body; what it is given is called when it is too much. */
type Hold = (refuse: (reason: Refusal) => void) => Held;

/** For bodies that are small. */
const holdFreely: Hold = () => ({ take: () => {}, finish: () => {}, close: () => {} });

function grown(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}
