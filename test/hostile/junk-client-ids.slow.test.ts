import assert from "node:assert/strict";
import { test } from "node:test";
import { createClientDocuments } from "../../src/serve/oauth/client-documents.ts";
import { noOpenssl as skip, startWeb } from "../fixtures/https-server.ts";
import { authorizeUrl, REDIRECT, serveOAuth } from "../fixtures/oauth.ts";

const [ATTACKER, OTHER] = ["198.51.100.7", "203.0.113.9"];
const documentOf = (id: string) => JSON.stringify({ client_id: id, redirect_uris: [REDIRECT] });

test("further junk has to wait, and known clients do not", { skip }, async (t) => {
  const web = await startWeb(t, (request, response) =>
    request.url === "/client.json"
      ? void response.end(documentOf(web.url))
      : void response.writeHead(404).end(),
  );
  const server = await serveOAuth(t, { now: Date.now, readDocument: web.reader() });
  const ask = (client_id: string) => fetch(authorizeUrl(server, { client_id }));
  assert.equal((await ask(web.url)).status, 200);
  const read = web.asked();
  const junk = await Promise.all(
    Array.from({ length: 100 }, (_, n) => ask(`https://localhost:${web.port}/junk-${n}`)),
  );
  const last = junk.at(-1);
  assert.equal(last?.status, 429);
  assert.equal(last?.headers.get("retry-after"), "60");
  assert.match((await last?.text()) ?? "", /in a minute/);
  assert.ok(web.asked() - read <= 60);
  assert.equal((await ask(web.url)).status, 200);
});

test("junk from one address only uses up the quota of that address", async () => {
  let [now, asked] = [0, 0];
  const documents = createClientDocuments(
    async (id) => {
      asked++;
      return id.includes("junk") ? "junk" : documentOf(id);
    },
    () => now,
  );
  const known = "https://known.example/client.json";
  await documents.client(known, OTHER);
  now = 400_000;
  for (let n = 0; n < 1000; n++)
    await assert.rejects(documents.client(`https://${n}.junk.example/x`, ATTACKER));
  assert.equal(asked, 241);
  await assert.rejects(documents.client("https://new.example/client.json", ATTACKER), /in a minute/);
  assert.equal((await documents.client("https://new.example/client.json", OTHER)).host, "new.example");
  assert.equal((await documents.client(known, ATTACKER)).host, "known.example", "its last copy does");
});

test("hosts that never answer do not block others", async () => {
  const documents = createClientDocuments(
    (id) => (id.includes("slow") ? new Promise<string>(() => {}) : Promise.resolve(documentOf(id))),
    () => 0,
  );
  for (let n = 0; n < 8; n++) void documents.client(`https://slow-${n}.example/x`, ATTACKER);
  await assert.rejects(documents.client("https://slow-8.example/x", ATTACKER), /in a minute/);
  assert.equal((await documents.client("https://a.example/x", OTHER)).host, "a.example");
});

test("a client that the user approved is not displaced by unknown ones", async () => {
  let [now, asked] = [0, 0];
  const documents = createClientDocuments(
    async (id) => {
      asked++;
      return documentOf(id);
    },
    () => now,
  );
  const kept = "https://kept.example/client.json";
  await documents.client(kept, OTHER);
  documents.approve(kept);
  for (let n = 0; n < 300; n++) {
    now += 500;
    await documents.client(`https://${n}.junk.example/x`, ATTACKER);
  }
  const before = asked;
  await documents.client(kept, OTHER);
  assert.equal(asked, before);
});
