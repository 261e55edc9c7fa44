import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { listDocuments } from "../../src/core/index/catalog.ts";
import { indexedHash, type Writer, write } from "../../src/core/index/writer.ts";
import { search } from "../../src/core/search/search.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex, plainTask, rowsOf, textOf } from "../fixtures/entries.ts";
import { numRuns } from "../fixtures/num-runs.ts";

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

/** Fails unless every table has the same chunks and the full text is intact; returns their number. */
function checkedCount(db: SqlDatabase): number {
  const ids = (sql: string) => rowsOf(db, sql).flat();
  const chunks = ids("SELECT id FROM chunks ORDER BY id");
  assert.deepEqual(ids("SELECT rowid FROM chunks_fts ORDER BY rowid"), chunks);
  assert.deepEqual(ids("SELECT id FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)"), []);
  assert.deepEqual(ids("SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM chunks)"), []);
  assert.deepEqual(ids("SELECT id FROM documents WHERE project_id NOT IN (SELECT id FROM projects)"), []);
  db.run("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')");
  return chunks.length;
}

const pathsOf = (db: SqlDatabase, query: string) =>
  search(db, { query, filter: {}, limit: 100, now: 0, damping: 0, textOf })
    .results.map(({ path }) => path)
    .sort();

test("a document is found by its text, title, heading, name, path and tags, and by the parts of its names", () => {
  const entry = makeEntry("alpha/beta/gammaDelta.md", "# Epsilon\n\nzeta `iotaKappa`", {
    title: "Eta",
    tags: ["theta"],
  });
  const db = openIndex(engine, [entry, makeEntry("p/notes/other.md", "nothing")]);
  const words = "alpha beta gammaDelta gamma delta epsilon zeta eta theta iotaKappa kappa iota_kappa";
  for (const word of words.split(" ")) assert.deepEqual(pathsOf(db, word), [entry.path], word);
  assert.equal(checkedCount(db), 2);
});

test("a removed document leaves nothing behind", () => {
  const db = openIndex(engine, [
    makeEntry("p/a.md", "# A\n\nzebra\n\n## B\n\nlion"),
    makeEntry("p/b.md", "zebra"),
  ]);
  assert.equal(checkedCount(db), 3);
  write(db, (writer) => writer.remove("p/a.md"));
  assert.equal(checkedCount(db), 1);
  assert.deepEqual(pathsOf(db, "zebra"), ["p/b.md"]);
  assert.deepEqual(pathsOf(db, "lion"), []);
});

test("removing a document that is not indexed changes nothing", () => {
  const db = openIndex(engine, [makeEntry("p/a.md", "zebra")]);
  write(db, (writer) => writer.remove("p/b.md"));
  assert.equal(checkedCount(db), 1);
});

test("a document put again replaces the old one, even within one transaction", () => {
  const db = openIndex(engine, [makeEntry("p/a.md", "# A\n\nzebra\n\n## B\n\nlion")]);
  write(db, (writer) => {
    for (const text of ["one", "two", "three"]) writer.put(makeEntry("p/a.md", text));
  });
  assert.equal(checkedCount(db), 1);
  assert.deepEqual(
    ["zebra", "lion", "one", "two", "three"].filter((word) => pathsOf(db, word).length > 0),
    ["three"],
  );
});

test("documents with the same text stay separate", () => {
  const text = "# A\n\nzebra";
  const db = openIndex(engine, [makeEntry("p/a.md", text), makeEntry("p/b.md", text)]);
  assert.deepEqual(pathsOf(db, "zebra"), ["p/a.md", "p/b.md"]);
  write(db, (writer) => writer.remove("p/a.md"));
  assert.deepEqual(pathsOf(db, "zebra"), ["p/b.md"]);
  assert.equal(checkedCount(db), 1);
});

test("a document of 500 chunks is one document, and is removed completely", () => {
  const sections = Array.from({ length: 500 }, (_, n) => `## Part ${n}\n\nzebra word${n}\n`);
  const db = openIndex(engine, [makeEntry("p/a.md", sections.join("\n"))]);
  assert.equal(checkedCount(db), 500);
  const { total, results } = search(db, { query: "zebra", filter: {}, limit: 5, now: 0, damping: 0, textOf });
  assert.deepEqual([total, results[0]?.more], [1, 499]);
  assert.equal(pathsOf(db, "word499").length, 1);
  write(db, (writer) => writer.remove("p/a.md"));
  assert.equal(checkedCount(db), 0);
});

test("touching a document changes its mtime, and its day if it has no `updated`", () => {
  const dated = { updated: "2020-01-01" };
  const db = openIndex(engine, [makeEntry("p/a.md", "zebra"), makeEntry("p/b.md", "zebra", dated)]);
  const day = 86_400_000;
  write(db, (writer) => {
    writer.touch("p/a.md", 3 * day + 0.5);
    writer.touch("p/b.md", 4 * day);
    assert.deepEqual([indexedHash(db, "p/a.md"), indexedHash(db, "p/c.md")], ["0", undefined]);
  });
  assert.deepEqual(
    listDocuments(db, {}).map(({ mtime }) => mtime),
    [3 * day + 0.5, 4 * day],
  );
  const days = rowsOf(
    db,
    "SELECT c.day FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY d.path",
  );
  assert.deepEqual(days.flat(), [3, Date.parse("2020-01-01") / day]);
  assert.equal(checkedCount(db), 2);
});

test("projects are added once, and removed without their documents", () => {
  const db = openIndex(engine);
  const names = () => rowsOf(db, "SELECT name FROM projects ORDER BY name").flat();
  write(db, (writer) => {
    writer.addProject("empty");
    writer.addProject("empty");
    writer.put(makeEntry("full/a.md", "x"));
    writer.put(makeEntry("full/b.md", "x"));
  });
  assert.deepEqual(names(), ["empty", "full"]);
  write(db, (writer) => writer.removeProject("empty"));
  assert.deepEqual(names(), ["full"]);
});

test("a write moves the time of its project and of its document, and of no other", () => {
  const db = openIndex(
    engine,
    ["a/1.md", "b/1.md", "b/2.md", "c/1.md"].map((path) => makeEntry(path, "x")),
  );
  db.run("UPDATE projects SET updated_at = 0; UPDATE documents SET indexed_at = 0");
  write(db, (writer) => {
    writer.put(makeEntry("a/1.md", "y"));
    writer.remove("b/1.md");
  });
  const moved = (sql: string) => rowsOf(db, sql).flat();
  assert.deepEqual(moved("SELECT name FROM projects WHERE updated_at > 0 ORDER BY name"), ["a", "b"]);
  assert.deepEqual(moved("SELECT path FROM documents WHERE indexed_at > 0"), ["a/1.md"]);
  const far = "abs(updated_at - unixepoch('subsec') * 1000) > 600000";
  assert.deepEqual(moved(`SELECT name FROM projects WHERE updated_at > 0 AND ${far}`), []);
});

test("a transaction leaves one full-text b-tree, whatever it replaces and removes", () => {
  const bTrees = (db: SqlDatabase) =>
    rowsOf(
      db,
      "SELECT count(DISTINCT id >> 37) FROM chunks_fts_data WHERE id BETWEEN 1 << 37 AND 1 << 53",
    )[0]?.[0];
  const entries = (text: string) =>
    Array.from({ length: 20 }, (_, n) => makeEntry(`p/${n}.md`, `${text} ${n}`));
  const db = openIndex(engine, entries("zebra"));
  assert.equal(bTrees(db), 1);
  write(db, (writer) => {
    writer.remove("p/19.md");
    for (const entry of entries("lion").slice(0, 18)) writer.put(entry);
    writer.remove("p/18.md");
  });
  assert.equal(bTrees(db), 2);
  assert.equal(pathsOf(db, "lion").length, 18);
  assert.equal(checkedCount(db), 18);
});

test("a rollback removes everything that the transaction wrote", () => {
  const db = openIndex(engine, [makeEntry("p/a.md", "zebra")]);
  assert.throws(() =>
    write(db, (writer) => {
      writer.put(makeEntry("p/a.md", "lion"));
      writer.put(makeEntry("p/b.md", "lion", { hash: null as unknown as string }));
    }),
  );
  assert.deepEqual([pathsOf(db, "zebra"), pathsOf(db, "lion")], [["p/a.md"], []]);
  assert.equal(checkedCount(db), 1);
});

test("folders and statuses named like JavaScript properties are indexed", () => {
  const entries = ["constructor", "__proto__", "toString", "hasOwnProperty"].map((name) =>
    makeEntry(`p/${name}/a.md`, "zebra", { status: name, task: plainTask }),
  );
  assert.equal(checkedCount(openIndex(engine, entries)), 4);
});

const WORDS = ["zebra", "lion", "認証", "sesión", "quagga"];
const PATHS = ["p/a.md", "p/tasks/001-b.md", "q/c.md", "q/notes/d.md"];

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ path: fc.constantFrom(...PATHS), words: fc.array(fc.constantFrom(...WORDS)) }),
  },
  { weight: 1, arbitrary: fc.record({ path: fc.constantFrom(...PATHS), words: fc.constant(null) }) },
);

const sections = (words: string[]) => words.map((word) => `## ${word}\n\n${word} text\n`).join("\n");

test("after any changes, the index answers like a new one", () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 5 }), (transactions) => {
      const db = openIndex(engine);
      const wanted = new Map<string, string[]>();
      const apply = (writer: Writer, { path, words }: { path: string; words: string[] | null }) => {
        if (words === null) {
          writer.remove(path);
          wanted.delete(path);
        } else {
          writer.put(makeEntry(path, sections(words)));
          wanted.set(path, words);
        }
      };
      for (const steps of transactions) {
        write(db, (writer) => {
          for (const one of steps) apply(writer, one);
        });
      }
      const fresh = openIndex(
        engine,
        [...wanted].map(([path, words]) => makeEntry(path, sections(words))),
      );
      assert.equal(checkedCount(db), checkedCount(fresh));
      for (const word of WORDS) assert.deepEqual(pathsOf(db, word), pathsOf(fresh, word), word);
      db.close();
      fresh.close();
    }),
    { numRuns: numRuns(100) },
  );
});
