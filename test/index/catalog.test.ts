import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  type DocumentFilter,
  listDocuments,
  listFolders,
  listProjectNames,
} from "../../src/core/index/catalog.ts";
import { write } from "../../src/core/index/writer.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex, plainTask } from "../fixtures/entries.ts";

const FACTS = {
  number: "001",
  objective: "Ship it",
  progress: { done: 1, total: 3 },
  dependencies: ["003", "004-x"],
};

let engine: Engine;
let db: SqlDatabase;
before(async () => {
  engine = await openEngine();
  db = openIndex(engine, [
    makeEntry("shop/tasks/002-b.md", "x", { task: plainTask }),
    makeEntry("shop/tasks/001-a.md", "x", {
      title: "Ship",
      type: "task",
      status: "blocked",
      owner: "max",
      tags: ["a, b", '"q"'],
      task: FACTS,
      updated: "2026-01-02T03:04Z",
      mtime: 1_700_000_000_123.5,
      hash: "ff",
    }),
    makeEntry("shop/status.md", "x"),
    makeEntry("Shop/assets/deep/er.md", "x"),
    makeEntry("日本/メモ/設計.md", "x"),
  ]);
  write(db, (writer) => writer.addProject("empty"));
});

const listed = (filter: DocumentFilter) => listDocuments(db, filter).map(({ path }) => path);

test("documents are listed by project, folder and file name", () => {
  assert.deepEqual(listed({}), [
    "Shop/assets/deep/er.md",
    "shop/status.md",
    "shop/tasks/001-a.md",
    "shop/tasks/002-b.md",
    "日本/メモ/設計.md",
  ]);
});

test("a filter narrows the list: exact project, exact folder, the root with an empty folder", () => {
  assert.deepEqual(listed({ project: "Shop" }), ["Shop/assets/deep/er.md"]);
  assert.deepEqual(listed({ project: "shop", folder: "tasks" }), [
    "shop/tasks/001-a.md",
    "shop/tasks/002-b.md",
  ]);
  assert.deepEqual(listed({ folder: "" }), ["shop/status.md"]);
  assert.deepEqual(listed({ project: "shop", folder: undefined }).length, 3);
  assert.deepEqual(listed({ project: "empty" }), []);
  assert.deepEqual(listed({ project: "' OR 1=1 --" }), []);
});

test("a document is read as it was written", () => {
  assert.deepEqual(listDocuments(db, { folder: "tasks" })[0], {
    project: "shop",
    path: "shop/tasks/001-a.md",
    folder: "tasks",
    filename: "001-a.md",
    title: "Ship",
    type: "task",
    status: "blocked",
    owner: "max",
    tags: ["a, b", '"q"'],
    updated: "2026-01-02T03:04Z",
    mtime: 1_700_000_000_123.5,
    task: FACTS,
  });
  assert.deepEqual(listDocuments(db, { project: "日本" })[0], {
    project: "日本",
    path: "日本/メモ/設計.md",
    folder: "メモ",
    filename: "設計.md",
    title: "Note",
    type: null,
    status: null,
    owner: null,
    tags: [],
    updated: null,
    mtime: 0,
    task: null,
  });
});

test("projects without documents are listed too", () => {
  assert.deepEqual(listProjectNames(db), ["Shop", "empty", "shop", "日本"]);
});

test("folders are listed once, for one project or all", () => {
  assert.deepEqual(listFolders(db, "shop").sort(), ["", "tasks"]);
  assert.deepEqual(listFolders(db, undefined).sort(), ["", "assets", "tasks", "メモ"]);
  assert.deepEqual(listFolders(db, "empty"), []);
});

test("an empty index lists nothing", () => {
  const empty = openIndex(engine);
  const lists = [listDocuments(empty, {}), listProjectNames(empty), listFolders(empty, undefined)];
  assert.deepEqual(lists, [[], [], []]);
});

for (const filter of [{ project: "shop" }, { folder: "tasks" }]) {
  test(`a list by ${Object.keys(filter)[0]} is cached until something is written`, () => {
    const before = listDocuments(db, filter);
    assert.equal(listDocuments(db, filter), before);
    db.run("UPDATE documents SET owner = 'eve' WHERE path = :path", { ":path": before[0]?.path ?? "" });
    const after = listDocuments(db, filter);
    assert.equal(after[0]?.owner, "eve");
    assert.equal(after.length, before.length);
  });
}
