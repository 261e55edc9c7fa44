import { CHANGES, PAGE_CLIENT } from "../core/lib/page.ts";

const REVISION = "2026-07-28";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: PAGE_CLIENT, version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface Called<T> {
  answer: T;
  /** The oldest first; none if no history is kept. */
  changes: readonly string[];
}

/** What a tool answers instead of a result: `code` as in the server's error codes, `message` for people. */
export class ToolError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor({
    code,
    message,
    details,
  }: { code: string; message: string; details?: Record<string, unknown> }) {
    super(message);
    this.code = code;
    this.details = details ?? {};
  }
}

/** The server wants a token, or refuses the one it got. */
export class LoginError extends Error {}

/** The server cannot be reached. */
export class ConnectionError extends Error {}

interface Message {
  method?: string;
  params?: { uri?: string };
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A part of a resource that is no text: `blob` is base64. */
interface Bytes {
  mimeType?: string;
  blob?: string;
}

type Post = (
  method: string,
  params: object,
  options?: { name?: string; signal?: AbortSignal },
) => Promise<Response>;

/** What opens the server; undefined if this tab was given none. */
type Token = () => string | undefined;

interface Sent {
  headers?: Record<string, string>;
  body?: string | Blob;
  signal?: AbortSignal | undefined;
}

/** Longer than any tool takes; a server that is stopped never answers. */
const ANSWER_MS = 60_000;
/** A stream says something at least every five seconds. */
const QUIET_MS = 10_000;

/** Posts with a token. Throws LoginError or ConnectionError. */
async function send(
  url: string,
  bearer: string | undefined,
  { headers, body, signal }: Sent = {},
): Promise<Response> {
  const login = bearer !== undefined && { Authorization: `Bearer ${bearer}` };
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = setTimeout(stop, ANSWER_MS);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  const request = {
    method: "POST",
    headers: { ...headers, ...login },
    body: body ?? null,
    signal: limit.signal,
    cache: "no-store",
    credentials: "omit",
  } as const;
  const response = await fetch(url, request)
    .catch((error) => {
      throw signal?.aborted ? error : new ConnectionError();
    })
    .finally(() => clearTimeout(timer));
  if (response.status === 401) throw new LoginError();
  return response;
}

/** Sends with the token of the page, which the server gives for `token`, also after a restart. Throws LoginError or ConnectionError. */
function createSend(url: string, token: Token) {
  let login: { typed: string | undefined; page: Promise<string> } | undefined;
  const logIn = async (): Promise<string> => {
    const typed = token();
    if (login === undefined || login.typed !== typed) {
      const page = send(new URL("login", url).href, typed).then(tokenIn);
      login = { typed, page };
      page.catch(forget);
    }
    return login.page;
  };
  const forget = () => {
    login = undefined;
  };
  return async (to: string, sent: Sent = {}): Promise<Response> => {
    const page = await Promise.race([logIn(), ...(sent.signal ? [aborted(sent.signal)] : [])]);
    try {
      return await send(to, page, sent);
    } catch (error) {
      if (!(error instanceof LoginError)) throw error;
      forget();
      return send(to, await logIn(), sent);
    }
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, stop) => {
    if (signal.aborted) stop(signal.reason);
    signal.addEventListener("abort", () => stop(signal.reason), { once: true });
  });
}

type SendAsPage = ReturnType<typeof createSend>;

async function tokenIn(response: Response): Promise<string> {
  if (!response.ok) throw refused(response, await messageIn(response));
  return ((await response.json()) as { token: string }).token;
}

/** Posts messages of revision 2026-07-28. Throws LoginError or ConnectionError. */
function createPost(url: string, sendAsPage: SendAsPage): Post {
  let lastId = 0;
  return async (method, params, { name, signal } = {}) => {
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "Mcp-Protocol-Version": REVISION,
      "Mcp-Method": method,
      ...(name !== undefined && { "Mcp-Name": name }),
    };
    const message = { jsonrpc: "2.0", id: ++lastId, method, params: { ...params, _meta: ENVELOPE } };
    return sendAsPage(url, { headers, body: JSON.stringify(message), signal });
  };
}

async function request(
  post: Post,
  method: string,
  params: object,
  name?: string,
): Promise<Record<string, unknown>> {
  const response = await post(method, params, name === undefined ? {} : { name });
  const message = await messageIn(response);
  if (message.result !== undefined) return message.result;
  throw refused(response, message);
}

type Answered = Message & { message?: string };

async function messageIn(response: Response): Promise<Answered> {
  return (await response.json().catch(() => ({}))) as Answered;
}

function refused({ status }: Response, { error, message }: Answered): Error {
  if (status >= 502) return new ConnectionError();
  return new ToolError({ code: `HTTP_${status}`, message: error?.message ?? message ?? `HTTP ${status}` });
}

/** The token for the code of an address, which works once; undefined if it no longer does. */
export async function redeemCode(url: string, code: string): Promise<string | undefined> {
  const response = await send(url, undefined, { body: code });
  return response.ok ? ((await response.json()) as { token: string }).token : undefined;
}

/** How far the server has indexed the notes (`34%`), if that takes long; needs no token. */
export async function readIndexing(url: string): Promise<string | undefined> {
  const response = await fetch(url).catch(() => undefined);
  return ((await response?.json().catch(() => {})) as { indexing?: string } | undefined)?.indexing;
}

/** An MCP client: each call is one POST, and changes arrive on one stream. */
export function createClient(url: string, token: Token) {
  const sendAsPage = createSend(url, token);
  const post = createPost(url, sendAsPage);
  const postTo = async (route: string, body?: Blob): Promise<Response> => {
    const response = await sendAsPage(new URL(route, url).href, body === undefined ? {} : { body });
    if (!response.ok) throw refused(response, await messageIn(response));
    return response;
  };
  return {
    /** The names of the tools that this server offers to this token. */
    listTools: async (): Promise<Set<string>> => {
      const { tools } = (await request(post, "tools/list", {})) as { tools: { name: string }[] };
      return new Set(tools.map(({ name }) => name));
    },
    /** What a tool answers, and the ids of the changes that it made. Throws ToolError, LoginError or ConnectionError. */
    call: async <T>(tool: string, args: object = {}): Promise<Called<T>> => {
      const result = await request(post, "tools/call", { name: tool, arguments: args }, tool);
      if (result["isError"] === true)
        throw toolError((result["content"] as { text: string }[])[0]?.text ?? "");
      const { [CHANGES]: changes } = (result["_meta"] ?? {}) as { [CHANGES]?: string[] };
      return { answer: result["structuredContent"] as T, changes: changes ?? [] };
    },
    /** The bytes of a resource, with their type. Throws ToolError, LoginError or ConnectionError. */
    readBytes: async (uri: string): Promise<Blob> => {
      const { contents } = (await request(post, "resources/read", { uri }, uri)) as { contents: Bytes[] };
      const [{ mimeType = "", blob = "" } = {}] = contents;
      return new Blob([Uint8Array.from(atob(blob), (byte) => byte.charCodeAt(0))], { type: mimeType });
    },
    /** Adds the example project. Throws ToolError if the server adds none, LoginError or ConnectionError. */
    addExample: async (): Promise<void> => {
      await postTo("example");
    },
    /** Adds a picture to the assets of a project: its path there, and the ids of the changes. Throws ToolError, LoginError or ConnectionError. */
    addPicture: async (project: string, picture: File): Promise<Called<string>> => {
      const query = new URLSearchParams({ project, name: picture.name });
      const response = await postTo(`picture?${query}`, picture);
      const { path, changes } = (await response.json()) as { path: string; changes: string[] };
      return { answer: path, changes };
    },
    /** Calls `heard` with `open`, then with the address of each change, until the stream ends or `signal` aborts. */
    listen: async (uris: string[], heard: (uri: string) => void, signal: AbortSignal): Promise<void> => {
      const notifications = { resourceSubscriptions: uris };
      const response = await post("subscriptions/listen", { notifications }, { signal });
      if (!response.ok || response.body === null) throw new ConnectionError();
      for await (const { method, params } of messages(response.body)) {
        if (method === "notifications/subscriptions/acknowledged") heard("open");
        if (method === "notifications/resources/updated") heard(params?.uri ?? "");
      }
    },
  };
}

export type Client = ReturnType<typeof createClient>;

function toolError(text: string): ToolError {
  try {
    return new ToolError((JSON.parse(text) as { error: { code: string; message: string } }).error);
  } catch {
    return new ToolError({ code: "UNKNOWN", message: text });
  }
}

type Read = { done: boolean; value?: Uint8Array | undefined };

/** The next bytes; a stream that says nothing for long has ended. */
async function heard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Read> {
  const end = { done: true };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const quiet = new Promise<Read>((done) => {
    timer = setTimeout(() => done(end), QUIET_MS);
  });
  const read = await Promise.race([reader.read().catch(() => end), quiet]);
  clearTimeout(timer);
  return read;
}

/** The messages of a stream of server-sent events. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await heard(reader);
    if (done) return void reader.cancel().catch(() => {});
    const events = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5)).join("\n")) as Message;
    }
  }
}
