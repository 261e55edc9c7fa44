import type { Server } from "node:http";
import type { Socket } from "node:net";

const MAX_CONNECTIONS = 4000;
const MAX_STRANGERS = 500;

/**
 * Bounds what connections can take: those on which nobody was let in yet are few, and the longest waiting of them gives
 * way to a new one, so that holding connections open keeps nobody else out. Answers how to let one in.
 */
export function boundConnections(server: Server): (socket: Socket) => void {
  const strangers = new Set<Socket>();
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket: Socket) => {
    strangers.add(socket);
    socket.once("close", () => strangers.delete(socket));
    const [oldest] = strangers;
    if (strangers.size > MAX_STRANGERS) oldest?.destroy();
  });
  return (socket) => strangers.delete(socket);
}
