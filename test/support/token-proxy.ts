import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * A server in front of another that adds a token to each request, for clients that cannot send one; everything else is
 * passed on, but for a text that may stand in the place of another of the same length.
 */
export async function startTokenProxy(
  port: number,
  token: string,
  [text, place]: readonly [string, string] = ["", ""],
): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    const { method = "GET", url = "/" } = request;
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const onward = forward({ port, host: "127.0.0.1", method, path: url, headers, setHost: false });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    if (text === "") request.pipe(onward);
    else void buffer(request).then((body) => onward.end(body.toString().replace(text, place)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { port: (server.address() as AddressInfo).port, server };
}
