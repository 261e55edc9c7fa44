import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findHeadings } from "../../src/core/markdown/headings.ts";
import { headingLine, listHeadings, sectionFinder, tellApart } from "../../src/core/markdown/sections.ts";
import { anyText } from "../fixtures/texts.ts";

/** The bodies of the sections of a name, without the blank space around them. */
function sectionTexts(text: string, name: string): string[] {
  return sectionFinder(text)(name).map(({ bodyStart, end }) => text.slice(bodyStart, end).trim());
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

### Details
Fifth.

# Last

## Setup { #setup }
Sixth.

## What's next?
Last.

### Details
Seventh.

### Details
Eighth.
`;

const FIRST = "First.\n\n### Details\n\nSecond.";
const THIRD = "Third.\n\n### objective\nFourth.\n\n### Details\nFifth.";
const FOURTH = "Fourth.";

const SECTIONS: [name: string, wanted: string, expected: string[]][] = [
  ["its text", "next steps", [THIRD]],
  ["its text, which another one has too", "oBJECTIVE", [FIRST, FOURTH]],
  ["its text with marks", "## Objective", [FIRST]],
  ["marks without a space", "##objective", [FIRST]],
  ["marks that choose another level", "### Objective", [FOURTH]],
  ["marks of a level that it does not have", "# Objective", []],
  ["spaces around it", "  Next   steps ", [THIRD]],
  ["closing marks", "## Next steps ##", [THIRD]],
  ["its text without the id after it", "Setup", ["Sixth."]],
  ["its text with the id after it", "## setup { #setup }", ["Sixth."]],
  ["a part of its text", "Object", []],
  ["nothing", "", []],
  ["only marks", "##", []],
  ["its path", "objective > details", ["Second."]],
  ["its whole path with marks", "# Plan > ## Objective > ### Details", ["Second."]],
  ["a path that leaves out steps", "Plan > Details", ["Second.", "Fifth."]],
  ["a path in the wrong order", "Details > Plan", []],
  ["the path of a link", "Next steps#Details", ["Fifth."]],
  ["its number among equals", "Details (2)", ["Fifth."]],
  ["a number below a path", "What's next? > Details (2)", ["Eighth."]],
  ["a number that none has", "Details (9)", []],
  ["its anchor", "#whats-next", ["Last.\n\n### Details\nSeventh.\n\n### Details\nEighth."]],
  ["the numbered anchor of an equal one", "details-3", ["Eighth."]],
  [
    "an anchor that several would have without their numbers",
    "details",
    ["Second.", "Fifth.", "Seventh.", "Eighth."],
  ],
];

for (const [name, wanted, expected] of SECTIONS) {
  test(`a section is looked up by ${name}`, () => assert.deepEqual(sectionTexts(TEXT, wanted), expected));
}

test("each of several sections has a name of its own", () => {
  const find = sectionFinder(TEXT);
  const names = tellApart(find, find("Details"));
  assert.deepEqual(names, ["Objective > Details", "Next steps > Details", "Details (3)", "Details (4)"]);
  assert.deepEqual(tellApart(find, find("objective")), ["## Objective", "Next steps > objective"]);
  assert.deepEqual(
    names.map((name) => find(name)),
    find("Details").map((section) => [section]),
  );
});

test("a section ends at the next heading of its level or above, else with the text", () => {
  const [section] = sectionFinder(TEXT)("Objective > Details");
  assert.ok(section);
  assert.equal(TEXT.slice(section.bodyStart, section.end), "\nSecond.\n\n");
  assert.equal(sectionFinder(TEXT)("Last")[0]?.end, TEXT.length);
});

test("composed and decomposed accents are the same name, other accents are not", () => {
  assert.deepEqual(sectionTexts("## Visio\u0301n\na", "visi\u00F3n"), ["a"]);
  assert.deepEqual(sectionTexts("## Visión\na", "Vision"), []);
  assert.deepEqual(sectionTexts("## バグ\na", "ハク"), []);
});

test("a heading whose text starts or ends with a mark is found by that text, and as lists show it", () => {
  assert.deepEqual(sectionTexts("## #12 broken\na", "#12 broken"), ["a"]);
  assert.deepEqual(sectionTexts("Learn C #\n---\na", "## Learn C #"), ["a"]);
  assert.deepEqual(sectionTexts("## A > B\na\n## A (2)\nb", "A > B"), ["a"]);
  assert.deepEqual(sectionTexts("## A > B\na\n## A (2)\nb", "A (2)"), ["b"]);
});

test("a section before the offset is not found", () => {
  assert.deepEqual(sectionFinder("# a\n# b\n", 4)("a"), []);
});

test("headings are listed in their # form", () => {
  assert.deepEqual(listHeadings("Title\n===\n## a ##\n#\n"), ["# Title", "## a", "#"]);
});

test("every heading of any text is found by its line", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const find = sectionFinder(text);
      for (const heading of findHeadings(text).filter(({ text: title }) => title !== "")) {
        const section = find(headingLine(heading)).find(({ heading: { start } }) => start === heading.start);
        assert.ok(section && section.bodyStart === heading.end && section.bodyStart <= section.end);
      }
    }),
  );
});

test("a long name takes no time", () => {
  for (const part of [" > a", "#a", " (1)"])
    assert.deepEqual(sectionFinder("# b\n")(`a${part.repeat(100_000)}`), []);
});
