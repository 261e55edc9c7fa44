import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { reindexTool } from "../../../src/core/mcp/tools/reindex.ts";
import { connect, makeWorkspace, open, writeFiles } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof reindexTool>;

const counts = ({ stats: { duration_ms, ...rest } }: Answer) => {
  assert.ok(duration_ms !== undefined && duration_ms >= 0);
  return rest;
};

test("reindex counts added, updated, deleted and unchanged documents", async (t) => {
  const root = makeWorkspace(t, { "a/1.md": "one", "a/2.md": "two", "b/3.md": "three" });
  const { call } = await connect(t, root);
  // Afterwards nothing brings the index in step in the background.
  await call("search", { query: "one" });
  const first: Answer = await call("reindex");
  assert.deepEqual([first.success, first.project], [true, null]);
  assert.deepEqual(Object.keys(first.stats).slice(0, 3), ["scanned", "updated", "added"]);
  assert.deepEqual(counts(first), { scanned: 3, added: 0, updated: 0, deleted: 0, unchanged: 3 });
  writeFiles(root, { "a/1.md": "changed", "a/4.md": "new" });
  rmSync(join(root, "b", "3.md"));
  const one: Answer = await call("reindex", { project: "A" });
  assert.equal(one.project, "a");
  assert.deepEqual(counts(one), { scanned: 3, added: 1, updated: 1, deleted: 0, unchanged: 1 });
  const all: Answer = await call("reindex");
  assert.deepEqual(counts(all), { scanned: 3, added: 0, updated: 0, deleted: 1, unchanged: 3 });
});

test("full indexes every file again, and search still answers", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "a/1.md": "one", "a/2.md": "two" }));
  await call("reindex");
  const full: Answer = await call("reindex", { full: true });
  assert.deepEqual(counts(full), { scanned: 2, added: 0, updated: 2, deleted: 0, unchanged: 0 });
  const { total_matches } = (await call("search", { query: "one" })) as { total_matches: number };
  assert.equal(total_matches, 1);
});

test("a client that asks for progress gets it", async (t) => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p/${n}.md`, `# ${n}`]));
  const { client } = await connect(t, makeWorkspace(t, files));
  const seen: number[] = [];
  await client.callTool({ name: "reindex", arguments: { full: true } }, undefined, {
    onprogress: ({ progress, total }) => {
      assert.equal(total, 50);
      seen.push(progress);
    },
  });
  assert.equal(seen.at(-1), 50);
});

test("a cancelled reindex stops between two batches, and the next call continues", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [`p/${n}.md`, `# ${n}\n\nkoala ${"word ".repeat(3000)}`]),
  );
  const { workspace } = open(t, makeWorkspace(t, files));
  const stop = new AbortController();
  const unwatch = workspace.index.watch(({ done, total }) => {
    assert.ok(done < total, "it ended before it could be stopped");
    stop.abort();
  });
  const stats = await workspace.index.sync({ signal: stop.signal });
  unwatch();
  assert.ok(stats.added > 0 && stats.added < 400, `${stats.added}`);
  const { added, unchanged } = await workspace.index.sync({});
  assert.deepEqual([stats.added + added, added + unchanged], [400, 400]);
  const { total } = await workspace.search({ query: "koala", filter: {}, limit: 1 });
  assert.equal(total, 400);
});

test("a client that cancels its reindex stops it", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [`p/${n}.md`, `# ${n}\n\n${"word ".repeat(3000)}`]),
  );
  const { client, workspace } = await connect(t, makeWorkspace(t, files));
  const stop = new AbortController();
  const options = { signal: stop.signal, onprogress: () => stop.abort() };
  await assert.rejects(client.callTool({ name: "reindex", arguments: {} }, undefined, options));
  // Its own sync waits until the cancelled one has stopped.
  assert.ok((await workspace.index.sync({})).added > 0);
});
