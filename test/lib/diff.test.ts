import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffLines } from "../../src/core/lib/diff.ts";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

test("lines that came and went are shown with three around them, and where they begin", () => {
  const before = text("1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c");
  const after = text("1", "2", "3", "4", "x", "6", "7", "8", "9", "a", "b", "c", "d");
  assert.deepEqual(diffLines(before, after), [
    "@@ line 2 @@",
    " 2",
    " 3",
    " 4",
    "-5",
    "+x",
    " 6",
    " 7",
    " 8",
    "@@ line 10 @@",
    " a",
    " b",
    " c",
    "+d",
  ]);
  assert.deepEqual(diffLines(before, before), []);
});

test("what both have in common stays between changes", () => {
  assert.deepEqual(diffLines(text("a", "b", "c"), text("x", "b", "y")), [
    "@@ line 1 @@",
    "-a",
    "+x",
    " b",
    "-c",
    "+y",
  ]);
  assert.deepEqual(diffLines(text("a", "b"), text("b", "a", "c")).slice(1), ["-a", " b", "+a", "+c"]);
  assert.deepEqual(diffLines(text("p", "q", "r"), text("r", "p", "q", "s")).slice(1), [
    "+r",
    " p",
    " q",
    "-r",
    "+s",
  ]);
});

test("long texts without a common line are shown as a whole", () => {
  const many = (letter: string) => Array.from({ length: 1_001 }, (_, at) => `${letter}${at}`);
  const rows = diffLines(text(...many("a")), text(...many("b")));
  assert.deepEqual(rows.slice(1), [...many("-a"), ...many("+b")]);
});

test("a difference, applied, gives the other text", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 7 });
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      const rows = diffLines(text(...one), text(...other)).filter((row) => !row.startsWith("@@"));
      const side = (skipped: string) =>
        rows.filter((row) => !row.startsWith(skipped)).map((row) => row.slice(1));
      const isPart = (whole: string[], part: string[]) =>
        `,${whole}`.includes(part.map((line) => `,${line}`).join(""));
      if (rows.length === 0) return one.join() === other.join();
      return isPart(one, side("+")) && isPart(other, side("-"));
    }),
  );
});
