import { Transform } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from "@modelcontextprotocol/server";
import { REVISION } from "../mcp/protocol.ts";
import { attempt } from "../storage/fs-errors.ts";

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
const PARSE_ERROR: Refusal = {
  code: -32700,
  message: "Parse error: a line must be one whole message in JSON.",
};
const UNSUPPORTED_REVISION = -32022;

/** Longer lines are passed on as they come: no malformed request is that long. */
const MAX_CHECKED_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const MAX_BATCH = 100;

/** Hears of what the SDK would drop, so that its client would wait for ever; `id` is null if no request can be told. */
type Refuse = (id: RequestId | null, refusal: Refusal) => void;

/** Passes the lines of a client on. */
export function checkedLines(refuse: Refuse): Transform {
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
        if (line.length > MAX_CHECKED_BYTES) this.push(line);
        else for (const message of messagesIn(line.toString(), refuse)) this.push(message);
        start = end + 1;
      }
      hold(chunk.subarray(start));
      if (size > MAX_CHECKED_BYTES) this.push(take());
      done();
    },
  });
}

/** Each message of a batch as a line of its own. */
function messagesIn(line: string, refuse: Refuse): string[] {
  if (line.trim() === "") return [line];
  const message = attempt((): unknown => JSON.parse(line));
  if (message === undefined) refuse(null, PARSE_ERROR);
  if (message === undefined) return [line];
  const isBatch = Array.isArray(message) && message.length > 0 && message.length <= MAX_BATCH;
  for (const one of isBatch ? message : [message]) check(one, refuse);
  return isBatch ? message.map((one) => `${JSON.stringify(one)}\n`) : [line];
}

function check(message: unknown, refuse: Refuse): void {
  // An error may answer one of ours that had no id: the two sides would go on for ever.
  const isObject = typeof message === "object" && message !== null && !Array.isArray(message);
  const isReply = isObject && !("method" in message);
  if (!isReply && !isJSONRPCRequest(message) && !isJSONRPCNotification(message))
    refuse(idOf(message), INVALID_REQUEST);
}

function idOf(message: unknown): RequestId | null {
  if (typeof message !== "object" || message === null || !("method" in message && "id" in message))
    return null;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Why a request cannot be answered: its revision is unknown. The SDK checks only the first one of a connection. */
export function unknownRevision(message: JSONRPCMessage): Refusal | undefined {
  if (!isJSONRPCRequest(message)) return undefined;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== "string" || requested === REVISION) return undefined;
  const data = { supported: [REVISION], requested };
  return { code: UNSUPPORTED_REVISION, message: `Unsupported protocol version: ${requested}`, data };
}
