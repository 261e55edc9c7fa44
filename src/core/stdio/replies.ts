import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { isListen } from "../mcp/resources/listen.ts";

/** Tracks requests without a reply. `onDone` runs for each request that got its reply or was cancelled. */
export function trackReplies(transport: Transport, onDone: (id: RequestId) => void = () => {}) {
  const pending = new Set<RequestId>();
  let onDrained = () => {};
  const finish = (id: RequestId) => {
    pending.delete(id);
    onDone(id);
    if (pending.size === 0) onDrained();
  };
  const receive = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    // A request to listen gets its reply when the server stops.
    if ("method" in message && "id" in message && !isListen(message)) pending.add(message.id);
    receive?.(message, extra);
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) finish(cancelled);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      if (!("method" in message) && message.id !== undefined) finish(message.id);
    }
  };
  return {
    isPending: (id: RequestId) => pending.has(id),
    /** Resolves when no request waits for its reply. */
    drained: () =>
      new Promise<void>((resolve) => {
        onDrained = resolve;
        if (pending.size === 0) resolve();
      }),
  };
}

/** A cancelled request gets no reply. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
