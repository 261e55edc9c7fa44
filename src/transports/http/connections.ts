import type { Server } from "node:http";
import type { Socket } from "node:net";
import { refusal } from "./reply.ts";
import { sharesOf } from "./shares.ts";

const LIMITS = { admitted: 3500, strangers: 500 };
const RETRY_AFTER_S = 30;

/**
 * Bounds what connections can take, so that holding them open keeps nobody else out: those on which nobody was let in yet
 * are few, and the longest waiting of them gives way to a new one; of the others, one of the principal that has most does.
 * Answers how to let one in, which throws Refusal when that principal has most itself.
 */
export function boundConnections(
  server: Server,
  { admitted: maxAdmitted, strangers: maxStrangers } = LIMITS,
): (socket: Socket, principal: string) => void {
  const strangers = new Set<Socket>();
  const admitted = new Map<Socket, string>();
  server.maxConnections = maxAdmitted + maxStrangers;
  server.on("connection", (socket: Socket) => {
    strangers.add(socket);
    socket.once("close", () => {
      strangers.delete(socket);
      admitted.delete(socket);
    });
    const [oldest] = strangers;
    if (strangers.size > maxStrangers) oldest?.destroy();
  });
  return (socket, principal) => {
    if (!admitted.has(socket) && admitted.size >= maxAdmitted) makeRoom(admitted, principal);
    strangers.delete(socket);
    admitted.set(socket, principal);
  };
}

function makeRoom(admitted: Map<Socket, string>, principal: string): void {
  const { own, most } = sharesOf(admitted.values(), principal);
  const [oldest] = [...admitted].find(([, owner]) => owner === most.principal) ?? [];
  if (oldest === undefined || most.count <= own + 1) {
    const headers = { "Retry-After": RETRY_AFTER_S, Connection: "close" };
    throw refusal(429, "You have too many connections open. Close some, and try again.", headers);
  }
  admitted.delete(oldest);
  oldest.destroy();
}
