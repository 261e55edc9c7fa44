import type { RequestId } from "@modelcontextprotocol/sdk/types.js";

/** The messages of a body: one, or a batch of them. */
function messagesOf(body: unknown): Record<string, unknown>[] {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  return all.filter((one) => typeof one === "object" && one !== null) as Record<string, unknown>[];
}

/** The ids of the requests in a body: what is owed a reply. */
export function requestIds(body: unknown): RequestId[] {
  const requests = messagesOf(body).filter((message) => "method" in message);
  return requests.map(({ id }) => id).filter((id) => typeof id === "string" || typeof id === "number");
}

export function isInitialize(body: unknown): boolean {
  return messagesOf(body).some(({ method }) => method === "initialize");
}

const SHOWN_MESSAGES = 3;

/** What a body asks, for the log: methods and the names of tools, never an argument. */
export function describe(body: unknown): string {
  const messages = messagesOf(body);
  const shown = messages.slice(0, SHOWN_MESSAGES).map(({ method, params }) => {
    const name = typeof params === "object" && params !== null && "name" in params ? params.name : undefined;
    return method === "tools/call" ? `${method}:${word(name)}` : word(method);
  });
  const more = messages.length - shown.length;
  return more > 0 ? `${shown.join(",")},+${more}` : shown.join(",");
}

/** A name as names look here; anything else could be text that belongs in no log. */
function word(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-zA-Z_/]{0,39}$/.test(value) ? value : "?";
}
