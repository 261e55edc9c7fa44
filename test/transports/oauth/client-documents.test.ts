import assert from "node:assert/strict";
import { test } from "node:test";
import { createClientDocuments } from "../../../src/serve/oauth/client-documents.ts";
import { Unreachable } from "../../../src/serve/oauth/document-reader.ts";
import { REDIRECT } from "../../fixtures/oauth.ts";

const GOOD = "https://client.example/client.json";
const ADDRESS = "198.51.100.7";
const textOf = (id: string, name: string) =>
  JSON.stringify({ client_id: id, client_name: name, redirect_uris: [REDIRECT] });

/** Documents on a web that the test changes, with a clock that it moves. */
function open() {
  const world = { now: 0, asked: 0, answer: (id: string): string => textOf(id, `${world.asked}`) };
  const read = async (id: string) => {
    world.asked++;
    return world.answer(id);
  };
  const documents = createClientDocuments(read, () => world.now);
  const nameOf = async (id: string, from = ADDRESS) => (await documents.client(id, from)).name;
  return { world, documents, nameOf };
}

const unreachable = () => {
  throw new Unreachable();
};

test("a document is read again after five minutes", async () => {
  const { world, nameOf } = open();
  assert.equal(await nameOf(GOOD), "1");
  world.now = 299_999;
  assert.equal(await nameOf(GOOD), "1");
  world.now = 300_000;
  assert.equal(await nameOf(GOOD), "2");
});

test("a client stays usable for one day while its host does not answer", async () => {
  const { world, nameOf } = open();
  await nameOf(GOOD);
  world.answer = unreachable;
  world.now = 24 * 3_600_000 - 1;
  assert.equal(await nameOf(GOOD), "1");
  world.now++;
  await assert.rejects(nameOf(GOOD), /cannot be read/);
});

test("a client with a wrong document is refused at once", async () => {
  const { world, nameOf } = open();
  await nameOf(GOOD);
  world.now = 300_000;
  world.answer = () => "{}";
  await assert.rejects(nameOf(GOOD), /names another client_id/);
  await assert.rejects(nameOf(GOOD), /names another client_id/);
  assert.equal(world.asked, 2, "asked once in a minute");
});

test("a host that does not answer is called once a minute", async () => {
  const { world, nameOf } = open();
  world.answer = unreachable;
  for (let n = 0; n < 10; n++) await assert.rejects(nameOf(`https://down.example/${n}`), /cannot be read/);
  assert.equal(world.asked, 1);
  world.now = 60_000;
  await assert.rejects(nameOf("https://down.example/x"), /cannot be read/);
  assert.equal(world.asked, 2);
});
