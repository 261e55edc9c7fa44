import type { CallToolResult, JSONRPCMessage } from "@modelcontextprotocol/server";
import { UserError } from "../lib/errors.ts";
import { escapeInvisible, escapeJson, escapeUnseen, unseenIn } from "../lib/escape.ts";
import { listOf } from "../lib/fields.ts";
import type { Log } from "../lib/log.ts";
import { plural } from "../lib/text.ts";
import { attempt, unnamedFileError } from "../storage/fs-errors.ts";
import type { Api } from "./api.ts";
import type { Say } from "./words.ts";

/** Where errors go, and how results and errors are said to the client. */
export interface Boundary {
  log: Log;
  say: Say;
}

/** What an answer says besides, asked for afterwards. */
interface More {
  meta: () => object | undefined;
  news: () => Promise<string[]>;
  /** About the call itself. */
  remark: () => string | undefined;
}

/** Runs a tool: its result or its error, in the form of the API. */
export async function toolResult(
  { log, say }: Boundary,
  api: Api,
  run: () => unknown,
  { meta, news: heard, remark }: More,
): Promise<CallToolResult> {
  const news = async () => (await heard()).map(escapeUnseen);
  try {
    const own = withUnseen(said((await run()) as Record<string, unknown>, say));
    const [lines, _meta, hint] = [await news(), meta(), remark()];
    const hinted = withHint(own, hint);
    const result = lines.length === 0 ? hinted : { ...hinted, news: lines };
    const text = api.text(result);
    // API v1 prints a bare list.
    const besides = Array.isArray(own["result"]) ? [...textOf(hint), ...newsText(lines)] : newsText(lines);
    const content = [{ type: "text" as const, text }, ...besides];
    return { content, structuredContent: result, ...(_meta !== undefined && { _meta: { ..._meta } }) };
  } catch (thrown) {
    const error = toUserError(thrown, log);
    const words = api.failure(error);
    const text = words === null ? envelope(error, say) : escapeInvisible(words);
    return { isError: true, content: [{ type: "text", text }, ...newsText(await news())] };
  }
}

/** An answer that says what a person would not see of it; API v1 has a field of its own for all. */
function withUnseen(result: Record<string, unknown>): Record<string, unknown> {
  const unseen = "result" in result ? undefined : unseenIn(JSON.stringify(result));
  if (unseen === undefined) return result;
  const { count, first } = unseen;
  const are = plural(count, "character", "characters");
  return { ...result, invisible: `This answer has ${count} invisible ${are}, e.g. ${first}.` };
}

function newsText(lines: readonly string[]) {
  return textOf(lines.length === 0 ? undefined : `News: ${lines.join(" ")}`);
}

function textOf(text: string | undefined) {
  return text === undefined ? [] : [{ type: "text" as const, text }];
}

function withHint(result: Record<string, unknown>, hint: string | undefined): Record<string, unknown> {
  const { hint: own } = result;
  return hint === undefined ? result : { ...result, hint: own === undefined ? hint : `${own} ${hint}` };
}

/** The fields of answers that are this program's own words. */
const OWN_WORDS = ["hint", "reason", "next", "shortened"];

function said(result: Record<string, unknown>, say: Say): Record<string, unknown> {
  const fields = Object.entries(result).map(([name, value]) =>
    OWN_WORDS.includes(name) && typeof value === "string" ? [name, say(value)] : [name, value],
  );
  return Object.fromEntries(fields.filter(([name, value]) => value !== "" || !OWN_WORDS.includes(`${name}`)));
}

function envelope({ code, message, details }: UserError, say: Say): string {
  return escapeJson(
    JSON.stringify({ success: false, error: { code, message: say(message) || message, details } }),
  );
}

/** Runs a request that fails with errors of the protocol; `uri` is the requested resource. */
export async function protocolResult<T>(
  { log, say }: Boundary,
  run: () => Promise<T>,
  uri?: string,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw protocolError(toUserError(error, log), say, uri);
  }
}

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
const RESOURCE_NOT_FOUND = -32002;
const NOT_FOUND_PREFIX = "Resource not found: ";
const SERVER_ERRORS = ["INDEX_ERROR", "FILESYSTEM_ERROR"];

/** Not the SDK's ProtocolError, which adds a prefix to the message. */
function protocolError(error: UserError, say: Say, uri: string | undefined): Error {
  const { code, details } = error;
  const message = say(error.message);
  if (SERVER_ERRORS.includes(code)) return Object.assign(new Error(message), { code: INTERNAL_ERROR });
  if (uri === undefined || code === "INVALID_ARGUMENT")
    return Object.assign(new Error(message), { code: INVALID_PARAMS, data: details });
  const text = `${NOT_FOUND_PREFIX}${message}`;
  return Object.assign(new Error(text), { code: RESOURCE_NOT_FOUND, data: { uri } });
}

/** The SDK gives a missing resource the code of the newest revision; clients of older ones expect theirs. */
export function oldErrorCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!("error" in message) || message.error.code !== INVALID_PARAMS) return message;
  if (!message.error.message.startsWith(NOT_FOUND_PREFIX)) return message;
  return { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } };
}

/** Wrong params, which the SDK throws as the issues of its validator, with code and words; any other error unchanged. */
export function invalidParams(method: string, error: unknown): unknown {
  if (!(error instanceof Error) || "code" in error) return error;
  // Any other message speaks for itself.
  const [issue] = listOf(attempt((): unknown => JSON.parse(error.message))) as Issue[];
  if (issue === undefined) return error;
  const name = issue.path?.slice(1).join(".") || "params";
  const text = `Invalid params for ${method}: ${name}: ${issue.message ?? "Invalid input"}`;
  return Object.assign(new Error(text), { code: INVALID_PARAMS });
}

interface Issue {
  path?: string[];
  message?: string;
}

function toUserError(error: unknown, log: Log): UserError {
  const said = error instanceof UserError ? error : unnamedFileError(error);
  if (said !== undefined) {
    if (said.cause instanceof Error) log.debug(`${said.code}: ${said.cause.message}`);
    return said;
  }
  log.error(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new UserError(
    "INDEX_ERROR",
    "The server met an unexpected error; its log on stderr has the details. Your files are unharmed, try again.",
  );
}
