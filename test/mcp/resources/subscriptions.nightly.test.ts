import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { connectHttp, serveHttp } from "../../fixtures/http.ts";
import { connect, makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

const FILES = { "p/tasks/001-a.md": "# A", "p/status.md": "# P", "q/b.md": "# B" };
const A = "vibe://projects/p/tasks/001-a.md";

/** The notifications of a client, in order. */
function listen(client: Client): { uris: string[]; until: (wanted: string) => Promise<void> } {
  const uris: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void uris.push(params.uri),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void uris.push("list"));
  const until = async (wanted: string) => {
    while (!uris.includes(wanted)) await sleep(10);
  };
  return { uris, until };
}

async function connected(t: TestContext, watch: boolean) {
  const root = makeWorkspace(t, FILES);
  const one = await connect(t, root, { watch });
  return { root, ...one, ...listen(one.client) };
}

test("the capabilities announce subscriptions", async (t) => {
  const { client } = await connected(t, false);
  assert.deepEqual(client.getServerCapabilities()?.resources, { subscribe: true, listChanged: true });
});

test("a change by another program notifies subscribers", async (t) => {
  const { root, client, uris, until } = await connected(t, true);
  await client.subscribeResource({ uri: A });
  await client.subscribeResource({ uri: "vibe://projects/P/status.md" });
  writeFileSync(join(root, "p", "status.md"), "# P\n\nchanged");
  await until("vibe://projects/P/status.md");
  writeFileSync(join(root, "p", "tasks", "001-a.md"), "# A\n\nchanged");
  await until(A);
  assert.ok(!uris.includes("list"), "a change of content changes no list");
  renameSync(join(root, "q", "b.md"), join(root, "q", "c.md"));
  await until("list");
  assert.deepEqual([...new Set(uris)].sort(), ["list", "vibe://projects/P/status.md", A].sort());
});

test("without file watching, subscriptions poll the disk", async (t) => {
  const { root, client, until } = await connected(t, false);
  await client.subscribeResource({ uri: A });
  writeFileSync(join(root, "p", "tasks", "001-a.md"), "# A\n\nchanged");
  renameSync(join(root, "q", "b.md"), join(root, "q", "c.md"));
  await Promise.all([until(A), until("list")]);
});

test("a change to a document notifies its project and the list of projects", async (t) => {
  const { root, client, uris, until, call } = await connected(t, true);
  for (const uri of ["vibe://projects", "vibe://projects/p"]) await client.subscribeResource({ uri });
  await call("create_task", {
    project: "q",
    title: "New",
    objective: "x",
    steps: [],
    acceptance_criteria: [],
  });
  await until("vibe://projects");
  await until("list");
  assert.ok(!uris.includes("vibe://projects/p"));
  writeFiles(root, { "p/tasks/001-a.md": "Status: done" });
  await until("vibe://projects/p");
});

test("deleting and restoring a document notifies twice", async (t) => {
  const { root, client, uris, until } = await connected(t, true);
  await client.subscribeResource({ uri: A });
  rmSync(join(root, "p"), { recursive: true });
  await until(A);
  uris.length = 0;
  writeFiles(root, { "p/tasks/001-a.md": "# Again" });
  await until(A);
});

test("a client that unsubscribed gets no more notifications", async (t) => {
  const { root, client, uris, until } = await connected(t, true);
  const status = "vibe://projects/p/status.md";
  for (const uri of [A, status]) await client.subscribeResource({ uri });
  await client.unsubscribeResource({ uri: A });
  await client.unsubscribeResource({ uri: A });
  writeFiles(root, { "p/tasks/001-a.md": "changed", "p/status.md": "changed" });
  await until(status);
  assert.ok(!uris.includes(A));
});

test("what does not exist is not found", async (t) => {
  const { client } = await connected(t, false);
  for (const uri of [
    "vibe://projects/nope",
    "vibe://projects/p/tasks/9.md",
    "test://x",
    "vibe://projects/..",
  ])
    await assert.rejects(client.subscribeResource({ uri }), { code: -32002 }, uri);
});

test("a client may subscribe to a thousand resources at once", async (t) => {
  const { client, root } = await connected(t, true);
  const names = Array.from({ length: 1001 }, (_, n) => `p/references/${n}.md`);
  writeFiles(root, Object.fromEntries(names.map((name) => [name, "x"])));
  const [first = "", ...rest] = names.map((name) => `vibe://projects/${name}`);
  for (const uri of [first, ...rest.slice(0, 999)]) await client.subscribeResource({ uri });
  const uri = rest[999] ?? "";
  await assert.rejects(client.subscribeResource({ uri }), { code: -32602, message: /1000 resources/ });
  await client.subscribeResource({ uri: first });
  await client.unsubscribeResource({ uri: first });
  await client.subscribeResource({ uri });
});

test("over HTTP each session has its own subscriptions", async (t) => {
  const root = makeWorkspace(t, FILES);
  const server = await serveHttp(t, ["--root", root]);
  for (const sse of [false, true]) {
    const [mine, other] = [await connectHttp(t, server, { sse }), await connectHttp(t, server, { sse })];
    const [own, others] = [listen(mine.client), listen(other.client)];
    await mine.client.subscribeResource({ uri: A });
    await other.client.subscribeResource({ uri: "vibe://projects/q" });
    writeFiles(root, { "p/tasks/001-a.md": `changed ${sse}` });
    await own.until(A);
    writeFiles(root, { "q/b.md": `changed ${sse}` });
    await others.until("vibe://projects/q");
    assert.deepEqual([...new Set(own.uris), ...new Set(others.uris)], [A, "vibe://projects/q"]);
    await mine.client.close();
    writeFiles(root, { "p/tasks/001-a.md": `gone ${sse}`, "q/b.md": `again ${sse}` });
    others.uris.length = 0;
    await others.until("vibe://projects/q");
  }
  assert.doesNotMatch(server.stderr(), /error/);
});

test("without sessions the server announces no subscriptions", async (t) => {
  const server = await serveHttp(t, ["--root", makeWorkspace(t, FILES), "--stateless"]);
  const { client } = await connectHttp(t, server);
  assert.deepEqual(client.getServerCapabilities()?.resources, {});
});
