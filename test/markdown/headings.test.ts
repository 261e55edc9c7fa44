import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  eachHeading,
  findHeadings,
  MAX_HEADINGS,
  MAX_OUTLINE_CHARS,
  outlineText,
  withoutId,
} from "../../src/core/markdown/headings.ts";
import { assertProportionate } from "../fixtures/growth.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

const found = (text: string) => findHeadings(text).map(({ level, text: title }) => `${level} ${title}`);

const HEADINGS: [name: string, text: string, expected: string[]][] = [
  [
    "every ATX level",
    "# a\n## b\n### c\n#### d\n##### e\n###### f",
    ["1 a", "2 b", "3 c", "4 d", "5 e", "6 f"],
  ],
  ["seven marks", "####### a", []],
  ["a tag", "#tag", []],
  ["no text", "#\n##  \n### ###", ["1 ", "2 ", "3 "]],
  ["closing marks", "## a ##\n# b #######  \n# c#\n# d # e", ["2 a", "1 b", "1 c#", "1 d # e"]],
  ["three spaces before it", "   # a", ["1 a"]],
  ["four spaces before it", "    # a", []],
  ["an unclosed fence before it", "# a\n~~~\n# b", ["1 a"]],
  ["a comment around it", "<!--\n# a\n-->\n# b", ["1 b"]],
  ["CRLF", "# a\r\n\r\nb\r\n===\r\n", ["1 a", "1 b"]],
  ["setext underlines", "a\n===\n\nb\n---\n\nc\n=\nd\n   --  ", ["1 a", "2 b", "1 c", "2 d"]],
  ["a setext heading of two lines", "first\n  second\n---\n", ["2 first second"]],
  ["a line right after a heading", "# a\nb\n---", ["1 a", "2 b"]],
  ["a blank line before the underline", "a\n\n---", []],
  ["an underline indented by four", "a\n    ---", []],
  ["an underline with words", "a\n--- b\n--- ---", []],
  ["a list item before the underline", "- a\n---\n1. b\n---\n* c\n===", []],
  ["a paragraph inside a list item", "- a\n\n  b\n\n  c\n---", []],
  ["a paragraph after a list", "- a\n\nb\n---", ["2 b"]],
  ["a table before the underline", "| a |\n| - |\n---\n", []],
  ["a table without outer pipes", "a | b\n--- | ---\nc | d\n---", []],
  ["a fence before the underline", "```\na\n```\n---", []],
  ["a block of HTML before the underline", "<details>\na\n---", []],
  ["a thematic break between paragraphs", "a\n\n***\nb\n---", ["2 b"]],
];

for (const [name, text, expected] of HEADINGS) {
  test(`headings are found with ${name}`, () => assert.deepEqual(found(text), expected));
}

const IDS: [heading: string, shown: string][] = [
  ["# Setup {#setup}", "# Setup"],
  ["## Setup { #setup .wide }", "## Setup"],
  ["Setup {#a} on Linux", "Setup {#a} on Linux"],
  ["Setup {name}", "Setup {name}"],
  ["## {#only}", "## {#only}"],
];

for (const [heading, shown] of IDS)
  test(`of ${heading}, ${shown} is shown`, () => assert.equal(withoutId(heading), shown));

test("offsets cover the heading's lines with their terminator", () => {
  const text = "intro\n\n## One\r\nTwo\nlines\n===\nend";
  assert.deepEqual(
    findHeadings(text).map(({ start, end }) => text.slice(start, end)),
    ["## One\r\n", "Two\nlines\n===\n"],
  );
});

test("a search from an offset finds only what comes after it", () => {
  const text = "# a\n# b\n";
  assert.deepEqual(findHeadings(text, 4), [{ level: 1, text: "b", start: 4, end: 8 }]);
});

test("a line over 1,000 characters is text, not a heading", () => {
  assert.deepEqual(found(`# ${"a".repeat(998)}`).length, 1);
  assert.deepEqual(found(`# ${"a".repeat(5_000_000)}`), []);
  assert.deepEqual(found(`${"a\n".repeat(1000)}===\n`), []);
});

test("offsets of any text are in order, at line starts, and within it", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let last = 0;
      for (const heading of findHeadings(text)) {
        assert.ok(heading.start >= last && heading.start < heading.end && heading.end <= text.length);
        assert.ok(heading.start === 0 || text[heading.start - 1] === "\n");
        assert.ok(heading.end === text.length || text[heading.end - 1] === "\n");
        assert.equal(heading.text, heading.text.trim());
        last = heading.end;
      }
    }),
    { numRuns: numRuns(1000) },
  );
});

test("the time to find headings grows with the length of the text", () => {
  assert.equal([...eachHeading("# a\n".repeat(10_000))].length, 10_000);
  assert.equal([...eachHeading("a\n=\n".repeat(10_000))].length, 10_000);
  const parts = ["#", "- ", "> ", "|", "--- ", "a", "=", "<"];
  assertProportionate([...parts, ...parts.map((part) => `${part}\n`)], (text) => findHeadings(text), 200_000);
});

test("a few thousand headings are tracked, and those of the first part of a very large text", () => {
  const headings = findHeadings("# a\n".repeat(MAX_HEADINGS * 2));
  assert.equal(headings.length, MAX_HEADINGS);
  assert.equal(headings.at(-1)?.start, (MAX_HEADINGS - 1) * 4);
  const text = `${"x".repeat(99)}\n`.repeat(MAX_OUTLINE_CHARS / 100 + 1);
  assert.deepEqual(findHeadings(`# a\n${text}# b\n`).length, 1);
  assert.equal(outlineText(text).length, Math.floor(MAX_OUTLINE_CHARS / 100) * 100, "whole lines");
  assert.equal(
    outlineText(`a${"😀".repeat(MAX_OUTLINE_CHARS)}`).length,
    MAX_OUTLINE_CHARS - 1,
    "whole characters",
  );
  assert.equal(outlineText("# a\n"), "# a\n");
});
