import { connect, type Socket } from "node:net";
import { each, open, post, type Target } from "./client.ts";

/** What a hostile client does; `run` resolves when it is done. */
export interface Attack {
  name: string;
  run(server: Target, scale: number): Promise<void>;
}

const MB = 1024 * 1024;

export const ATTACKS: Attack[] = [
  {
    name: "10,000 sessions opened and abandoned",
    run: (server, scale) => each(10_000 * scale, 20, async () => void (await open(server))),
  },
  {
    name: "1,000 connections that send headers slowly",
    run: (server, scale) =>
      holdOpen(server, { count: 1000 * scale, first: "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" }),
  },
  {
    name: "1,000 half-closed connections",
    run: (server, scale) =>
      each(1000 * scale, 100, (n) =>
        halfClose(server, n % 2 === 0 ? "" : "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"),
      ),
  },
  {
    name: "bodies of 100 MB, declared and not",
    run: (server, scale) =>
      each(Math.max(2, 20 * scale), 4, (n) => bigBody(server, { bytes: 100 * MB, declared: n % 2 === 0 })),
  },
  {
    name: "JSON nested a million deep",
    run: (server, scale) => postRepeatedly(server, 20 * scale, "[".repeat(1e6)),
  },
  {
    name: "batches of 100,000 messages",
    run: (server, scale) =>
      postRepeatedly(server, 20 * scale, `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(1e5)}{}]`),
  },
  {
    name: "10,000 guessed tokens",
    run: (server, scale) =>
      each(10_000 * scale, 20, async (n) => {
        await post({ ...server, token: `guess-${n}`.padEnd(40, "x") }, "{}").catch(() => {});
      }),
  },
  {
    name: "1,000 requests with a wrong Accept or a duplicated session",
    run: (server, scale) =>
      each(1000 * scale, 20, async (n) => {
        const headers = n % 2 === 0 ? { Accept: "text/html" } : { "Mcp-Session-Id": "a, a" };
        await post(server, "{}", { headers });
      }),
  },
];

const HOLD_MS = 3000;

async function holdOpen({ port }: Target, { count, first }: { count: number; first: string }): Promise<void> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(first);
    sockets.push(socket);
    if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
  for (const socket of sockets) socket.destroy();
}

function halfClose({ port }: Target, words: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {}).on("close", () => resolve());
    socket.on("end", () => socket.destroy()).resume();
    socket.end(words);
  });
}

async function bigBody(
  { port, token }: Target,
  { bytes, declared }: { bytes: number; declared: boolean },
): Promise<void> {
  const chunk = Buffer.alloc(MB, "x");
  const length = declared ? `Content-Length: ${bytes}` : "Transfer-Encoding: chunked";
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.resume();
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${length}\r\n\r\n`,
  );
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += chunk.length) {
    if (!declared) socket.write(`${chunk.length.toString(16)}\r\n`);
    const isFree = socket.write(chunk);
    if (!declared) socket.write("\r\n");
    if (!isFree) await Promise.race([closed, new Promise((resolve) => socket.once("drain", resolve))]);
  }
  socket.destroySoon();
  await closed;
}

async function postRepeatedly(server: Target, count: number, body: string): Promise<void> {
  await each(Math.max(2, count), 4, async () => void (await post(server, body)));
}
