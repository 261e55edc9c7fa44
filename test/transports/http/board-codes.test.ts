import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoardCodes } from "../../../src/serve/http/board-codes.ts";

test("a code works once and for five minutes, and does not end the others", () => {
  let now = 0;
  const codes = createBoardCodes("the token", () => now);
  const [first, second, third] = [codes.issue(), codes.issue(), codes.issue()];
  assert.equal(new Set([first, second, third]).size, 3);
  assert.deepEqual(codes.redeem(first), { token: "the token" });
  assert.equal(codes.redeem(first), "spent");
  now = 299_999;
  assert.deepEqual(codes.redeem(second), { token: "the token" });
  now = 300_000;
  assert.equal(codes.redeem(third), "spent");
  for (const other of ["", third.slice(1), `${third}a`, "the token"])
    assert.equal(codes.redeem(other), "unknown");
});

test("the oldest of a hundred codes is forgotten", () => {
  const codes = createBoardCodes("the token", () => 0);
  const issued = Array.from({ length: 101 }, () => codes.issue());
  assert.equal(codes.redeem(issued[0] ?? ""), "unknown");
  assert.deepEqual(codes.redeem(issued[1] ?? ""), { token: "the token" });
});
