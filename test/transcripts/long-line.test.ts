import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutLongTexts } from "../../src/sessions/transcripts/long-line.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const shortened = (value: unknown) =>
  JSON.parse(
    new TextDecoder("utf-8", { fatal: true }).decode(withoutLongTexts(Buffer.from(JSON.stringify(value)))),
  );

test("a short line stays, a long text keeps its beginning and its end", () => {
  const short = { a: "x".repeat(1_000), b: [1, '"\\', null] };
  assert.deepEqual(shortened(short), short);
  const text = `begin ${"x".repeat(500_000)} end`;
  const { a, b } = shortened({ a: text, b: "kept" });
  assert.equal(b, "kept");
  assert.match(a, /^begin x+ end$/);
  assert.ok(a.length < 40_000);
});

test("a line that is shortened as it is read, wherever its parts end, stays JSON with the same other texts", () => {
  for (const part of ["x", "é", "🙂", '\\"', "\\\\", "\n"]) {
    if (part === "x")
      assert.ok(withoutLongTexts(Buffer.from(`{"a":"${part.repeat(200_000)}`)).length < 70_000);
    const bytes = Buffer.from(JSON.stringify({ a: part.repeat(120_000), b: "kept", c: part }));
    for (const size of [65_521, 150_001, 230_003]) {
      let line: Buffer = Buffer.alloc(0);
      for (let from = 0; from < bytes.length; from += size)
        line = withoutLongTexts(Buffer.concat([line, bytes.subarray(from, from + size)]));
      const { b, c } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
      assert.deepEqual([b, c], ["kept", part], `${part} ${size}`);
    }
  }
});

test("whatever a long text holds, the line stays JSON with the same other texts", () => {
  const pieces = ["x", "é", "音", "🙂", "\n", '"', "\\", "\u0001", '\\\\"', "\\u00e9"];
  const long = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
    .map(
      (parts) => `${"y".repeat(70_000)}${parts.join("").repeat(9_000)}${"z".repeat(70_000)}${parts.join("")}`,
    );
  fc.assert(
    fc.property(long, fc.string(), (text, other) => {
      const read = shortened([other, { text, other }, "end"]);
      assert.equal(read.length, 3);
      assert.equal(read[0], other);
      assert.equal(read[1].other, other);
      assert.ok(text.startsWith(read[1].text.slice(0, 1_000)));
      assert.equal(read[2], "end");
    }),
    { numRuns: numRuns(50) },
  );
});
