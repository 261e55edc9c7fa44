import assert from "node:assert/strict";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Filter } from "../../src/search/filter.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { type Files, makeWorkspace, open, writeFiles } from "../fixtures/workspace.ts";

/** The documents besides `hub.md`, which holds the links. */
async function find(workspace: Workspace, query: string, filter: Filter = {}): Promise<string[]> {
  const { results } = await workspace.search({ query, filter, limit: 20 });
  return results.map(({ path }) => path).filter((path) => !path.endsWith("/hub.md"));
}

const TARGET = "p/references/queue.md";

function start(t: TestContext, hub: string, more: Files = {}) {
  const root = makeWorkspace(t, { "p/hub.md": hub, [TARGET]: "# Queue\n\nThe first text.\n", ...more });
  return { root, workspace: open(t, root).workspace };
}

test("a document is found by what links of every kind call it", async (t) => {
  const hub =
    "[[queue|backpressure]] [dead **letters**](references/queue.md#x)\n\n[poison pills]: references/queue.md\n";
  const { workspace } = start(t, hub, { "q/hub.md": "[elsewhere](../p/references/queue.md)\n" });
  for (const query of ["backpressure", "dead letters", "poison pills"])
    assert.deepEqual(await find(workspace, query), [TARGET], query);
  const [found] = (await workspace.search({ query: "elsewhere", filter: { project: "p" }, limit: 5 }))
    .results;
  assert.deepEqual([found?.path, found?.heading, found?.snippet], [TARGET, null, "The first text."]);
  for (const filter of [{ project: "q" }, { folder: "tasks" }, { status: "done" }, { tag: "x" }])
    assert.deepEqual(await find(workspace, "elsewhere", filter), []);
});

test("pictures, addresses and pointing words name no document, nor does a link of its own or to two documents", async (t) => {
  const hub =
    "![[queue|300]] [here](references/queue.md) [https://acme.example](/references/queue.md) [[twice|doubled]]";
  const { workspace } = start(t, hub, {
    [TARGET]: "# Queue\n\n[[queue|myself]]\n",
    "p/a/twice.md": "# A\n",
    "p/b/twice.md": "# B\n",
  });
  for (const query of ["300", "here", "acme", "doubled"]) assert.deepEqual(await find(workspace, query), []);
  const { results } = await workspace.search({ query: "myself", filter: {}, limit: 5 });
  assert.deepEqual(
    results.map(({ path, more }) => [path, more]),
    [[TARGET, 0]],
  );
});

test("words of links follow every change of the linking document", async (t) => {
  const { root, workspace } = start(t, "[[queue|backpressure]]");
  assert.deepEqual(await find(workspace, "backpressure"), [TARGET]);
  writeFiles(root, { "p/hub.md": "Now [[queue|congestion]]." });
  assert.deepEqual(await find(workspace, "congestion"), [TARGET]);
  assert.deepEqual(await find(workspace, "backpressure"), []);
  renameSync(join(root, "p/hub.md"), join(root, "p/renamed.md"));
  assert.deepEqual(await find(workspace, "congestion", { folder: "references" }), [TARGET]);
  rmSync(join(root, "p/renamed.md"));
  assert.deepEqual(await find(workspace, "congestion"), []);
});

test("a document is named by older links as soon as it appears, and no longer once the name is another's", async (t) => {
  const { root, workspace } = start(t, "[[later|backpressure]]");
  assert.deepEqual(await find(workspace, "backpressure"), []);
  writeFiles(root, { "q/later.md": "# Later\n" });
  assert.deepEqual(await find(workspace, "backpressure"), ["q/later.md"]);
  writeFiles(root, { "p/later.md": "# Later\n" });
  assert.deepEqual(await find(workspace, "backpressure"), ["p/later.md"]);
  writeFiles(root, { "p/later.md": "# Backpressure\n\nIts own word now.\n" });
  assert.deepEqual(await find(workspace, "backpressure"), ["p/later.md"]);
  rmSync(join(root, "p/later.md"));
  assert.deepEqual(await find(workspace, "backpressure"), ["q/later.md"]);
});

test("two servers and a rebuild find the same documents by the words of links", async (t) => {
  const { root, workspace } = start(t, "[[queue|backpressure]]");
  const { workspace: other } = open(t, root);
  assert.deepEqual(await find(other, "backpressure"), [TARGET]);
  writeFiles(root, { "p/hub.md": "[[queue|congestion]]" });
  for (const server of [workspace, other]) assert.deepEqual(await find(server, "congestion"), [TARGET]);
  await workspace.index.sync({ full: true });
  assert.deepEqual(await find(workspace, "congestion"), [TARGET]);
  assert.deepEqual(await find(workspace, "backpressure"), []);
});
