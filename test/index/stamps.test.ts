import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { packStamps, type Stamp, unpackStamps } from "../../src/index/stamps.ts";

const names = ["a.md", 'q"uote.md', "back\\slash.md", "line\nend.md", "設計.md", "\ud800.md", 'a","b.md'];

test("stamps come back as they were saved, whatever is in a name", () => {
  const path = fc.oneof(fc.constantFrom(...names), fc.string({ unit: "binary" }));
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const stamp: fc.Arbitrary<Stamp> = fc.record({
    size: fc.nat(),
    mtime: number,
    ctime: number,
    indexedAt: number,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(path, stamp)), (entries) => {
      const stamps = new Map(entries);
      const zero = (value: number) => value + 0;
      const plain = [...stamps].map(([name, { size, mtime, ctime, indexedAt }]) => [
        name,
        { size, mtime: zero(mtime), ctime: zero(ctime), indexedAt: zero(indexedAt) },
      ]);
      assert.deepEqual([...unpackStamps(packStamps(stamps))], plain);
    }),
  );
});
