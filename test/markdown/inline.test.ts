import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findHeadings } from "../../src/markdown/headings.ts";
import { codeSpan, oneLine, renderHeading } from "../../src/markdown/inline.ts";
import { anyText } from "../fixtures/texts.ts";

test("white space and control characters are folded to single spaces", () => {
  assert.equal(oneLine(" a\r\n\tb\u0000\u2028c\u0085 "), "a b c");
  assert.equal(oneLine("\n"), "");
});

const SPANS: [name: string, span: string][] = [
  ["src/a.ts", "`src/a.ts`"],
  ["a`b", "``a`b``"],
  ["a``b`c", "```a``b`c```"],
  ["`a", "`` `a ``"],
  ["a\nb", "`a b`"],
];

for (const [name, span] of SPANS) {
  test(`${JSON.stringify(name)} in backticks is ${span}`, () => assert.equal(codeSpan(name), span));
}

test("a heading is one line that reads back as its text, also when it ends in a mark", () => {
  assert.equal(renderHeading(2, "C#\n## x"), "## C# ## x");
  assert.equal(renderHeading(1, "C #"), "# C # #");
  fc.assert(
    fc.property(anyText, fc.constantFrom("", " #", "#", " ## #"), (text, end) => {
      const title = oneLine(text + end);
      const [heading, more] = findHeadings(`${renderHeading(1, text + end)}\n`);
      assert.equal(heading?.text, title);
      assert.equal(more, undefined);
    }),
    { numRuns: 1000 },
  );
});

test("hostile texts are rendered to the end", () => {
  for (const part of ["#", " #", "`", "` ", "\n"]) {
    renderHeading(1, `${part.repeat(200_000)}x`);
    codeSpan(part.repeat(200_000));
  }
});
