import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openImage } from "../../../src/core/index/index-image.ts";
import { openEngine } from "../../../src/core/sqlite/engine.ts";
import { LEGACY_SCHEMA } from "../../fixtures/legacy-index.ts";
import { startV1 } from "../../fixtures/v1-client.ts";
import { makeWorkspace } from "../../fixtures/workspace.ts";

const FILES = { "p/tasks/001-a.md": "# Task: A\n\nnarwhal\n" };

/** Serves the workspace once: the old index keeps every byte, and ours has its name. */
async function isKeptAside(t: TestContext, root: string): Promise<void> {
  const old = new Map(
    readdirSync(root)
      .filter((name) => name !== "p")
      .map((name) => [name, readFileSync(join(root, name))]),
  );
  const { answer, client } = await startV1(t, { root });
  const results = (await answer("search", { query: "narwhal" })) as { document_path: string }[];
  assert.deepEqual(
    results.map(({ document_path }) => document_path),
    ["p/tasks/001-a.md"],
  );
  await client.close();
  const kept = readdirSync(root).filter((name) => name.includes(".bak"));
  assert.deepEqual(readdirSync(root).sort(), ["index.db", ...kept, "p"].sort());
  for (const name of kept)
    assert.deepEqual(readFileSync(join(root, name)), old.get(name.replace(/\.\d.*\.bak/, "")));
  assert.equal(kept.length, old.size);
  assert.ok(openImage(readFileSync(join(root, "index.db"))));
}

test("an index of schema 1.0 with its triggers and journals is kept under another name", async (t) => {
  const root = makeWorkspace(t, FILES);
  const old = new (await openEngine()).Database();
  old.run(LEGACY_SCHEMA);
  const found = old.exec("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH 'narwhal'");
  assert.equal(found[0]?.values[0]?.[0], 1);
  writeFileSync(join(root, "index.db"), old.export());
  old.close();
  for (const suffix of ["-wal", "-shm"]) writeFileSync(join(root, `index.db${suffix}`), "");
  await isKeptAside(t, root);
});

test("an index whose tables are still in its journal, as a killed server leaves it, is kept as well", async (t) => {
  const root = makeWorkspace(t, FILES);
  const copies = ["", "-wal", "-shm"].map((suffix) => `cp live.db${suffix} index.db${suffix}`);
  const input = `PRAGMA journal_mode = WAL;\n${LEGACY_SCHEMA}\n.system ${copies.join("; ")}\n`;
  const { error } = spawnSync("sqlite3", ["live.db"], { cwd: root, input });
  if (error !== undefined) return t.skip("there is no sqlite3 here");
  for (const name of readdirSync(root).filter((name) => name.startsWith("live"))) rmSync(join(root, name));
  assert.ok(existsSync(join(root, "index.db-wal")));
  assert.ok(!readFileSync(join(root, "index.db")).includes("chunks_fts"));
  await isKeptAside(t, root);
});
