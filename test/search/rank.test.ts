import assert from "node:assert/strict";
import { test } from "node:test";
import { search } from "../../src/core/search/search.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";

const engine = await openEngine();

/** The paths found among equal documents of one chunk each; from number `first` on, titles hold the word too. */
function found(documents: number, { first, limit }: { first: number; limit: number }): string[] {
  const entries = Array.from({ length: documents }, (_, n) =>
    makeEntry(`p/notes/${n + 1}.md`, "zebra", { title: n + 1 >= first ? "Zebra" : "Other" }),
  );
  const options = { filter: {}, now: 0, damping: 0, textOf: () => undefined };
  const { results, total } = search(openIndex(engine, entries), { query: "zebra", limit, ...options });
  assert.equal(total, documents);
  return results.map(({ path }) => path);
}

const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => `p/notes/${first + n}.md`);

test("among very many equal chunks, those with a match in a name come first", () => {
  assert.deepEqual(found(1100, { first: 801, limit: 100 }), from(801, 100));
  assert.deepEqual(found(900, { first: 601, limit: 100 }), from(601, 100));
});

test("and the others follow if these are too few", () => {
  assert.deepEqual(found(1100, { first: 801, limit: 400 }).slice(0, 300), from(801, 300));
});
