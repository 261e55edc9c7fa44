import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { UserError } from "../../src/core/lib/errors.ts";
import { closingLine } from "../../src/core/markdown/blocks.ts";
import { findHeadings } from "../../src/core/markdown/headings.ts";
import { appendToSection, appendToText, replaceSection } from "../../src/core/markdown/section-edit.ts";
import { firstSection, headingLine, sectionFinder } from "../../src/core/markdown/sections.ts";
import { lengthOf, numRuns } from "../fixtures/num-runs.ts";
import { anyText } from "../fixtures/texts.ts";

function sectionOf(text: string, name: string) {
  const [section] = sectionFinder(text)(name);
  assert.ok(section);
  return section;
}

const replace = (text: string, content: string, name = "A") =>
  replaceSection(text, sectionOf(text, name), content);
const append = (text: string, content: string, name = "A") =>
  appendToSection(text, sectionOf(text, name), content);

/** What plugins of Obsidian keep at the end of a text. */
const SETTINGS = '\n\n%% kanban:settings\n```\n{"a":1}\n```\n%%\n';

type Case = [name: string, text: string, content: string, expected: string];

const REPLACEMENTS: Case[] = [
  ["right under its heading", "## A\nold\n\n## B\nb\n", "new", "## A\nnew\n\n## B\nb\n"],
  ["after a blank line", "## A\n\nold\n\n## B\n", "new\n\n\n", "## A\n\nnew\n\n## B\n"],
  ["with its subsections", "## A\nold\n\n### C\nc\n\n## B\n", "\n\nnew", "## A\nnew\n\n## B\n"],
  ["before a heading with an underline", "## A\n***\nB\n---\n", "", "## A\nB\n---\n"],
  ["that stood close to an underlined heading", "## A\n***\nB\n---\n", "new", "## A\nnew\n\nB\n---\n"],
  ["that has not even a blank line", "## A\n## B\n", "new", "## A\nnew\n\n## B\n"],
  ["at the end", "# T\n\n## A\n\nold\n", "new", "# T\n\n## A\n\nnew\n"],
  ["at the end, without a final newline", "## A\nold", "new", "## A\nnew"],
  ["at the end, with blank lines", "## A\nold\n\n\n", "new", "## A\nnew\n\n\n"],
  ["under an underlined heading", "A\n---\nold\n\nB\n---\n", "new", "A\n---\nnew\n\nB\n---\n"],
  ["in a file with CRLF", "## A\r\nold\r\n\r\n## B\r\n", "a\nb\r\n", "## A\r\na\r\nb\r\n\r\n## B\r\n"],
  ["by text under the very heading", "## A\n\nold\n\n## B\n", "## A\n\nnew\n", "## A\n\nnew\n\n## B\n"],
  ["by the heading in another form", "## A\nold\n", "\na\n-\nnew\n", "## A\nnew\n"],
  ["by text with the heading further down", "## A\nold\n", "x\n\n## A\nnew", "## A\nx\n\n## A\nnew\n"],
  ["by text under another heading", "## A\nold\n", "### A\nnew\n", "## A\n### A\nnew\n"],
  ["by nothing", "## A\nold\n\n## B\n", " \n", "## A\n\n## B\n"],
  ["by indented code", "## A\nold\n", "\n    code\n", "## A\n    code\n"],
  ["by an unclosed fence", "## A\nold\n\n## B\n", "~~~~\ncode", "## A\n~~~~\ncode\n~~~~\n\n## B\n"],
  ["before settings", `## A\nold\n${SETTINGS}`, "new", `## A\nnew\n${SETTINGS}`],
  ["inside such a block", "x\n%%\n## A\nold\n%%\n", "new", "x\n%%\n## A\nnew\n\n%%\n"],
  ["by an unclosed comment", "## A\nx\n\n## B\n-->\n", "<!--", "## A\n<!--\n-->\n\n## B\n-->\n"],
];

for (const [name, text, content, expected] of REPLACEMENTS) {
  test(`a section is replaced ${name}`, () => assert.equal(replace(text, content), expected));
}

const ADDITIONS: Case[] = [
  ["after a blank line", "## A\nold\n\n## B\n", "new\n", "## A\nold\n\nnew\n\n## B\n"],
  ["after its subsections", "## A\nold\n\n### C\nc\n## B\n", "new", "## A\nold\n\n### C\nc\n\nnew\n## B\n"],
  ["right under a list", "## A\n- a\n\n## B\n", "- b\n- c", "## A\n- a\n- b\n- c\n\n## B\n"],
  ["right under a numbered list", "## A\n1. [x] a\n", "2. [ ] b", "## A\n1. [x] a\n2. [ ] b\n"],
  ["away from a list of another kind", "## A\n- a\n", "1. b", "## A\n- a\n\n1. b\n"],
  ["away from a paragraph it would underline", "## A\nold\n", "---", "## A\nold\n\n---\n"],
  ["before an underlined heading", "## A\n***\nB\n---\n", "new", "## A\n***\n\nnew\n\nB\n---\n"],
  ["to the last line without its newline", "## A\nold", "new", "## A\nold\n\nnew\n"],
  ["without the very heading", "## A\nold\n", "## a ##\nnew\n", "## A\nold\n\nnew\n"],
  ["nothing", "## A\nold\n\n\n## B", "\n \n", "## A\nold\n\n\n## B"],
  ["before settings", `## A\n- a\n${SETTINGS}`, "- b", `## A\n- a\n- b\n${SETTINGS}`],
  [
    "an unclosed fence before settings",
    `## A\na\n${SETTINGS}`,
    "```\nx",
    `## A\na\n\n\`\`\`\nx\n\`\`\`\n${SETTINGS}`,
  ],
  ["an unclosed fence", "## A\nold\n\n## B\n", "```js\nx", "## A\nold\n\n```js\nx\n```\n\n## B\n"],
];

for (const [name, text, content, expected] of ADDITIONS) {
  test(`to a section is added ${name}`, () => assert.equal(append(text, content), expected));
}

const ENDS: Case[] = [
  ["after a blank line", "# T\nold\n", "new\n", "# T\nold\n\nnew\n"],
  ["before the blank lines at its end", "old\n\n\n", "new", "old\n\nnew\n\n\n"],
  ["before settings", `- a\n${SETTINGS}`, "x", `- a\n\nx\n${SETTINGS}`],
  ["right under a list", "- a\n", "- b\n", "- a\n- b\n"],
  ["under the frontmatter", "---\na: 1\n---", "new", "---\na: 1\n---\nnew\n"],
  ["to an empty text", "", "a\r\nb", "a\r\nb\r\n"],
  ["with its line endings", "old\r\n", "a\nb\n", "old\r\n\r\na\r\nb\r\n"],
  ["nothing", "old", "\n", "old"],
];

for (const [name, text, content, expected] of ENDS) {
  test(`a text is added to ${name}`, () => assert.equal(appendToText(text, content), expected));
}

const paragraph = fc.constantFrom(
  "new",
  "- item",
  "new\n\nmore",
  "===",
  "---",
  "```\ncode",
  "<!--",
  "    code",
);

/** A text with one of its sections. */
const textWithSection = fc
  .tuple(anyText, anyText, fc.nat())
  .map(([before, after, pick]) => {
    const text = `${before}\n## A\n\nbody\n\n## B\n${after}`;
    const headings = findHeadings(text);
    const start = headings[pick % headings.length]?.start;
    const section = firstSection(headings, text.length, (heading) => heading.start === start);
    return section === null ? null : { text, section };
  })
  .filter((found) => found !== null);

function unlessRefused(edit: () => string): string | null {
  try {
    return edit();
  } catch (error) {
    assert.ok(error instanceof UserError);
    assert.equal(error.code, "INVALID_ARGUMENT");
    return null;
  }
}

test("content that would end a comment left open above is refused, with what to do", () => {
  const open = "# T\n\n<!-- note\n\n## A\n\nbody\n\n## B\n\nend\n";
  for (const edit of [replace, append]) {
    assert.throws(() => edit(open, "a --> b"), /comment.*Close that comment first/);
    assert.equal(findHeadings(edit(open, "a -> b")).length, 3);
    assert.ok(edit(open.replace("note", "note -->"), "a --> b").includes("a --> b"));
  }
  assert.throws(() => appendToText(open, "<!-- c -->"), { code: "INVALID_ARGUMENT" });
  assert.throws(() => append("<!-- x\n## A\n", "-->"), { code: "INVALID_ARGUMENT" });
  assert.equal(replace("## A\n<!-- x\n", "-->"), "## A\n-->\n");
});

test("an edit of a section changes no byte before its body and no heading after it", () => {
  fc.assert(
    fc.property(textWithSection, fc.oneof(paragraph, anyText), ({ text, section }, content) => {
      const after = text.slice(section.end);
      // An indented heading goes on the list item that new text may end in.
      fc.pre(closingLine(text.slice(0, section.bodyStart)) === null && !/^[ \t]/.test(after));
      for (const edit of [replaceSection, appendToSection]) {
        const edited = unlessRefused(() => edit(text, section, content));
        if (edited === null) {
          assert.equal(closingLine(text.slice(0, section.end)), "-->");
          continue;
        }
        assert.ok(edited.startsWith(text.slice(0, section.bodyStart)));
        assert.ok(edited.endsWith(after));
        const kept = findHeadings(edited).filter(({ start }) => start >= edited.length - after.length);
        assert.deepEqual(kept.map(headingLine), findHeadings(after).map(headingLine));
      }
    }),
    { numRuns: numRuns(2000) },
  );
});

test("a section replaced by its own body is the same text", () => {
  fc.assert(
    fc.property(textWithSection, ({ text, section }) => {
      const body = text.slice(section.bodyStart, section.end);
      const [first] = findHeadings(body);
      fc.pre(!text.includes("\r") && !/\s(?:\n|$)/.test(body.trim()) && first?.text !== section.heading.text);
      fc.pre(body.trim() !== "" && (closingLine(body) === null || section.end === text.length));
      assert.equal(replaceSection(text, section, body).trimEnd(), text.trimEnd());
    }),
  );
});

test("what is added to a text stands on lines of its own at its end", () => {
  fc.assert(
    fc.property(anyText, paragraph, (any, content) => {
      const text = any.replace(/\r(?!\n)/g, "");
      const edited = appendToText(text, content);
      const lines = edited
        .replace(/^\uFEFF/, "")
        .trimEnd()
        .split(/\r?\n/);
      assert.deepEqual(lines.slice(-content.split("\n").length), content.split("\n"));
      assert.ok(edited.startsWith(text.trimEnd()));
    }),
    { numRuns: numRuns(1000) },
  );
});

test("long contents leave the text above them unchanged", () => {
  const text = `## A\n${"x\n".repeat(lengthOf(100_000))}`;
  for (const content of [
    "- ".repeat(lengthOf(500_000)),
    "\n".repeat(lengthOf(1_000_000)),
    "```\n".repeat(lengthOf(100_000) + 1),
    "<!--\n".repeat(lengthOf(100_000)),
  ]) {
    for (const base of [text, `${text}\n## B\n`]) {
      assert.ok(replace(base, content).startsWith("## A\n"));
      assert.ok(append(base, content).startsWith(text.trimEnd()));
    }
    assert.ok(appendToText(text, content).startsWith(text.trimEnd()));
  }
});
