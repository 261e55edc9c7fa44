import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { answerTypes, JSON_TYPE, STREAM_TYPE, takesGzip } from "./accept.ts";
import type { Answers } from "./answers.ts";
import type { AuthenticatedExchange, Exchange } from "./exchange.ts";

/** The only headers that the SDK gets: no credentials. */
const HEADERS = [
  "content-type",
  "mcp-session-id",
  "mcp-protocol-version",
  "last-event-id",
  "mcp-method",
  "mcp-name",
];

/**
 * The SDK speaks the web's Request and Response; its body is passed separately. It wants clients that take both kinds of answers;
 * `sendWeb` makes the one that this client takes. Throws Refusal if it takes neither.
 */
export function webRequest({ request }: Exchange, signal?: AbortSignal): Request {
  const { method = "GET", headers: sent } = request;
  if (method !== "DELETE") answerTypes(request);
  const names = HEADERS.filter((name) => sent[name] !== undefined);
  const given = Object.fromEntries(names.map((name) => [name, String(sent[name])]));
  const headers = { ...given, accept: `${JSON_TYPE}, ${STREAM_TYPE}` };
  return new Request("http://localhost/mcp", { method, headers, ...(signal && { signal }) });
}

type WebAnswers = AsyncIterable<Response> | readonly Response[];

/**
 * Sends the answers to a message, or to those of a batch, one after the other. The SDK makes the parts of an answer whether they
 * are read or not, so they wait in the response, where `answers` counts them. Resolves when all is written or the client has left.
 */
export async function sendWeb(
  { request, response, access: { principal } }: AuthenticatedExchange,
  all: WebAnswers,
  { answers, isBatch = false }: { answers: Answers; isBatch?: boolean },
): Promise<void> {
  answers.open(response, principal);
  const makeRoom = () => answers.makeRoom(principal);
  if (request.method === "POST" && answerTypes(request)[0] === JSON_TYPE)
    return sendAsJson(response, all, { makeRoom, isBatch });
  let status = 202;
  for await (const answer of all) {
    status = answer.status;
    if (answer.body === null) continue;
    if (!isBatch && !isStream(answer) && takesGzip(request)) return sendPacked(response, answer, makeRoom);
    if (!response.headersSent) response.writeHead(status, headersOf(answer)).flushHeaders();
    else if (!isStream(answer)) {
      response.write(`event: message\ndata: ${await answer.text()}\n\n`);
      continue;
    }
    await pump(answer.body, response, makeRoom);
    if (response.destroyed) return;
  }
  if (!response.headersSent) response.writeHead(status);
  response.end();
}

/** Smaller answers fit into a packet or two as they are. */
const MIN_PACKED_BYTES = 2_000;

async function sendPacked(response: ServerResponse, answer: Response, makeRoom: () => void): Promise<void> {
  const plain = Buffer.from(await answer.arrayBuffer());
  const isSmall = plain.length < MIN_PACKED_BYTES;
  const body = isSmall ? plain : await promisify(process.getBuiltinModule("node:zlib").gzip)(plain);
  makeRoom();
  const packed = { vary: "accept-encoding", ...(!isSmall && { "content-encoding": "gzip" }) };
  response.writeHead(answer.status, { ...headersOf(answer), ...packed }).end(body);
}

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse, makeRoom: () => void) {
  for await (const part of partsOf(body, response)) {
    makeRoom();
    response.write(part);
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type") === STREAM_TYPE;
}

/** For a client that takes no stream: the answers alone, without what a call reports on its way. */
async function sendAsJson(
  response: ServerResponse,
  all: WebAnswers,
  { makeRoom, isBatch }: { makeRoom: () => void; isBatch: boolean },
): Promise<void> {
  const texts: string[] = [];
  let [status, headers] = [202, {}];
  for await (const answer of all) {
    status = answer.status;
    if (answer.body === null) continue;
    headers = { ...headersOf(answer), "content-type": JSON_TYPE };
    const parts: Uint8Array[] = [];
    for await (const part of partsOf(answer.body, response)) parts.push(part);
    const text = Buffer.concat(parts).toString();
    texts.push(...(isStream(answer) ? repliesIn(text) : [text]));
    if (response.destroyed) return;
  }
  makeRoom();
  if (texts.length === 0) return void response.writeHead(status === 200 ? 202 : status).end();
  response.writeHead(isBatch ? 200 : status, headers).end(isBatch ? `[${texts.join()}]` : texts[0]);
}

function headersOf(answer: Response): Record<string, string> {
  const { connection: _, ...headers } = Object.fromEntries(answer.headers);
  return headers;
}

/** The replies to requests in a stream of events, as JSON. */
function repliesIn(stream: string): string[] {
  const texts = [...stream.matchAll(/^data: ?(.+)$/gm)].map(([, text = ""]) => text);
  return texts.filter((text) => !("method" in (JSON.parse(text) as object)));
}

async function* partsOf(body: ReadableStream<Uint8Array>, response: ServerResponse) {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  response.once("close", stop);
  if (response.destroyed) stop();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  response.off("close", stop);
}

/** Resolves when the client has read what was written, or has left. */
export function whenRead(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (!response.writableNeedDrain || response.req.socket.destroyed) return resolve();
    response.once("drain", resolve);
    response.req.socket.once("close", () => resolve());
  });
}
