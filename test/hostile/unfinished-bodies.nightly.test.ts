import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { residentMemory } from "../../scripts/bench/child.ts";
import { type HttpServer, INITIALIZE, post, READ_TOKEN, startHttp, TOKEN } from "../fixtures/http.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const MB = 1024 * 1024;
const skip = residentMemory(process.pid) === undefined ? "memory cannot be measured here" : false;
const memoryOf = ({ child }: HttpServer) => residentMemory(child.pid ?? 0)?.peak ?? 0;
const start = (t: TestContext) => startHttp(t, ["--root", makeWorkspace(t, { "p/status.md": "# P\n" })]);

/** Starts a request whose body begins; returns what the server says in the meantime. */
function begin(t: TestContext, { port }: HttpServer, length: string) {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  t.after(() => socket.destroy());
  const heard = { text: "" };
  socket.on("data", (chunk: Buffer) => {
    heard.text += chunk.toString();
  });
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
  return { socket, heard };
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (!socket.write(bytes) && !socket.destroyed)
    await Promise.race([once(socket, "drain"), once(socket, "close")]);
}

test("bodies that never end take 64 MB of memory, not gigabytes, and another token is served meanwhile", {
  skip,
}, async (t) => {
  const server = await start(t);
  const before = memoryOf(server);
  const bodies = Array.from({ length: 40 }, () => begin(t, server, `Content-Length: ${16 * MB}`));
  const part = Buffer.alloc(5 * MB, " ");
  for (let times = 0; times < 3; times++) for (const { socket } of bodies) await write(socket, part);
  const refused = bodies.filter(({ heard }) => heard.text.startsWith("HTTP/1.1 429 "));
  assert.ok(refused.length >= 30, `${refused.length} of 40`);
  assert.match(refused[0]?.heard.text ?? "", /Retry-After: 5\r\n(?:.|\n)*Wait/s);
  assert.ok(memoryOf(server) - before < 300 * MB, `${(memoryOf(server) - before) / MB} MB more`);
  const large = { ...INITIALIZE, params: { ...INITIALIZE.params, padding: "x".repeat(4 * MB) } };
  const answer = await post(server, large, { token: READ_TOKEN });
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
});

test("a body in chunks of one byte does not take a hundred times its size", { skip }, async (t) => {
  const server = await start(t);
  const before = memoryOf(server);
  const { socket } = begin(t, server, "Transfer-Encoding: chunked");
  const chunks = Buffer.from("1\r\n \r\n".repeat(MB / 4));
  for (let times = 0; times < 8; times++) await write(socket, chunks);
  await once(socket.end("0\r\n\r\n"), "data");
  assert.ok(memoryOf(server) - before < 150 * MB, `${(memoryOf(server) - before) / MB} MB more`);
});
