import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { dirname, joinPath, relativePath } from "../../src/core/lib/paths.ts";

const part = fc.constantFrom("a", "b", "é.md", ".", "..", "", "...");
const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("/"));

test("paths are joined as Node.js joins them", () => {
  fc.assert(
    fc.property(path, path, (base, rest) => assert.equal(joinPath(base, rest), posix.join(base, rest))),
  );
});

test("the way to a path is the one of Node.js, also out of the folder where both start", () => {
  const name = fc.constantFrom("a", "b", "é.md");
  const folder = fc.array(name, { maxLength: 4 }).map((parts) => parts.join("/"));
  const deep = "/-".repeat(20);
  fc.assert(
    fc.property(folder, path, (from, to) => {
      const expected = posix.relative(posix.join(deep, from), posix.join(deep, to));
      assert.equal(relativePath(from, to), expected);
    }),
  );
  for (const file of ["a/b/c.md", "a.md"]) assert.equal(dirname(file), posix.dirname(file));
});
