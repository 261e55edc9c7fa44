import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { closingLine } from "../../src/core/markdown/blocks.ts";
import { codeSpan, embedText, oneLine, renderHeading } from "../../src/core/markdown/embed.ts";
import { findHeadings, type Heading, MAX_HEADINGS } from "../../src/core/markdown/headings.ts";
import { assertProportionate } from "../fixtures/growth.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const isTop = ({ level }: Heading) => level <= 2;

const TEXTS: [name: string, text: string, expected: string][] = [
  ["plain text", "\n\nOne.\n\n- two\n  - three\n\n", "One.\n\n- two\n  - three"],
  ["an ATX heading", "a\n  ## b\n# c ##", "a\n\n  \\## b\n\n\\# c ##"],
  ["a lower heading", "### a\ntext", "### a\ntext"],
  ["a tag", "#tag", "#tag"],
  ["setext headings", "a\nb\n===\n\nc\n  ---\n", "a\nb\n\\===\n\nc\n  \\---"],
  ["underlines after an escaped line", "# a\n---\n===\n\n---", "\\# a\n\n---\n===\n\n---"],
  ["a list that a heading ends", "- a\n# b\n  # c", "- a\n\n\\# b\n\n  \\# c"],
  ["a ruler and a list", "- a\n---\n\n***", "- a\n---\n\n***"],
  ["a heading in a fence", "```\n# a\n```", "```\n# a\n```"],
  ["an unclosed fence", "~~~~ js\n# a\n~~~", "~~~~ js\n# a\n~~~\n~~~~"],
  ["an unclosed comment", "<!-- a\n# b", "<!-- a\n# b\n-->"],
  ["CRLF and CR", "a\r\n# b\r# c", "a\n\n\\# b\n\n\\# c"],
  ["a byte order mark", "\uFEFF# a", "\\# a"],
  ["indented code", "\n    # a\n", "    # a"],
  ["nothing", " \n\t\n", ""],
];

for (const [name, text, expected] of TEXTS) {
  test(`a text with ${name} is embedded`, () => assert.equal(embedText(text, isTop), expected));
}

test("an embedded text has no reserved heading and leaves nothing open, and only backslashes and blank lines are added", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom(isTop, () => true),
      (text, isReserved) => {
        const embedded = embedText(text, isReserved);
        assert.deepEqual(findHeadings(embedded).filter(isReserved), []);
        assert.equal(closingLine(embedded), null);
        assert.equal(embedText(embedded, isReserved), embedded);
        const without = (part: string) =>
          part
            .replace(/\\(?=[#=-])/g, "")
            .replace(/[\r\n]+/g, "\n")
            .trim();
        assert.ok(without(embedded).startsWith(without(text.replace(/^\uFEFF/, ""))));
      },
    ),
    { numRuns: numRuns(1000) },
  );
});

test("the time to embed a text grows with its length", () => {
  const parts = ["# a\n", "a\n===\n", "---\n", "a\n---\n---\n", "```\n", "<!--\n", "\r", "#"];
  assertProportionate(parts, (text) => embedText(text, isTop), 100_000);
});

test("headings of an embedded text leave room for those around it", () => {
  const embedded = embedText("### a\n".repeat(MAX_HEADINGS * 2), isTop);
  const [last] = findHeadings(`# t\n## Objective\n${embedded}\n## Steps\n`).slice(-1);
  assert.equal(last?.text, "Steps");
});

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
    { numRuns: numRuns(1000) },
  );
});

test("the time to render a heading or a code span grows with its length", () => {
  const parts = ["#", " #", "`", "` ", "\n"];
  assertProportionate(parts, (text) => renderHeading(1, `${text}x`), 100_000);
  assertProportionate(parts, codeSpan, 100_000);
});
