import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createDocumentReader } from "../../src/transports/http/oauth/document.ts";
import { temporaryFolder } from "./workspace.ts";

/** For tests that need a certificate. */
export const noOpenssl =
  spawnSync("openssl", ["version"]).status === 0 ? false : "there is no openssl here to make a certificate";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server with a certificate of its own, as a client's maker runs one. */
export async function startWeb(t: TestContext, handle: Handler, host = "localhost") {
  const folder = temporaryFolder(t);
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")] as const;
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const made = spawnSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"].concat(
      ...[["-keyout", key, "-out", cert, "-days", "2"], subject],
    ),
  );
  assert.equal(made.status, 0, made.stderr.toString());
  const ca = readFileSync(cert, "utf8");
  let asked = 0;
  const server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    asked++;
    handle(request, response);
  }).listen(0, host);
  await once(server, "listening");
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const { port, address } = server.address() as AddressInfo;
  const url = `https://localhost:${port}/client.json`;
  const reader = (timeout = 5000) =>
    createDocumentReader({ allows: (found) => found === address || found === "127.0.0.1", ca, timeout });
  return { url, ca, port, reader, asked: () => asked };
}
