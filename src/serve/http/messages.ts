import { isUtf8 } from "node:buffer";
import type { RequestId } from "@modelcontextprotocol/server";
import type { Tool } from "../../core/mcp/tool.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { type Bodies, readBody } from "./body.ts";
import { type AuthenticatedExchange, protocolRefusal, type Refusal } from "./exchange.ts";

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** No real message comes near: parsing megabytes of brackets would block the server for seconds. */
const MAX_DEPTH = 200;
const MAX_VALUES = 50_000;
const PARSE_ERROR = -32700;

/**
 * The JSON of a request's body, described on the exchange for the log. Throws Refusal: 413 if it is too large, 429 if the
 * principal sends too much at once, 400 if it is not JSON in UTF-8.
 */
export async function readMessages(bodies: Bodies, exchange: AuthenticatedExchange): Promise<unknown> {
  const { request, response, access } = exchange;
  const bytes = await readBody(request, MAX_BODY_BYTES, (refuse) => {
    const memory = bodies.open(access.principal, refuse);
    response.once("close", memory.close);
    return memory;
  });
  const body = parse(bytes);
  exchange.methods = describe(body);
  return body;
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw parseError("is not UTF-8");
  if (!isPlain(bytes)) throw parseError("has too many values, or nests them too deeply");
  const message = attempt((): unknown => JSON.parse(bytes.toString()));
  if (message === undefined) throw parseError("is not JSON");
  return message;
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

/** The position of the quote that ends the string starting at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

/** The messages of a body: one, or a batch. */
function messagesOf(body: unknown): Record<string, unknown>[] {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  return all.filter((one) => typeof one === "object" && one !== null) as Record<string, unknown>[];
}

/** The ids of the requests that expect a reply. */
export function requestIds(body: unknown): RequestId[] {
  const requests = messagesOf(body).filter((message) => "method" in message);
  return requests.map(({ id }) => id).filter((id) => typeof id === "string" || typeof id === "number");
}

export function isInitialize(body: unknown): boolean {
  return messagesOf(body).some(({ method }) => method === "initialize");
}

/** Requests whose answers are short, or that stay open. */
const NO_READS = new Set([
  "initialize",
  "ping",
  "server/discover",
  "subscriptions/listen",
  "logging/setLevel",
]);

/** Whether a message is a request that is answered from the workspace and changes nothing. */
export function isRead(message: unknown, tools: readonly Pick<Tool, "name" | "access">[]): boolean {
  const [{ id, method, params } = {}, ...others] = messagesOf(message);
  if (others.length > 0 || id === undefined || typeof method !== "string" || NO_READS.has(method))
    return false;
  if (method !== "tools/call") return true;
  const { name } = (params ?? {}) as { name?: unknown };
  return tools.find((tool) => tool.name === name)?.access === "read";
}

const SHOWN_MESSAGES = 3;

/** For the log: methods and the names of tools, never an argument. */
function describe(body: unknown): string {
  const messages = messagesOf(body);
  const shown = messages.slice(0, SHOWN_MESSAGES).map(({ method, params }) => {
    const name = typeof params === "object" && params !== null && "name" in params ? params.name : undefined;
    return method === "tools/call" ? `${method}:${word(name)}` : word(method);
  });
  const more = messages.length - shown.length;
  return more > 0 ? `${shown.join(",")},+${more}` : shown.join(",");
}

/** Hides anything but a plain name: it could be text that must not be logged. */
function word(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-zA-Z_/]{0,39}$/.test(value) ? value : "?";
}
