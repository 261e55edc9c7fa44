import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { send, TOKEN } from "../fixtures/http.ts";
import { authorizeUrl, consent, registerClient, startOAuth } from "../fixtures/oauth.ts";

const REDIRECTS = [
  "http://127.0.0.1:99999/cb",
  "http://localhost:65536/cb",
  "http://[::1]:70000/cb",
  "http://localhost:abc/cb",
];

test("an invalid port in redirect_uri gets 400 and a reason, before and after the person answered", async (t) => {
  const server = await startOAuth(t);
  const registered = ["http://127.0.0.1/cb", "http://localhost/cb", "http://[::1]/cb"];
  const client_id = await registerClient(server, { redirect_uris: registered });
  for (const redirect_uri of REDIRECTS) {
    const url = authorizeUrl(server, { client_id, redirect_uri });
    for (const response of [await fetch(url), await consent(url)]) {
      assert.equal(response.status, 400, redirect_uri);
      assert.match(await response.text(), /port .*65535/);
    }
  }
  const valid = authorizeUrl(server, { client_id, redirect_uri: "http://127.0.0.1:65535/cb" });
  assert.equal((await fetch(valid)).status, 200);
  assert.doesNotMatch(server.stderr(), /unexpected/);
});

test("an invalid port in Host is refused, also for a message of an open SSE session", async (t) => {
  const server = await startOAuth(t);
  const stream = await send(server, { path: "/sse" });
  const reader = stream.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const path = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? "";
  const socket = connect(server.port, "127.0.0.1");
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:99999\r\nConnection: close\r\nAuthorization: Bearer ${TOKEN}`;
  const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  socket.end(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  assert.match(await text(socket), /^HTTP\/1\.1 403 /);
  await reader?.cancel();
});
