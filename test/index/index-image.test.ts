import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import type { FileFingerprint, FileFingerprints } from "../../src/core/index/index-image.ts";
import { headerVersion, openImage, sealImage } from "../../src/core/index/index-image.ts";
import { APPLICATION_ID, createSchema, SCHEMA_VERSION } from "../../src/core/index/schema.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import { rowsOf } from "../fixtures/entries.ts";

const ENTRIES: [string, FileFingerprint][] = [
  ["p/a.md", { size: 1, mtime: 1_700_000_000_123.456, ctime: 2.5, indexedAt: 9_007_199_254_740_991 }],
  ['p/設計 "x".md', { size: 0, mtime: -1, ctime: 0, indexedAt: 0 }],
];

const STAMPS: FileFingerprints = new Map(ENTRIES);
const entriesOf = (fingerprints: FileFingerprints) => [...fingerprints];

let engine: Engine;
let image: Uint8Array;
let file: Uint8Array;

before(async () => {
  engine = await openEngine();
  const db = new engine.Database();
  db.run("PRAGMA page_size = 512; CREATE TABLE t (a); INSERT INTO t VALUES ('kept')");
  image = db.export();
  file = Buffer.concat([...sealImage(() => ({ database: image, fingerprints: STAMPS }))]);
});

test("a sealed image opens unchanged, without a copy", () => {
  const { database, fingerprints } = openImage(file) ?? assert.fail();
  assert.deepEqual(Buffer.from(database), Buffer.from(image));
  assert.equal(database.buffer, file.buffer);
  assert.deepEqual(entriesOf(fingerprints), ENTRIES);
});

test("an index without documents opens too", () => {
  const { database, fingerprints } =
    openImage(Buffer.concat([...sealImage(() => ({ database: image, fingerprints: new Map() }))])) ??
    assert.fail();
  assert.deepEqual(Buffer.from(database), Buffer.from(image));
  assert.equal(fingerprints.size, 0);
});

test("a file inside a larger buffer opens", () => {
  const larger = Buffer.concat([Buffer.alloc(7, 1), file, Buffer.alloc(9, 1)]);
  const { database, fingerprints } = openImage(larger.subarray(7, 7 + file.length)) ?? assert.fail();
  assert.deepEqual(Buffer.from(database), Buffer.from(image));
  assert.deepEqual(entriesOf(fingerprints), ENTRIES);
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

test("extra bytes before or after the file are noticed", () => {
  for (const extra of [Buffer.alloc(1), Buffer.alloc(16), Buffer.from("x".repeat(512))]) {
    assert.equal(openImage(Buffer.concat([file, extra])), undefined);
    assert.equal(openImage(Buffer.concat([extra, file])), undefined);
  }
  assert.equal(openImage(Buffer.concat([file, file])), undefined);
  assert.equal(openImage(image), undefined);
});

test("a sealed file is a SQLite file with a trailer", () => {
  assert.deepEqual(Buffer.from(file.subarray(0, image.length)), Buffer.from(image));
  const db = new engine.Database(file);
  assert.deepEqual(rowsOf(db, "SELECT a FROM t"), [["kept"]]);
  assert.deepEqual(rowsOf(db, "PRAGMA integrity_check"), [["ok"]]);
});

test("the header identifies the file without opening it", () => {
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

const names = ["a.md", 'q"uote.md', "back\\slash.md", "line\nend.md", "設計.md", "\ud800.md", 'a","b.md'];

test("fingerprints come back as they were saved, whatever the name", () => {
  const path = fc.oneof(fc.constantFrom(...names), fc.string({ unit: "binary" }));
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const fingerprint: fc.Arbitrary<FileFingerprint> = fc.record({
    size: fc.nat(),
    mtime: number,
    ctime: number,
    indexedAt: number,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(path, fingerprint)), (entries) => {
      const fingerprints = new Map(entries);
      const zero = (value: number) => value + 0;
      const plain = [...fingerprints].map(([name, { size, mtime, ctime, indexedAt }]) => [
        name,
        { size, mtime: zero(mtime), ctime: zero(ctime), indexedAt: zero(indexedAt) },
      ]);
      const sealed = Buffer.concat([...sealImage(() => ({ database: new Uint8Array(), fingerprints }))]);
      assert.deepEqual([...(openImage(sealed)?.fingerprints ?? [])], plain);
    }),
  );
});
