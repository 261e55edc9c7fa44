import assert from "node:assert/strict";
import { test } from "node:test";
import { createDocumentReader, isPublicAddress } from "../../../src/serve/oauth/document-reader.ts";
import { type Handler, noOpenssl as skip, startWeb } from "../../fixtures/https-server.ts";
import { askTokens, authorizeUrl, codeFields, codeFor, REDIRECT, serveOAuth } from "../../fixtures/oauth.ts";

const answerJson =
  (body: unknown): Handler =>
  (_, response) =>
    void response.end(typeof body === "string" ? body : JSON.stringify(body));

test("a client identified by its metadata document logs in, and the page shows its host", {
  skip,
}, async (t) => {
  const body: Record<string, unknown> = { client_name: "Documented", redirect_uris: [REDIRECT] };
  const web = await startWeb(t, (_, response) => void response.end(JSON.stringify(body)));
  body["client_id"] = web.url;
  const server = await serveOAuth(t, { now: Date.now, readDocument: web.reader() });
  const page = await (await fetch(authorizeUrl(server, { client_id: web.url }))).text();
  assert.ok(
    page.includes(`<strong>Documented</strong>, described by <strong>localhost:${web.port}</strong>`),
  );
  const code = await codeFor(server, { client_id: web.url });
  const answer = await askTokens(server, codeFields(server, { client_id: web.url, code }));
  assert.equal(answer.status, 200);
  assert.equal(web.asked(), 1);
});

const DOCUMENTS: [what: string, handle: (url: string) => Handler][] = [
  ["names another client", () => answerJson({ client_id: "https://a.example/b", redirect_uris: [REDIRECT] })],
  ["has other redirects", (url) => answerJson({ client_id: url, redirect_uris: [`${REDIRECT}/x`] })],
  ["has a secret", (url) => answerJson({ client_id: url, redirect_uris: [REDIRECT], client_secret: "x" })],
  [
    "logs in by a secret",
    (url) =>
      answerJson({
        client_id: url,
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "client_secret_post",
      }),
  ],
  [
    "logs in by an object",
    (url) =>
      answerJson({
        client_id: url,
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: { toString: 1, valueOf: 1 },
      }),
  ],
  ["is no JSON", () => answerJson("<html>")],
  ["is a list", () => answerJson([])],
  [
    "is missing",
    (url) => (_, response) =>
      void response.writeHead(404).end(JSON.stringify({ client_id: url, redirect_uris: [REDIRECT] })),
  ],
  [
    "leads elsewhere",
    (url) => (request, response) =>
      request.url === "/client.json"
        ? void response.writeHead(302, { Location: "/again" }).end()
        : void response.end(JSON.stringify({ client_id: url, redirect_uris: [REDIRECT] })),
  ],
  [
    "is too large",
    (url) => answerJson({ client_id: url, redirect_uris: [REDIRECT], client_uri: "x".repeat(10_000) }),
  ],
  ["breaks off", () => (_, response) => void response.socket?.destroy()],
];

for (const [what, handle] of DOCUMENTS) {
  test(`a metadata document that ${what} is refused`, { skip }, async (t) => {
    let serve: Handler = () => {};
    const web = await startWeb(t, (request, response) => serve(request, response));
    serve = handle(web.url);
    const server = await serveOAuth(t, { now: Date.now, readDocument: web.reader() });
    const response = await fetch(authorizeUrl(server, { client_id: web.url }));
    assert.equal(response.status, 400);
    assert.doesNotMatch(await response.text(), /<a href|<form/);
    assert.equal(web.asked(), 1);
  });
}

test("no document is read from a refused address, without a trusted certificate or after the timeout", {
  skip,
}, async (t) => {
  const web = await startWeb(t, () => {});
  const read = (limits: Parameters<typeof createDocumentReader>[0]) => createDocumentReader(limits)(web.url);
  const { ca, port } = web;
  await assert.rejects(read({ allows: () => false, ca, timeout: 5000 }));
  await assert.rejects(createDocumentReader()(`https://127.0.0.1:${port}/`), /not public/);
  await assert.rejects(createDocumentReader()(`https://[::1]:${port}/`), /not public/);
  await assert.rejects(read({ allows: () => true, timeout: 5000 }));
  assert.equal(web.asked(), 0);
  for (let timeout = 300; web.asked() === 0 && timeout < 20_000; timeout *= 2) {
    await assert.rejects(read({ allows: () => true, ca, timeout }));
  }
  assert.equal(web.asked(), 1);
});

const ADDRESSES: Record<string, boolean> = {
  "8.8.8.8": true,
  "172.32.0.1": true,
  "2606:4700::1111": true,
  "0.0.0.0": false,
  "10.1.2.3": false,
  "100.64.0.1": false,
  "127.0.0.2": false,
  "169.254.169.254": false,
  "172.31.255.255": false,
  "192.168.1.1": false,
  "198.18.0.1": false,
  "224.0.0.1": false,
  "255.255.255.255": false,
  "::": false,
  "::1": false,
  "::ffff:10.0.0.1": false,
  "::ffff:8.8.8.8": false,
  "64:ff9b::a00:1": false,
  "fc00::1": false,
  "fd12::1": false,
  "fe80::1": false,
  "ff02::1": false,
  "2001:db8::1": false,
  "2001::1": false,
  "2002:a00:1::": false,
};

for (const [address, expected] of Object.entries(ADDRESSES)) {
  test(`${address} is ${expected ? "public" : "not public"}`, () => {
    assert.equal(isPublicAddress(address), expected);
  });
}
