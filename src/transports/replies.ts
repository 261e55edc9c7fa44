import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

export interface Replies {
  /** Whether a request came in and is not answered yet. */
  owes(id: RequestId): boolean;
  /** Resolves when nothing is owed. */
  settled(): Promise<void>;
}

/** Watches a connected transport for requests and their replies; `done` is told when a request gets no (further) reply. */
export function trackReplies(transport: Transport, done: (id: RequestId) => void = () => {}): Replies {
  const owed = new Set<RequestId>();
  let settle = () => {};
  const forget = (id: RequestId) => {
    owed.delete(id);
    done(id);
    if (owed.size === 0) settle();
  };
  const receive = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if ("method" in message && "id" in message) owed.add(message.id);
    receive?.(message, extra);
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) forget(cancelled);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      if (!("method" in message) && message.id !== undefined) forget(message.id);
    }
  };
  return {
    owes: (id) => owed.has(id),
    settled: () =>
      new Promise((resolve) => {
        settle = resolve;
        if (owed.size === 0) resolve();
      }),
  };
}

/** A cancelled request gets no reply. */
function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
