import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  checkedReader,
  headerVersion,
  IndexChangedError,
  openImage,
  piecesOf,
  type ReadAt,
  readTail,
  sealImage,
} from "../../src/index/image.ts";
import { APPLICATION_ID, createSchema, SCHEMA_VERSION } from "../../src/index/schema.ts";
import { type Stamp, Stamps } from "../../src/index/stamps.ts";
import { type Engine, openEngine } from "../../src/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/sqlite/types.ts";
import { rowsOf } from "./entries.ts";

const ENTRIES: [string, Stamp][] = [
  ["p/a.md", { size: 1, mtime: 1_700_000_000_123.456, ctime: 2.5, indexedAt: 9_007_199_254_740_991 }],
  ['p/設計 "x".md', { size: 0, mtime: -1, ctime: 0, indexedAt: 0 }],
];

const STAMPS = new Stamps();
for (const [path, stamp] of ENTRIES) STAMPS.set(path, stamp);
const entriesOf = (stamps: Stamps) => [...stamps.keys()].map((path) => [path, stamps.get(path)]);

let engine: Engine;
let image: Uint8Array;
let file: Uint8Array;

before(async () => {
  engine = await openEngine();
  const db = new engine.Database();
  db.run("PRAGMA page_size = 512; CREATE TABLE t (a); INSERT INTO t VALUES ('kept')");
  image = db.export();
  file = Buffer.concat([...sealImage({ database: [image], stamps: STAMPS })]);
});

test("what was sealed opens as it was, without a copy", () => {
  const { database, stamps } = openImage(file) ?? assert.fail();
  assert.deepEqual(Buffer.from(database), Buffer.from(image));
  assert.equal(database.buffer, file.buffer);
  assert.deepEqual(entriesOf(stamps), ENTRIES);
});

test("an index without a document opens as well", () => {
  const { database, stamps } =
    openImage(Buffer.concat([...sealImage({ database: [image], stamps: new Stamps() })])) ?? assert.fail();
  assert.deepEqual(Buffer.from(database), Buffer.from(image));
  assert.equal(stamps.size, 0);
});

function openLarge(): SqlDatabase {
  const db = new engine.Database();
  db.run("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(2500000))");
  return db;
}

test("a large index is written in pieces, which make the file that the whole of it makes", (t) => {
  const db = openLarge();
  if (db.exportInto === undefined) return t.skip("sql.js gives it as a whole");
  const written = (database: Iterable<Uint8Array>) =>
    Buffer.concat([...sealImage({ database: map(database, (piece) => piece.slice()), stamps: STAMPS })]);
  const pieces = [...map(piecesOf(db), ({ length }) => length)];
  assert.deepEqual([pieces.length, Math.max(...pieces)], [3, 1024 * 1024]);
  assert.deepEqual(written(piecesOf(db)), written([db.export()]));
  assert.notEqual(openImage(written(piecesOf(db))), undefined);
});

function* map<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<U, void> {
  for (const item of items) yield change(item);
}

test("an index that changes before all of it is read gives no more pieces", (t) => {
  const db = openLarge();
  if (db.exportInto === undefined) return t.skip("sql.js gives it as a whole");
  const pieces = piecesOf(db);
  assert.equal(pieces.next().done, false);
  db.run("INSERT INTO t VALUES (1)");
  assert.throws(() => pieces.next(), IndexChangedError);
});

test("a file that lies inside a larger buffer opens", () => {
  const larger = Buffer.concat([Buffer.alloc(7, 1), file, Buffer.alloc(9, 1)]);
  const { database, stamps } = openImage(larger.subarray(7, 7 + file.length)) ?? assert.fail();
  assert.deepEqual(Buffer.from(database), Buffer.from(image));
  assert.deepEqual(entriesOf(stamps), ENTRIES);
});

test("every single flipped bit is noticed", () => {
  const damaged = Buffer.from(file);
  const unnoticed: string[] = [];
  for (let at = 0; at < damaged.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      if (openImage(damaged) !== undefined) unnoticed.push(`${at}:${bit}`);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
    }
  }
  assert.deepEqual(unnoticed, []);
  assert.notEqual(openImage(damaged), undefined);
});

test("a file cut at any length is noticed", () => {
  for (let length = 0; length < file.length; length++) {
    assert.equal(openImage(file.subarray(0, length)), undefined, String(length));
  }
});

test("bytes behind or before the file are noticed", () => {
  for (const extra of [Buffer.alloc(1), Buffer.alloc(16), Buffer.from("x".repeat(512))]) {
    assert.equal(openImage(Buffer.concat([file, extra])), undefined);
    assert.equal(openImage(Buffer.concat([extra, file])), undefined);
  }
  assert.equal(openImage(Buffer.concat([file, file])), undefined);
  assert.equal(openImage(image), undefined);
});

const readerOf =
  (bytes: Uint8Array): ReadAt =>
  (target, position) =>
    target.set(bytes.subarray(position, position + target.length));

test("any part of the database is read, and damage to it is noticed there and nowhere else", () => {
  const database = Buffer.alloc(3 * 8192 + 1000, "some text ");
  const file = Buffer.concat([...sealImage({ database: [database], stamps: STAMPS })]);
  const tail = readTail(file.length, readerOf(file)) ?? assert.fail();
  assert.deepEqual(entriesOf(tail.stamps), ENTRIES);
  const parts = [
    [0, 100],
    [24, 16],
    [0, 8192],
    [8192, 16_384],
    [8000, 400],
    [24_576, 1000],
    [25_000, 7],
    [0, database.length],
  ] as const;
  const read = (bytes: Uint8Array, [position, length]: readonly [number, number]) => {
    const target = Buffer.alloc(length);
    checkedReader(tail, readerOf(bytes))(target, position);
    return target;
  };
  for (const part of parts)
    assert.deepEqual(read(file, part), database.subarray(part[0], part[0] + part[1]), part.join());
  for (const at of [5, 8192, 20_000, 25_570]) {
    const damaged = Buffer.from(file);
    damaged[at] = (damaged[at] ?? 0) ^ 16;
    for (const part of parts) {
      const [first, last] = [part[0], part[0] + part[1] - 1].map((byte) => Math.floor(byte / 8192));
      const block = Math.floor(at / 8192);
      const isHit = first !== undefined && last !== undefined && first <= block && block <= last;
      if (isHit) assert.throws(() => read(damaged, part), /not as it was written/);
      else assert.deepEqual(read(damaged, part), read(file, part));
    }
  }
});

test("a sealed file is a SQLite file, with the trailer on", () => {
  assert.deepEqual(Buffer.from(file.subarray(0, image.length)), Buffer.from(image));
  const db = new engine.Database(file);
  assert.deepEqual(rowsOf(db, "SELECT a FROM t"), [["kept"]]);
  assert.deepEqual(rowsOf(db, "PRAGMA integrity_check"), [["ok"]]);
});

test("the header tells whose file it is without opening it", () => {
  const db = new engine.Database();
  createSchema(db);
  assert.deepEqual(headerVersion(db.export()), { application: APPLICATION_ID, version: SCHEMA_VERSION });
  assert.deepEqual(headerVersion(file), { application: 0, version: 0 });
  const inside = Buffer.concat([Buffer.alloc(3), db.export()]).subarray(3);
  assert.deepEqual(headerVersion(inside), { application: APPLICATION_ID, version: SCHEMA_VERSION });
  for (const other of [
    Buffer.alloc(0),
    Buffer.alloc(200),
    image.subarray(0, 99),
    Buffer.from("# Notes\n".repeat(50)),
  ]) {
    assert.equal(headerVersion(other), undefined);
  }
});
