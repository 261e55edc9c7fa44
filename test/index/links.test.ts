import assert from "node:assert/strict";
import { before, test } from "node:test";
import { indexLookup, linksNaming } from "../../src/core/index/links.ts";
import { write } from "../../src/core/index/writer.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { makeEntry, openIndex, rowsOf } from "../fixtures/entries.ts";

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

const NOTES = [
  makeEntry("p/status.md", "[a](tasks/001-A.md) [[B]]"),
  makeEntry("p/tasks/001-A.md", "[[status]]"),
  makeEntry("p/archive/tasks/002-b.md", "x"),
  makeEntry("p/archive/reports/b.md", "x"),
  makeEntry("q/references/Status.md", "[[b]]"),
];

test("documents are looked up by name in any case, and tasks by project", () => {
  const lookup = indexLookup(openIndex(engine, NOTES));
  assert.deepEqual([...lookup.named("status")].sort(), ["p/status.md", "q/references/Status.md"]);
  assert.deepEqual(lookup.named("nothing"), []);
  assert.deepEqual([...lookup.tasks("p")].sort(), [
    ["#1", ["p/tasks/001-A.md"]],
    ["#2", ["p/archive/tasks/002-b.md"]],
    ["001-a", ["p/tasks/001-A.md"]],
    ["002-b", ["p/archive/tasks/002-b.md"]],
  ]);
  assert.deepEqual([...lookup.tasks("q")], []);
});

test("links are found by the name of the document that they may lead to, and go with their document", () => {
  const db = openIndex(engine, NOTES);
  const sources = (path: string) =>
    linksNaming(db, [path]).map(({ source, kind, path }) => [source, kind, path]);
  assert.deepEqual(sources("x/b.md"), [
    ["p/status.md", "wiki", "B"],
    ["q/references/Status.md", "wiki", "b"],
  ]);
  assert.deepEqual(sources("p/tasks/001-A.md"), [["p/status.md", "inline", "tasks/001-A.md"]]);
  write(db, (writer) => {
    writer.put(makeEntry("p/status.md", "[[c]]"));
    writer.remove("q/references/Status.md");
  });
  assert.deepEqual(sources("p/b.md"), []);
  assert.deepEqual(sources("p/c.md"), [["p/status.md", "wiki", "c"]]);
  const orphans = "SELECT * FROM links WHERE document_id NOT IN (SELECT id FROM documents)";
  assert.deepEqual(rowsOf(db, orphans), []);
});

test("names that share a key are told apart", () => {
  // Their CRC-32 is the same.
  const db = openIndex(engine, [makeEntry("p/plumless.md", "x"), makeEntry("p/buckeroo.md", "x")]);
  assert.equal(rowsOf(db, "SELECT DISTINCT name_key FROM documents").length, 1);
  assert.deepEqual(indexLookup(db).named("plumless"), ["p/plumless.md"]);
});
