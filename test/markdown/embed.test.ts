import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { embedText } from "../../src/markdown/embed.ts";
import { findHeadings, type Heading, MAX_HEADINGS } from "../../src/markdown/headings.ts";
import { closingLine } from "../../src/markdown/lines.ts";
import { anyText } from "../fixtures/texts.ts";

const isTop = ({ level }: Heading) => level <= 2;

const TEXTS: [name: string, text: string, expected: string][] = [
  ["plain text", "\n\nOne.\n\n- two\n  - three\n\n", "One.\n\n- two\n  - three"],
  ["an ATX heading", "a\n  ## b\n# c ##", "a\n  \\## b\n\\# c ##"],
  ["a lower heading", "### a\ntext", "### a\ntext"],
  ["a tag", "#tag", "#tag"],
  ["setext headings", "a\nb\n===\n\nc\n  ---\n", "a\nb\n\\===\n\nc\n  \\---"],
  ["underlines after an escaped line", "# a\n---\n===\n\n---", "\\# a\n\\---\n\\===\n\n---"],
  ["a ruler and a list", "- a\n---\n\n***", "- a\n---\n\n***"],
  ["a heading in a fence", "```\n# a\n```", "```\n# a\n```"],
  ["an unclosed fence", "~~~~ js\n# a\n~~~", "~~~~ js\n# a\n~~~\n~~~~"],
  ["an unclosed comment", "<!-- a\n# b", "<!-- a\n# b\n-->"],
  ["CRLF and CR", "a\r\n# b\r# c", "a\n\\# b\n\\# c"],
  ["a byte order mark", "\uFEFF# a", "\\# a"],
  ["indented code", "\n    # a\n", "    # a"],
  ["nothing", " \n\t\n", ""],
];

for (const [name, text, expected] of TEXTS) {
  test(`a text with ${name} is embedded`, () => assert.equal(embedText(text, isTop), expected));
}

test("an embedded text has no reserved heading and leaves nothing open, and only backslashes are added", () => {
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
            .replace(/\r\n?/g, "\n")
            .trim();
        assert.ok(without(embedded).startsWith(without(text.replace(/^\uFEFF/, ""))));
      },
    ),
    { numRuns: 1000 },
  );
});

test("hostile texts are embedded to the end", () => {
  for (const part of ["# a\n", "a\n===\n", "---\n", "a\n---\n---\n", "```\n", "<!--\n", "\r", "#"]) {
    embedText(part.repeat(50_000), isTop);
  }
});

test("headings of an embedded text leave room for those around it", () => {
  const embedded = embedText("### a\n".repeat(MAX_HEADINGS * 2), isTop);
  const [last] = findHeadings(`# t\n## Objective\n${embedded}\n## Steps\n`).slice(-1);
  assert.equal(last?.text, "Steps");
});
