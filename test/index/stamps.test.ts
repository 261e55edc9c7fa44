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
      const { paths: packed, numbers } = stamps.pack();
      for (const same of [stamps, new Stamps(packed, numbers)]) {
        assert.equal(same.size, expected.size);
        assert.deepEqual(
          [...same.keys()].map((path) => [path, same.get(path)]),
          [...expected],
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
