import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findHeadings } from "../../src/core/markdown/headings.ts";
import { findSection, headingLine, listHeadings } from "../../src/core/markdown/sections.ts";
import { anyText } from "../fixtures/texts.ts";

/** The body of a section without the blank space around it; null when there is no such section. */
function sectionText(text: string, name: string): string | null {
  const section = findSection(text, name);
  return section === null ? null : text.slice(section.bodyStart, section.end).trim();
}

const TEXT = `# Plan

intro

## Objective

First.

### Details

Second.

## Next steps ##
Third.

### objective
Fourth.

# Last

## Setup { #setup }
Fifth.
`;

const SECTIONS: [name: string, wanted: string, expected: string | null][] = [
  ["its text", "Objective", "First.\n\n### Details\n\nSecond."],
  ["its text in other letter case", "oBJECTIVE", "First.\n\n### Details\n\nSecond."],
  ["its text with marks", "## Objective", "First.\n\n### Details\n\nSecond."],
  ["marks without a space", "##objective", "First.\n\n### Details\n\nSecond."],
  ["marks that choose another level", "### Objective", "Fourth."],
  ["marks of a level that it does not have", "# Objective", null],
  ["spaces around it", "  Next   steps ", "Third.\n\n### objective\nFourth."],
  ["closing marks", "## Next steps ##", "Third.\n\n### objective\nFourth."],
  ["its text without the id after it", "## Setup", "Fifth."],
  ["its text with the id after it", "## setup { #setup }", "Fifth."],
  ["a part of its text", "Object", null],
  ["nothing", "", null],
  ["only marks", "##", null],
];

for (const [name, wanted, expected] of SECTIONS) {
  test(`a section is looked up by ${name}`, () => assert.equal(sectionText(TEXT, wanted), expected));
}

test("a section ends at the next heading of its level or above, else with the text", () => {
  const section = findSection(TEXT, "Details");
  assert.ok(section);
  assert.equal(TEXT.slice(section.bodyStart, section.end), "\nSecond.\n\n");
  assert.equal(findSection(TEXT, "Last")?.end, TEXT.length);
});

test("composed and decomposed accents are the same name, other accents are not", () => {
  assert.equal(sectionText("## Visio\u0301n\na", "visi\u00F3n"), "a");
  assert.equal(sectionText("## Visión\na", "Vision"), null);
  assert.equal(sectionText("## バグ\na", "ハク"), null);
});

test("a heading whose text starts or ends with a mark is found by that text, and as lists show it", () => {
  assert.equal(sectionText("## #12 broken\na", "#12 broken"), "a");
  assert.equal(sectionText("Learn C #\n---\na", "## Learn C #"), "a");
});

test("a section before the offset is not found", () => {
  assert.equal(findSection("# a\n# b\n", "a", 4), null);
});

test("headings are listed in their # form", () => {
  assert.deepEqual(listHeadings("Title\n===\n## a ##\n#\n"), ["# Title", "## a", "#"]);
});

test("every heading of any text finds a section at it or before it", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const heading of findHeadings(text).filter(({ text: title }) => title !== "")) {
        const section = findSection(text, headingLine(heading));
        assert.ok(section && section.heading.start <= heading.start);
        assert.ok(section.bodyStart === section.heading.end && section.bodyStart <= section.end);
      }
    }),
  );
});
