import assert from "node:assert/strict";
import type { lookup } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, isIPv6 } from "node:net";
import { type TestContext, test } from "node:test";
import { createDocumentReader, isPublicAddress } from "../../src/serve/oauth/document-reader.ts";
import { noOpenssl, startWeb } from "../fixtures/https-server.ts";
import { authorizeUrl, REDIRECT, serveOAuth } from "../fixtures/oauth.ts";

/** Resolves names as the test says: the n-th lookup gives the n-th list of addresses. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = (name: string, _: object, done: (error: null, found: object[]) => void) => {
    const found = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    const listed = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    setImmediate(() => done(null, listed));
  };
  return { resolve: resolve as unknown as typeof lookup, asked };
}

/** A service of this machine that must not be called. */
async function startInternal(t: TestContext, host = "127.0.0.1") {
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.destroy();
  }).listen(0, host);
  await once(server, "listening");
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, calls: () => calls };
}

const INTERNAL = ["127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.1"];

for (const address of INTERNAL) {
  test(`a host name that leads to ${address}, with or without a public address, is not called`, async (t) => {
    const { port, calls } = await startInternal(t);
    for (const found of [[address], ["93.184.216.34", address], [address, "93.184.216.34"]]) {
      const { resolve, asked } = resolver(found);
      const read = createDocumentReader({ allows: isPublicAddress, timeout: 5000, resolve });
      await assert.rejects(read(`https://client.example:${port}/c`), /not public/);
      assert.deepEqual(asked, ["client.example"]);
    }
    assert.equal(calls(), 0);
  });
}

test("the checked address is the one that is called, even if the name leads elsewhere a moment later", {
  skip: noOpenssl,
}, async (t) => {
  const web = await startWeb(t, (_, response) => void response.end("first"), "127.0.0.1");
  const { resolve, asked } = resolver(["127.0.0.1"], ["127.0.0.2"]);
  const allows = (address: string) => address === "127.0.0.1";
  const read = createDocumentReader({ allows, ca: web.ca, timeout: 5000, resolve });
  assert.equal(await read(`https://localhost:${web.port}/c`), "first");
  assert.equal(asked.length, 1);
  await assert.rejects(read(`https://localhost:${web.port}/c`), /not public/);
  assert.equal(asked.length, 2);
  assert.equal(web.asked(), 1);
});

test("a redirect of a metadata document is not followed, and the answer does not reveal what was tried", {
  skip: noOpenssl,
}, async (t) => {
  const internal = await startInternal(t);
  const body = (url: string) => JSON.stringify({ client_id: url, redirect_uris: [REDIRECT] });
  const web = await startWeb(t, (request, response) => {
    const status = Number(request.url?.slice(1, 4));
    const Location = `http://127.0.0.1:${internal.port}/`;
    response.writeHead(status, { Location }).end(body(`https://localhost:${web.port}${request.url}`));
  });
  const server = await serveOAuth(t, { now: Date.now, readDocument: web.reader() });
  const pages = new Set<string>();
  for (const status of [301, 302, 303, 307, 308]) {
    const client_id = `https://localhost:${web.port}/${status}`;
    const response = await fetch(authorizeUrl(server, { client_id }));
    assert.equal(response.status, 400);
    pages.add(await response.text());
  }
  const refused = await fetch(authorizeUrl(server, { client_id: "https://10.0.0.1/c" }));
  pages.add(await refused.text());
  assert.equal(pages.size, 1, "one answer for whatever failed");
  assert.equal(web.asked(), 5);
  assert.equal(internal.calls(), 0);
});
