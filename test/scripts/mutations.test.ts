import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MUTATIONS } from "../../scripts/mutate/mutations.ts";

test("each line that `npm run mutate` makes wrong stands in the sources once", () => {
  for (const { what, file, from, to } of MUTATIONS) {
    assert.equal(readFileSync(file, "utf8").split(from).length, 2, what);
    assert.notEqual(from, to, what);
  }
});
