import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeSegments } from "../../src/core/index/merge.ts";
import { write } from "../../src/core/index/writer.ts";
import { createLargeWrites } from "../../src/core/indexing/large-writes.ts";
import { syncIndex } from "../../src/core/indexing/sync.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

const engine = await openEngine();
const DOCUMENTS = 600;

const numberOf = (db: SqlDatabase, sql: string) => Number(db.exec(sql)[0]?.values[0]?.[0]);
const segments = (db: SqlDatabase) => numberOf(db, "SELECT count(DISTINCT segid) FROM chunks_fts_idx");
const matches = (db: SqlDatabase, word: string) =>
  numberOf(db, `SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH '${word}'`);

function addBatch(db: SqlDatabase, from: number, count: number): void {
  const words = (n: number) => Array.from({ length: 300 }, (_, word) => `w${n}x${word}`).join(" ");
  write(db, (writer) => {
    for (let n = from; n < from + count; n++) writer.put(makeEntry(`p/${n}.md`, `koala ${words(n)}`));
  });
}

/** Written in so many batches that several segments are left. */
function openSegmented(): SqlDatabase {
  const db = openIndex(engine);
  for (let n = 0; n < DOCUMENTS; n += 50) addBatch(db, n, 50);
  assert.ok(segments(db) > 2, `${segments(db)}`);
  return db;
}

test("a merge leaves one segment with the same contents", async () => {
  const db = openSegmented();
  await mergeSegments(db);
  assert.equal(segments(db), 1);
  assert.equal(matches(db, "koala"), DOCUMENTS);
  assert.equal(matches(db, "w7x299"), 1);
  await mergeSegments(db);
  assert.equal(segments(db), 1);
  db.run("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')");
});

test("writes between the steps are kept", async () => {
  const db = openSegmented();
  const merging = mergeSegments(db);
  addBatch(db, DOCUMENTS, 1);
  write(db, (writer) => writer.remove("p/3.md"));
  await merging;
  assert.equal(matches(db, "koala"), DOCUMENTS);
  assert.equal(matches(db, `w${DOCUMENTS}x1`), 1);
  assert.equal(matches(db, "w3x1"), 0);
  assert.ok(segments(db) <= 3, `${segments(db)}`);
});

test("an aborted merge leaves a valid index, and another one finishes it", async () => {
  const db = openSegmented();
  const stop = new AbortController();
  const merging = mergeSegments(db, stop.signal);
  stop.abort();
  await merging;
  assert.ok(segments(db) > 1, `${segments(db)}`);
  assert.equal(matches(db, "koala"), DOCUMENTS);
  await mergeSegments(db);
  assert.equal(segments(db), 1);
});

test("a sync of a great many documents leaves one segment", async (t) => {
  const files = Array.from({ length: 1001 }, (_, n) => [
    `p/${n}.md`,
    `# ${n}\n\nkoala ${"word ".repeat(300)}${n}`,
  ]);
  const root = makeWorkspace(t, Object.fromEntries(files));
  const db = openIndex(engine);
  const context = { root, db, clock: { now: () => new Date() }, log: createLog("error", () => {}) };
  const rest = {
    fingerprints: new Map(),
    warned: new Set<string>(),
    hasMemory: () => true,
    largeWrites: createLargeWrites(),
  };
  await syncIndex({ ...context, ...rest }, {});
  assert.equal(segments(db), 1);
  assert.equal(matches(db, "koala"), 1001);
});
