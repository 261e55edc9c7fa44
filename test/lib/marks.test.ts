import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf, withoutMarks } from "../../src/core/lib/marks.ts";

test("a snippet's marks become parts, and its text stays whole", () => {
  assert.deepEqual(partsOf("Add >>>rate<<< >>>limiting<<<: now"), [
    { text: "Add ", isMatch: false },
    { text: "rate", isMatch: true },
    { text: " ", isMatch: false },
    { text: "limiting", isMatch: true },
    { text: ": now", isMatch: false },
  ]);
  assert.deepEqual(partsOf(">>>認証<<<"), [{ text: "認証", isMatch: true }]);
  assert.deepEqual(partsOf("cat a >>> b"), [{ text: "cat a >>> b", isMatch: false }]);
  assert.deepEqual(partsOf(""), []);
  assert.equal(withoutMarks("Add >>>rate<<< >>>limiting<<<: now"), "Add rate limiting: now");
});
