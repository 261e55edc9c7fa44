import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { inLineEndingsOf, lineEnding, withLineEndings } from "../../src/core/markdown/line-endings.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const ENDINGS: [name: string, text: string, ending: string][] = [
  ["LF", "a\nb\n", "\n"],
  ["CRLF", "a\r\nb\r\n", "\r\n"],
  ["more CRLF than LF", "a\r\nb\r\nc\n", "\r\n"],
  ["more LF than CRLF", "a\r\nb\nc\n", "\n"],
  ["as many of each", "a\r\nb\n", "\n"],
  ["only lone CRs", "a\rb\r", "\n"],
  ["no line end", "a", "\n"],
  ["nothing", "", "\n"],
];

for (const [name, text, ending] of ENDINGS) {
  test(`the line ending of a text with ${name} is ${JSON.stringify(ending)}`, () =>
    assert.equal(lineEnding(text), ending));
}

test("every line gets the ending, and a lone CR stays", () => {
  assert.equal(withLineEndings("a\r\nb\nc\rd", "\n"), "a\nb\nc\rd");
  assert.equal(withLineEndings("a\r\nb\nc\rd", "\r\n"), "a\r\nb\r\nc\rd");
  assert.equal(withLineEndings("a\r\r\n", "\n"), "a\n");
});

test("a content takes the line endings of a text that has some, else it keeps its own", () => {
  assert.equal(inLineEndingsOf("a\r\nb\r\n", "x\ny\n"), "x\r\ny\r\n");
  assert.equal(inLineEndingsOf("a\n", "x\r\n"), "x\n");
  assert.equal(inLineEndingsOf("a", "x\r\ny\n"), "x\r\ny\n");
});

test("changing line endings changes nothing else, and a second time nothing at all", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom("\n", "\r\n"), (text, ending) => {
      const changed = withLineEndings(text, ending);
      assert.equal(withLineEndings(changed, ending), changed);
      assert.equal(changed.replace(/\r+\n/g, "\n"), text.replace(/\r+\n/g, "\n"));
      if (text.includes("\n")) assert.equal(lineEnding(changed), ending);
    }),
    { numRuns: numRuns(1000) },
  );
});

test("millions of line ends are read", () => {
  assert.equal(withLineEndings("\r".repeat(5_000_000), "\n").length, 5_000_000);
  assert.equal(lineEnding("\n".repeat(5_000_000)), "\n");
});
