import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { countDocuments } from "../../src/core/index/catalog.ts";
import { createSchema } from "../../src/core/index/schema.ts";
import type { SyncContext } from "../../src/core/indexing/batch.ts";
import { createLargeWrites } from "../../src/core/indexing/large-writes.ts";
import { syncFile, syncIndex } from "../../src/core/indexing/sync.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { gateOf } from "../../src/core/storage/path-gate.ts";
import { readFile } from "../../src/core/storage/read.ts";
import { makeWorkspace, writeFiles } from "../fixtures/workspace.ts";

/** More than an engine with 10 MB can index. */
const MANY = 1500;
const MEGABYTE = 2 ** 20;
const textOf = (n: number) =>
  `# ${n}\n\nkoala ${Array.from({ length: 400 }, (_, word) => `w${n}x${word}`).join(" ")}\n`;

const documentsIn = (project: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${project}/${n}.md`, textOf(n)]));

interface Crowd {
  documents: number;
  hasMemory: () => boolean;
  memoryLimit?: number;
}

/** A workspace whose documents do not all fit into the index. */
async function crowded(t: TestContext, { documents, hasMemory, ...options }: Crowd) {
  const root = makeWorkspace(t, documentsIn("p", documents));
  const engine = await openEngine(options);
  const db = new engine.Database();
  t.after(() => db.close());
  createSchema(db);
  const logged: string[] = [];
  const context: SyncContext = {
    root,
    db,
    clock: { now: () => new Date() },
    log: createLog("warn", (line) => logged.push(line)),
    fingerprints: new Map(),
    warned: new Set(),
    hasMemory,
    largeWrites: createLargeWrites(),
  };
  const warnings = () => logged.filter((line) => line.includes("the index is full")).length;
  return { root, context, warnings };
}

/** Room for so many new documents: each is checked once. */
function roomFor(documents: number): () => boolean {
  let left = documents;
  return () => left-- > 0;
}

const matches = ({ db }: SyncContext, word: string) =>
  db.exec("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", [word])[0]?.values[0]?.[0];

test("a full index holds what fits, keeps that up to date, and warns once", async (t) => {
  const { root, context, warnings } = await crowded(t, { documents: 30, hasMemory: roomFor(20) });
  const { stats } = await syncIndex(context, {});
  assert.deepEqual([stats.added, stats.unchanged, context.fingerprints.size], [20, 0, 20]);
  assert.equal(matches(context, "koala"), 20);
  writeFileSync(join(root, "p", "0.md"), "# Zero\n\npanda\n");
  assert.equal((await syncIndex(context, {})).stats.updated, 1);
  assert.equal(matches(context, "panda"), 1);
  assert.equal(warnings(), 1);
});

// How much fits depends on how many documents the machine indexes in one transaction: the last one is lost.
test("an index that runs out of memory serves what fits, and warns once", async (t) => {
  const memoryLimit = 10 * MEGABYTE;
  const { root, context, warnings } = await crowded(t, { documents: 5, memoryLimit, hasMemory: () => true });
  await syncIndex(context, {});
  writeFiles(root, documentsIn("q", MANY));
  const { stats } = await syncIndex(context, {});
  const indexed = countDocuments(context.db);
  assert.ok(indexed >= 5 && indexed < MANY, `${indexed}`);
  assert.deepEqual([stats.added, stats.unchanged, context.fingerprints.size], [indexed - 5, 5, indexed]);
  assert.equal(matches(context, "koala"), indexed);
  assert.equal(warnings(), 1);
});

test("a deletion makes room for documents that were left out", async (t) => {
  let hasMemory = roomFor(20);
  const { root, context } = await crowded(t, { documents: 30, hasMemory: () => hasMemory() });
  await syncIndex(context, {});
  const before = new Set(context.fingerprints.keys());
  hasMemory = () => true;
  assert.equal((await syncIndex(context, {})).stats.added, 0, "without a deletion there is no second try");
  hasMemory = roomFor(5);
  for (const path of [...before].slice(0, 5)) rmSync(join(root, path));
  const { added, deleted } = (await syncIndex(context, {})).stats;
  assert.deepEqual([added, deleted], [5, 5]);
  assert.equal([...context.fingerprints.keys()].filter((path) => !before.has(path)).length, 5);
});

test("a document that does not fit is reported as not indexed", async (t) => {
  const { root, context } = await crowded(t, { documents: 2, hasMemory: () => false });
  const read = readFile(gateOf(root), "p/1.md") ?? assert.fail();
  assert.equal(await syncFile(context, "p/1.md", { read }), false);
  const roomy = { ...context, warned: new Set<string>(), hasMemory: () => true };
  assert.equal(await syncFile(roomy, "p/1.md", { read }), true);
});
