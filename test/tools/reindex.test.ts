import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace, writeFiles } from "../support/workspace.ts";

interface Answer {
  success: boolean;
  project: string | null;
  stats: Record<string, number>;
}

const counts = ({ stats: { duration_ms, ...rest } }: Answer) => {
  assert.ok(duration_ms !== undefined && duration_ms >= 0);
  return rest;
};

test("reindex counts what it added, updated, deleted and left", async (t) => {
  const root = makeWorkspace(t, { "a/1.md": "one", "a/2.md": "two", "b/3.md": "three" });
  const { call } = await connect(t, root);
  const first: Answer = await call("reindex");
  assert.deepEqual([first.success, first.project], [true, null]);
  assert.deepEqual(counts(first), { scanned: 3, added: 3, updated: 0, deleted: 0, unchanged: 0 });
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

test("progress is told to a client that asks for it", async (t) => {
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
