import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mergeSegments } from "../../src/core/index/merge.ts";
import { termsFrom } from "../../src/core/index/terms.ts";
import { write } from "../../src/core/index/writer.ts";
import { openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex } from "../fixtures/entries.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const engine = await openEngine();
/** More words than fit into a page of FTS5. */
const MANY = 900;
/** Letters of one to four bytes, so that terms share parts of letters. */
const LETTERS = ["a", "b", "я", "ю", "ア", "イ", "𐐨", "𐐩"];

const word = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 6 }).map((all) => all.join(""));
const words = fc
  .record({ start: word, few: fc.array(word), many: fc.constantFrom(0, MANY) })
  .map(({ start, few, many }) => [
    ...few,
    ...Array.from({ length: many }, (_, n) => `${start}${n.toString(36)}`),
  ]);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ path: fc.constantFrom("p/a.md", "p/b.md", "p/c.md"), words }) },
  {
    weight: 1,
    arbitrary: fc.record({ path: fc.constantFrom("p/a.md", "p/b.md"), words: fc.constant(null) }),
  },
  { weight: 1, arbitrary: fc.constant("merge" as const) },
);

/** What FTS5 itself lists. */
function listed(db: SqlDatabase, start: string): string[] {
  db.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.v USING fts5vocab(main, chunks_fts, row)");
  const all = db.exec("SELECT term FROM temp.v")[0]?.values.map(([term]) => String(term)) ?? [];
  return all.filter((term) => term.startsWith(start)).sort();
}

test("after any changes the terms that begin with a text are those that FTS5 lists, and such as are gone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.array(word), async (steps, starts) => {
      const db = openIndex(engine);
      for (const one of steps) {
        if (one === "merge") await mergeSegments(db);
        else
          write(db, (writer) => {
            if (one.words === null) writer.remove(one.path);
            else writer.put(makeEntry(one.path, one.words.join(" ")));
          });
      }
      const live = new Set(listed(db, ""));
      const isListed = (term: string) => live.has(term);
      for (const start of ["", "a", "p", ...starts]) {
        const found = termsFrom(db, start);
        const wanted = listed(db, start);
        assert.deepEqual(found.filter(isListed), wanted, start);
        for (const gone of found.filter((term) => !isListed(term)))
          assert.deepEqual(
            db.exec("SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?", [`"${gone}"`]),
            [],
          );
      }
      db.close();
    }),
    { numRuns: numRuns(100) },
  );
});

test("a damaged page ends the list", () => {
  const db = openIndex(engine, [makeEntry("p/a.md", "alpha alphabet beta")]);
  assert.deepEqual(termsFrom(db, "alpha"), ["alpha", "alphabet"]);
  const pages = [[], [0], [0, 0, 0, 4, 255, 255], [0, 0, 0, 4, 200], [0, 0, 255, 255, 1, 2]];
  for (const page of [...pages.map((bytes) => Uint8Array.from(bytes)), "text", 7]) {
    db.run("UPDATE chunks_fts_data SET block = ? WHERE id > 10", [page]);
    assert.deepEqual(termsFrom(db, "alpha"), []);
  }
});
