import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostings } from "../../src/index/postings.ts";
import { rank } from "../../src/search/rank.ts";
import { TUNING } from "../../src/search/weights.ts";
import { openEngine } from "../../src/sqlite/engine.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";

const engine = await openEngine();

/** The documents found among equal ones of one chunk each; from number `first` on, names hold the word too. */
function found(documents: number, { first, limit }: { first: number; limit: number }): number[] {
  const entries = Array.from({ length: documents }, (_, n) => makeEntry(`p/notes/${n}.md`, "zebra"));
  const db = openIndex(engine, entries);
  const { of, size } = openPostings(db);
  const named = () => of('"zebra"').slice(first - 1);
  const target = {
    clauses: [
      { match: '"zebra"', weight: 1, isScored: true, chunks: of('"zebra"'), of: "zebra", texts: ["zebra"] },
    ],
    phrases: [],
    whole: 1,
    size,
    named,
  };
  const { hits, total } = rank(db, target, {
    limit,
    now: 0,
    damping: 0,
    tuning: { ...TUNING, candidates: 150 },
  });
  assert.equal(total, documents);
  return hits.map(({ document }) => document);
}

const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

test("among very many equal chunks, those with a match in a name come first, and others only if these are too few", () => {
  assert.deepEqual(found(1100, { first: 801, limit: 100 }), from(801, 100));
  assert.deepEqual(found(1100, { first: 801, limit: 400 }), from(1, 400));
  assert.deepEqual(found(900, { first: 601, limit: 100 }), from(1, 100));
});
