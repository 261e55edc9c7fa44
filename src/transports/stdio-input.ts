import { Transform } from "node:stream";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from "@modelcontextprotocol/server";
import { REVISION } from "../mcp/protocol.ts";

/** An error of JSON-RPC. */
interface Refusal {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

const INVALID_REQUEST: Refusal = {
  code: -32600,
  message:
    "Invalid Request: a request has jsonrpc (2.0), id, method and, if any, params, an object; its progressToken is a string or a number.",
};
const UNSUPPORTED_REVISION = -32022;

/** Longer lines are passed on as they come: no malformed request is that long. */
const MAX_CHECKED_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Passes the lines of a client on. `refuse` hears of requests that the SDK would drop, so that their client would wait for ever. */
export function checkedLines(refuse: (id: RequestId, refusal: Refusal) => void): Transform {
  let held: Buffer[] = [];
  let size = 0;
  const take = (): Buffer => {
    const line = Buffer.concat(held);
    [held, size] = [[], 0];
    return line;
  };
  const hold = (part: Buffer) => {
    held.push(part);
    size += part.length;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        hold(chunk.subarray(start, end + 1));
        const line = take();
        const id = malformedRequest(line);
        if (id !== undefined) refuse(id, INVALID_REQUEST);
        this.push(line);
        start = end + 1;
      }
      hold(chunk.subarray(start));
      if (size > MAX_CHECKED_BYTES) this.push(take());
      done();
    },
    flush(done) {
      this.push(take());
      done();
    },
  });
}

/** The id of a request that is not one by the rules of the protocol. */
function malformedRequest(line: Buffer): RequestId | undefined {
  const message = line.length > MAX_CHECKED_BYTES ? undefined : parse(line);
  if (typeof message !== "object" || message === null || !("method" in message) || !("id" in message))
    return undefined;
  const { id } = message;
  if ((typeof id !== "string" && typeof id !== "number") || isJSONRPCRequest(message)) return undefined;
  return id;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** Why a request cannot be answered: its revision is unknown. The SDK checks only the first one of a connection. */
export function unknownRevision(message: JSONRPCMessage): Refusal | undefined {
  if (!isJSONRPCRequest(message)) return undefined;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== "string" || requested === REVISION) return undefined;
  const data = { supported: [REVISION], requested };
  return { code: UNSUPPORTED_REVISION, message: `Unsupported protocol version: ${requested}`, data };
}
