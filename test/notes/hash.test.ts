import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesHash, shortHash } from "../../src/core/notes/hash.ts";

const HASH = "0123456789abcdef".repeat(4);

test("a hash is shown by its first 16 digits", () => {
  assert.equal(shortHash(HASH), "0123456789abcdef");
});

test("16 to 64 digits of the hash match it, in any letter case", () => {
  for (const digits of [16, 17, 40, 64]) assert.ok(matchesHash(HASH, HASH.slice(0, digits)), `${digits}`);
  assert.ok(matchesHash(HASH, ` ${HASH.slice(0, 20).toUpperCase()}\n`));
});

test("other digits, or no document, do not match", () => {
  assert.ok(!matchesHash(HASH, HASH.slice(1, 17)));
  assert.ok(!matchesHash(HASH, `${HASH.slice(0, 16)}1`));
  assert.ok(!matchesHash(undefined, HASH));
});

for (const wrong of ["", HASH.slice(0, 15), `${HASH}0`, "x".repeat(16), "sha256:0123456789abcdef"]) {
  test(`${JSON.stringify(wrong)} is no hash`, () => {
    assert.throws(() => matchesHash(HASH, wrong), {
      code: "INVALID_ARGUMENT",
      message: /16 to 64 hexadecimal/,
    });
  });
}
