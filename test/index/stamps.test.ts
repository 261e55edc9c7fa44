import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Stamp, Stamps } from "../../src/index/stamps.ts";

const stampOf = (number: number): Stamp => ({
  size: number,
  mtime: number + 0.25,
  ctime: -number,
  indexedAt: number * 1e9,
});

test("stamps answer as a Map would, whatever is set and deleted, and after they were packed", () => {
  const paths = fc.constantFrom("a", "b/ü.md", "c", "d", "設計.md");
  const step = fc.record({ path: paths, number: fc.option(fc.nat(1e6)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [stamps, expected] = [new Stamps(), new Map<string, Stamp>()];
      for (const { path, number } of steps) {
        if (number === null) {
          stamps.delete(path);
          expected.delete(path);
        } else {
          stamps.set(path, stampOf(number));
          expected.set(path, stampOf(number));
        }
      }
      const inOrder = [...expected].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const same of [stamps, new Stamps(stamps.pack())]) {
        assert.equal(same.size, expected.size);
        const entries = [...same.keys()].map((path) => [path, same.get(path)] as const);
        assert.deepEqual(
          entries.sort(([a], [b]) => (a < b ? -1 : 1)),
          inOrder,
        );
      }
    }),
  );
});

test("thousands of paths have their own stamps", () => {
  const stamps = new Stamps();
  for (let number = 0; number < 5000; number++) stamps.set(`p/${number}.md`, stampOf(number));
  for (let number = 0; number < 5000; number++)
    assert.deepEqual(stamps.get(`p/${number}.md`), stampOf(number));
  assert.equal(stamps.get("p/5000.md"), undefined);
});

const isSame = (stamp: Stamp, { number }: { number: number }) => stamp.size === number;

test("all of them at once are compared with a walk, once they were saved", () => {
  const stamps = new Stamps();
  const walk = ["a/z.md", "a/é.md", "a/b/1.md", "a/b/c/2.md", "a/b-c/1.md", "b/A.md", "b/a.md"];
  const files = walk.map((path, number) => ({ path, number }));
  for (const { path, number } of files.toReversed()) stamps.set(path, stampOf(number));
  assert.equal(stamps.areAll(files, isSame), false, "not saved yet");
  const saved = new Stamps(stamps.pack());
  for (const [name, known] of Object.entries({ stamps, saved })) {
    assert.equal(known.areAll(files, isSame), true, name);
    assert.equal(known.areAll(files.slice(1), isSame), false, name);
    assert.equal(known.areAll([...files, { path: "c", number: 9 }], isSame), false, name);
    assert.equal(known.areAll(files.toSpliced(2, 1, { path: "a/b/1.md", number: 7 }), isSame), false, name);
    assert.equal(known.areAll(files.toSpliced(2, 1, { path: "a/b/x.md", number: 2 }), isSame), false, name);
    known.delete("none.md");
    assert.equal(known.areAll(files, isSame), true, name);
    known.set("a/z.md", stampOf(0));
    assert.equal(known.areAll(files, isSame), false, `${name}, after a change`);
    known.pack();
    assert.equal(known.areAll(files, isSame), true, `${name}, saved again`);
    known.delete("b/a.md");
    assert.equal(known.areAll(files, isSame), false, `${name}, after a removal`);
  }
});

test("a list of stamps is known by each path of it, whatever is in a name", () => {
  const names = [
    "a.md",
    'q"uote.md',
    "back\\slash.md",
    "line\nend.md",
    "line\\nend.md",
    "設計.md",
    "\ud800.md",
    'a","b.md',
  ];
  const name = fc.constantFrom(...names);
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.uniqueArray(name), (saved, asked) => {
      const stamps = new Stamps();
      for (const path of saved) stamps.set(path, stampOf(1));
      const known = new Stamps(stamps.pack());
      const inOrder = JSON.parse(known.pack().paths) as string[];
      const files = asked.map((path) => ({ path }));
      assert.equal(
        known.areAll(files, () => true),
        JSON.stringify(asked) === JSON.stringify(inOrder),
      );
      assert.equal(
        known.areAll(
          inOrder.map((path) => ({ path })),
          () => true,
        ),
        true,
      );
    }),
    { numRuns: 500 },
  );
});
