import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { protocolRefusal, type Refusal, refusal } from "./reply.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Far more than any message has: to parse megabytes of brackets would keep everybody waiting for seconds. */
const MAX_DEPTH = 200;
const MAX_VALUES = 50_000;
const PARSE_ERROR = -32700;

/** The JSON of a request's body. Throws Refusal: 413 when it is too large, 400 when it is no JSON in UTF-8. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request);
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

/** What has more bytes than `limit` is refused and not kept: Node reads and drops the rest, so that the client gets to see the answer. */
export function readBody(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const tooLarge = () => refusal(413, `A message may have ${limit} bytes at most.`);
  if (Number(request.headers["content-length"]) > limit) throw tooLarge();
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        chunks = [];
        request.off("data", take).resume();
        reject(tooLarge());
      }
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => reject(refusal(400, "The request was not complete.")));
  });
}
